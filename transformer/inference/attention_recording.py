"""The attention weights of a model, collected while it runs."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer.arguments import ArgumentTypeError
from transformer.model.attention import MultiHeadAttention, attention_scores, attention_weights

Weights = Float[Tensor, "batch num_heads q_len k_len"]


@contextmanager
def record_attention(model: nn.Module) -> Iterator[dict[str, list[Weights]]]:
    """Collect the attention weights of every attention in `model` while the block runs.

    The outputs stay those of the fused kernel; the weights are computed beside it, by the
    formula, and detached.

    Args:
        model: Any module with `MultiHeadAttention` in it.

    Yields:
        For each attention, by its name in the model (`encoder.layers.0.self_attention`), a
            list with one tensor a call, shape `(batch, num_heads, q_len, k_len)`.

    Raises:
        TypeError: If `model` is not a module.
        ValueError: If the model has no `MultiHeadAttention`.
        RuntimeError: If the model is being recorded already.

    Example:
        >>> attention = MultiHeadAttention(d_model=8, num_heads=2)
        >>> x = torch.zeros(1, 3, 8)
        >>> with record_attention(nn.ModuleDict({"self_attention": attention})) as weights:
        ...     _ = attention(x, x, x)
        >>> weights["self_attention"][0].shape
        torch.Size([1, 2, 3, 3])
    """
    if not isinstance(model, nn.Module):
        raise ArgumentTypeError("model", f"must be an nn.Module: got {type(model).__name__}")
    attentions = {
        name: module
        for name, module in model.named_modules()
        if isinstance(module, MultiHeadAttention)
    }
    if not attentions:
        raise ValueError(f"model must contain a MultiHeadAttention: got {type(model).__name__}")
    if any("attend" in vars(module) for module in attentions.values()):
        raise RuntimeError("record_attention is recording this model already: use its result")
    records: dict[str, list[Weights]] = {name: [] for name in attentions}
    for name, module in attentions.items():
        _watch(module, records[name])
    try:
        yield records
    finally:
        for module in attentions.values():
            del module.attend  # the class's own method shows again


def _watch(module: MultiHeadAttention, record: list[Weights]) -> None:
    attend = module.attend

    def attend_and_record(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        with torch.no_grad():
            record.append(attention_weights(attention_scores(q, k), mask))
        return attend(q, k, v, mask)

    module.attend = attend_and_record  # type: ignore[method-assign]
