"""ALiBi: a score loses a little for every token between query and key."""

import math

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from transformer.model.attention import Mask
from transformer.variants.relative import RelativeAttention, distances


def slopes(num_heads: int) -> Float[Tensor, " num_heads"]:
    """Return what a score loses for each token of distance: less in every further head.

    Args:
        num_heads: Number of heads.

    Example:
        >>> slopes(4)
        tensor([0.2500, 0.0625, 0.0156, 0.0039])
    """
    return 2.0 ** (-8 * torch.arange(1, num_heads + 1) / num_heads)


class AlibiAttention(RelativeAttention):
    """Self-attention with linear biases: the further a key, the lower its score.

    From Press et al. 2021, arXiv:2108.12409, whose model reads to the left alone; where an
    encoder reads both ways, distance counts on both sides. Use it with `NoPositions`. When a class
    inherits from several attentions, this one comes last: it calls the kernel itself.

    Example:
        >>> attention, x = AlibiAttention(d_model=8, num_heads=2), torch.zeros(1, 5, 8)
        >>> attention(x, x, x).shape
        torch.Size([1, 5, 8])
    """

    def attend(
        self,
        q: Float[Tensor, "batch num_heads q_len d_k"],
        k: Float[Tensor, "batch num_heads k_len d_k"],
        v: Float[Tensor, "batch num_heads k_len d_v"],
        mask: Mask | None,
    ) -> Float[Tensor, "batch num_heads q_len d_v"]:
        """Attend with the biases added to the scores; see `MultiHeadAttention.attend`."""
        if self.crosses:
            return super().attend(q, k, v, mask)
        slope = slopes(self.num_heads).to(q)[:, None, None]
        bias = -slope * distances(q.size(2), k.size(2), q.device).abs()  # (num_heads, q_len, k_len)
        if mask is not None:
            bias = bias.masked_fill(~mask, -math.inf)
        bias = bias.expand(q.size(0), -1, -1, -1)
        return F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
