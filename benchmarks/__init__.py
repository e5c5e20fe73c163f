"""How fast the package is, beside PyTorch's own Transformer and Hugging Face's, as ratios."""
