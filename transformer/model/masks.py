"""Boolean masks: True = may be attended to."""

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from transformer.arguments import check_ids, check_integer


def padding_mask(ids: Int[Tensor, "batch k_len"], pad_id: int) -> Bool[Tensor, "batch 1 1 k_len"]:
    """Let every query attend to the keys that are not padding.

    Args:
        ids: Token ids of the keys, shape `(batch, k_len)`.
        pad_id: The id that stands for padding.

    Returns:
        Shape `(batch, 1, 1, k_len)`: the two 1s broadcast over heads and queries.

    Raises:
        TypeError: If `ids` is not a tensor of integers, or `pad_id` is not an integer.
        ValueError: If `ids` does not have two dimensions, or `pad_id` is below 0.

    Example:
        >>> padding_mask(torch.tensor([[7, 5, 0]]), pad_id=0)
        tensor([[[[ True,  True, False]]]])
    """
    check_ids("ids", ids)
    check_integer("pad_id", pad_id, min=0)
    return (ids != pad_id)[:, None, None, :]


def causal_mask(n: int, device: torch.device | None = None) -> Bool[Tensor, "1 1 n n"]:
    """Let position i attend to positions 0 to i: itself and what came before (§3.2.3).

    Args:
        n: Length of the sequence.
        device: Where the mask is made; PyTorch's default device when None.

    Returns:
        Shape `(1, 1, n, n)`: row i is the query, column j the key.

    Raises:
        TypeError: If `n` is not an integer.
        ValueError: If `n` is below 1.

    Example:
        >>> causal_mask(3)[0, 0]
        tensor([[ True, False, False],
                [ True,  True, False],
                [ True,  True,  True]])
    """
    if not torch.compiler.is_compiling():
        check_integer("n", n, min=1)
    return torch.ones(n, n, dtype=torch.bool, device=device).tril()[None, None]
