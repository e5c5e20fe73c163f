"""From sentences to batches: a grammar that writes pairs, files of pairs, a tokenizer."""

from transformer.deprecation import renamed_modules

renamed_modules(
    __name__, corpus="generator", files="pair_files", left_out="report", sources="training_pairs"
)
