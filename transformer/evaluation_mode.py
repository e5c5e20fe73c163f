"""Evaluation for a while: dropout off, and afterwards every module back in its own mode."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from weakref import WeakKeyDictionary

from torch import nn

from transformer.arguments import ArgumentTypeError

# Of each model: how many blocks run, and the modules that train when none does.
_running: WeakKeyDictionary[nn.Module, tuple[int, list[nn.Module]]] = WeakKeyDictionary()
_lock = Lock()


@contextmanager
def evaluation_mode(model: nn.Module) -> Iterator[None]:
    """Put a model into evaluation mode while the block runs.

    Afterwards, even after an error, every module has the mode that it had before: what was
    frozen with `eval()` inside a model that trains stays frozen. The blocks of several threads may
    overlap: the last of them restores the modes.

    Args:
        model: Any module, compiled or wrapped ones too.

    Raises:
        TypeError: If `model` is not a module.

    Example:
        >>> model = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
        >>> with evaluation_mode(model):
        ...     model.training
        False
        >>> model.training
        True
    """
    if not isinstance(model, nn.Module):
        raise ArgumentTypeError("model", f"must be an nn.Module: got {type(model).__name__}")
    with _lock:
        blocks, training = _running.get(model, (0, []))
        if not blocks:
            training = [module for module in model.modules() if module.training]
            for module in training:
                module.training = False
        _running[model] = blocks + 1, training
    try:
        yield
    finally:
        with _lock:
            blocks, training = _running.pop(model)
            if blocks > 1:  # another thread decodes with this model
                _running[model] = blocks - 1, training
            else:
                for module in training:
                    module.training = True
