"""What training minimizes: cross-entropy against smoothed targets (§5.4)."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer.arguments import check_number

REDUCTIONS = ("mean", "sum")


def label_smoothed_cross_entropy(
    logits: Float[Tensor, "*batch vocab_size"],
    target: Int[Tensor, "*batch"],
    smoothing: float = 0.1,
    pad_id: int = 0,
    reduction: str = "mean",
) -> Float[Tensor, ""]:
    """Return the cross-entropy against smoothed targets, over real tokens alone (§5.4).

    The right id gets `1 - smoothing` of the probability, and `smoothing` is spread evenly over
    the whole vocabulary, the right id and padding included. PyTorch's `F.cross_entropy` with
    `label_smoothing` and `ignore_index` gives the same number. Two things differ: a batch of
    padding alone costs 0, where PyTorch's mean is nan; and half-precision logits are summed in
    float32.

    Args:
        logits: Scores of every id, shape `(batch, tgt_len, vocab_size)`.
        target: The right ids, shape `(batch, tgt_len)`; `pad_id` where there is none.
        smoothing: Share of the probability that is spread, at least 0 and below 1 (ε_ls).
        pad_id: The id that does not count.
        reduction: `"mean"` over real tokens, or their `"sum"`.

    Returns:
        The loss in nats, a scalar.

    Raises:
        TypeError: If `logits` are not floating-point numbers, or `target` is not integers.
        ValueError: If `target` is not one id for each row of `logits`, an id is outside the
            vocabulary, or `smoothing` or `reduction` is none of these.

    Example:
        >>> logits = torch.tensor([[[0.0, 2.0, 1.0], [9.0, 9.0, 9.0]]])
        >>> target = torch.tensor([[1, 0]])  # one token, then padding
        >>> label_smoothed_cross_entropy(logits, target, smoothing=0.0)
        tensor(0.4076)
        >>> label_smoothed_cross_entropy(logits, target, smoothing=0.1)
        tensor(0.5076)
    """
    check_number("smoothing", smoothing, min=0, lt=1)
    if reduction not in REDUCTIONS:
        raise ValueError(f"reduction must be one of {REDUCTIONS}: got {reduction!r}")
    _check_target(logits, target)
    precision = torch.promote_types(logits.dtype, torch.float32)
    log_probabilities = logits.log_softmax(-1, dtype=precision)
    right = log_probabilities.gather(-1, target.long().unsqueeze(-1)).squeeze(-1)
    spread = log_probabilities.mean(-1)
    losses = -((1 - smoothing) * right + smoothing * spread)  # one for each token
    real = target != pad_id
    total = losses.masked_fill(~real, 0).sum()
    return total if reduction == "sum" else total / real.sum().clamp(min=1)


def _check_target(logits: Tensor, target: Tensor) -> None:
    for name, value in (("logits", logits), ("target", target)):
        if not isinstance(value, Tensor):
            raise TypeError(f"{name} must be a tensor: got {type(value).__name__}")
    if not logits.is_floating_point():
        raise TypeError(f"logits must be a floating-point tensor: got {logits.dtype}")
    if target.dtype not in (torch.int64, torch.int32):
        raise TypeError(f"target must be int64 or int32: got {target.dtype}")
    if target.shape != logits.shape[:-1]:
        raise ValueError(
            "target must have an id for each row of logits, "
            f"shape {tuple(logits.shape[:-1])}: got {tuple(target.shape)}"
        )
    if not torch.compiler.is_compiling() and target.is_cpu and target.numel():
        low, high = int(target.min()), int(target.max())
        if low < 0 or high >= logits.size(-1):
            raise ValueError(
                f"target must hold ids from 0 to {logits.size(-1) - 1}: "
                f"got {low if low < 0 else high}"
            )
