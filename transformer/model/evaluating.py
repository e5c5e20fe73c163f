"""Evaluation for a while: dropout off, and afterwards every module back in its own mode."""

from collections.abc import Iterator
from contextlib import contextmanager

from torch import nn


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Put a model into evaluation mode while the block runs.

    Afterwards, even after an error, every module has the mode that it had before: what was
    frozen with `eval()` inside a model that trains stays frozen.

    Args:
        model: Any module, compiled or wrapped ones too.

    Raises:
        TypeError: If `model` is not a module.

    Example:
        >>> model = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
        >>> with evaluating(model):
        ...     model.training
        False
        >>> model.training
        True
    """
    if not isinstance(model, nn.Module):
        raise TypeError(f"model must be an nn.Module: got {type(model).__name__}")
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        yield
    finally:
        for module, training in modes:
            module.training = training
