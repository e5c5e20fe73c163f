"""The Transformer of "Attention Is All You Need", in plain PyTorch."""

import warnings

import lazy_loader

__version__ = "0.1.0"

# Old public names and their new ones. An old name works for one release, then its line goes.
RENAMED: dict[str, str] = {}

# A name of __init__.pyi is imported when it is first asked for: PyTorch alone takes seconds.
_import, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    if name in RENAMED:
        text = f"transformer.{name} is now called transformer.{RENAMED[name]}"
        warnings.warn(text, DeprecationWarning, stacklevel=2)
    return _import(RENAMED.get(name, name))
