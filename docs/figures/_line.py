"""Four points, a line through them, and how two ways of training find it."""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor
from torch.optim import SGD, Adam, Optimizer

X = torch.tensor([0.0, 1.0, 2.0, 3.0])
Y = torch.tensor([1.0, 3.0, 2.0, 4.0])


def loss(w: Tensor, b: Tensor) -> Tensor:
    """Return the mean of the squared errors, for one line or for many."""
    return (w[..., None] * X + b[..., None] - Y).square().mean(-1)


def descent(steps: int) -> list[tuple[float, float]]:
    """Return slope and intercept before each step against the gradient, and at the end."""
    return _path(lambda numbers: SGD(numbers, lr=0.1), steps)


def adam(steps: int) -> list[tuple[float, float]]:
    """Return the same for Adam."""
    return _path(lambda numbers: Adam(numbers, lr=0.1), steps)


def _path(
    optimizer_of: Callable[[Iterable[Tensor]], Optimizer], steps: int
) -> list[tuple[float, float]]:
    w, b = torch.zeros((), requires_grad=True), torch.zeros((), requires_grad=True)
    optimizer = optimizer_of([w, b])
    path = [(0.0, 0.0)]
    for _ in range(steps):
        optimizer.zero_grad()
        torch.autograd.backward(loss(w, b))
        optimizer.step()
        path.append((w.item(), b.item()))
    return path
