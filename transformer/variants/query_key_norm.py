"""Query-key normalization: no query and no key is long, so no score is large."""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from transformer.model.attention import Mask, MultiHeadAttention


class QueryKeyNormAttention(MultiHeadAttention):
    """Attention that gives every query and key the same length, times a learned gain.

    From Henry et al. 2020, arXiv:2010.04245, who learn one factor for the scores; Dehghani et al.
    2023 (arXiv:2302.05442) kept a large model from diverging with it. Here the mean square of a
    query and of a key is 1, so a score is at most √dₖ, times the gain of the head. Turning a key
    does not change its length: rotary positions may come before or after.

    Args:
        d_model: Width of the states.
        num_heads: Number of heads.
        **widths: `d_k` and `d_v`, as in `MultiHeadAttention`.

    Example:
        >>> attention, x = QueryKeyNormAttention(d_model=8, num_heads=2), torch.zeros(1, 5, 8)
        >>> attention(x, x, x).shape, attention.gain.shape
        (torch.Size([1, 5, 8]), torch.Size([2, 1, 1]))
    """

    def __init__(self, d_model: int, num_heads: int, **widths: int | None) -> None:
        super().__init__(d_model, num_heads, **widths)
        self.gain = nn.Parameter(torch.ones(num_heads, 1, 1))

    def attend(
        self,
        q: Float[Tensor, "batch num_heads q_len d_k"],
        k: Float[Tensor, "batch key_heads k_len d_k"],
        v: Float[Tensor, "batch key_heads k_len d_v"],
        mask: Mask | None,
    ) -> Float[Tensor, "batch num_heads q_len d_v"]:
        """Normalize queries and keys, then attend; see `MultiHeadAttention.attend`."""
        q, k = (F.rms_norm(x, x.shape[-1:]) for x in (q, k))
        return super().attend(q * self.gain, k, v, mask)
