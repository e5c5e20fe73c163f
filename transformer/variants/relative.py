"""Attention that knows how far apart two tokens are; nothing is added to the states."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer.model.attention import Mask, MultiHeadAttention
from transformer.model.cache import KeyValueCache


class RelativeAttention(MultiHeadAttention):
    """Base class of attentions that use distances; `crosses` says when there are none.

    A distance makes sense only within one text. In cross-attention, queries and keys come from two
    texts: there, subclasses compute what `MultiHeadAttention` does.

    Attributes:
        crosses: Whether the latest call was cross-attention.

    Example:
        >>> attention, x = RelativeAttention(d_model=8, num_heads=2), torch.zeros(1, 5, 8)
        >>> _ = attention(x, torch.zeros(1, 3, 8), torch.zeros(1, 3, 8))
        >>> attention.crosses
        True
    """

    crosses = False

    def forward(
        self,
        query: Float[Tensor, "batch q_len d_model"],
        key: Float[Tensor, "batch k_len d_model"],
        value: Float[Tensor, "batch k_len d_model"],
        mask: Mask | None = None,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch q_len d_model"]:
        """Note which of the two it is, then attend; see `MultiHeadAttention.forward`."""
        self.crosses = query is not key
        return super().forward(query, key, value, mask, cache)


class NoPositions(nn.Module):
    """Add nothing: for models whose attention knows the positions, or that have none.

    Args:
        d_model: Width of the states; not used.
        max_len: Longest sequence; not used: there is no table that ends.

    Example:
        >>> NoPositions(d_model=4, max_len=10)(torch.ones(1, 2, 4))
        tensor([[[1., 1., 1., 1.],
                 [1., 1., 1., 1.]]])
    """

    def __init__(self, d_model: int, max_len: int) -> None:
        super().__init__()

    def forward(
        self, x: Float[Tensor, "batch seq_len d_model"], start: int = 0
    ) -> Float[Tensor, "batch seq_len d_model"]:
        """Return the states as they are, whatever the position of the first."""
        return x


def distances(
    q_len: int, k_len: int, device: torch.device | None = None
) -> Int[Tensor, "q_len k_len"]:
    """Return how many tokens each key is before each query; the last query is at the last key.

    Args:
        q_len: Number of queries.
        k_len: Number of keys, cached ones among them.
        device: Where the tensor is made.

    Example:
        >>> distances(2, 4)
        tensor([[ 2,  1,  0, -1],
                [ 3,  2,  1,  0]])
    """
    keys = torch.arange(k_len, device=device)
    return keys[k_len - q_len :].unsqueeze(1) - keys
