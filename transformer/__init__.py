"""The Transformer of "Attention Is All You Need", in plain PyTorch."""

import lazy_loader

__version__ = "0.1.0"

# The names stand in __init__.pyi. PyTorch takes seconds to import: that waits for the first name.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
