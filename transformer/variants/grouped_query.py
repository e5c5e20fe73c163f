"""Grouped queries: several heads of queries share one head of keys and values."""

from jaxtyping import Float
from torch import Tensor, nn

from transformer.arguments import ArgumentError
from transformer.model.attention import Mask, MultiHeadAttention


class GroupedQueryAttention(MultiHeadAttention):
    """Attention with fewer heads of keys and values than of queries, and a smaller cache.

    From Ainslie et al. 2023, arXiv:2305.13245. With one head of keys it is multi-query attention
    (Shazeer, arXiv:1911.02150), with as many as of queries `MultiHeadAttention`.

    Args:
        d_model: Width of the states.
        num_heads: Number of heads of queries.
        key_heads: Number of heads of keys, and of values.
        **widths: `d_k` and `d_v`, as in `MultiHeadAttention`.

    Raises:
        ValueError: If `key_heads` does not divide `num_heads`.

    Example:
        >>> import torch
        >>> from transformer.model.cache import KeyValueCache
        >>> x, cache = torch.zeros(1, 5, 8), KeyValueCache(grows=True)
        >>> attention = GroupedQueryAttention(d_model=8, num_heads=4, key_heads=1)
        >>> attention(x, x, x, cache=cache).shape, cache.entries[0].shape
        (torch.Size([1, 5, 8]), torch.Size([1, 1, 5, 2]))
    """

    def __init__(
        self, d_model: int, num_heads: int, *, key_heads: int = 2, **widths: int | None
    ) -> None:
        super().__init__(d_model, num_heads, **widths)
        if key_heads < 1 or num_heads % key_heads:
            got = f"got num_heads={num_heads}, key_heads={key_heads}"
            raise ArgumentError("key_heads", f"must divide num_heads: {got}")
        self.group = num_heads // key_heads  # heads of queries to one of keys
        self.k_proj = nn.Linear(d_model, key_heads * self.d_k)
        self.v_proj = nn.Linear(d_model, key_heads * self.d_v)

    def attend(
        self,
        q: Float[Tensor, "batch num_heads q_len d_k"],
        k: Float[Tensor, "batch key_heads k_len d_k"],
        v: Float[Tensor, "batch key_heads k_len d_v"],
        mask: Mask | None,
    ) -> Float[Tensor, "batch num_heads q_len d_v"]:
        """Give each head of queries its keys and values; see `MultiHeadAttention.attend`."""
        k, v = (x.repeat_interleave(self.group, dim=1) for x in (k, v))
        return super().attend(q, k, v, mask)
