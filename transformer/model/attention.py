"""Attention: the formula written out, and three ways to run many heads at once."""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from transformer.arguments import check_mask
from transformer.model.cache import KeyValueCache
from transformer.model.config import head_widths

Mask = Bool[Tensor, "..."]


def attention_scores(
    query: Float[Tensor, "*batch q_len d_k"], key: Float[Tensor, "*batch k_len d_k"]
) -> Float[Tensor, "*batch q_len k_len"]:
    """Compare every query with every key: dot products divided by √dₖ (§3.2.1).

    Args:
        query: Shape `(..., q_len, d_k)`.
        key: Shape `(..., k_len, d_k)`.

    Returns:
        Scores, shape `(..., q_len, k_len)`: one row a query, one column a key.

    Example:
        >>> query = torch.tensor([[2.0, 0.0, 0.0, 0.0]])
        >>> key = torch.tensor([[3.0, 0.0, 0.0, 0.0], [0.0, 5.0, 0.0, 0.0]])
        >>> attention_scores(query, key)
        tensor([[3., 0.]])
    """
    return query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))


def attention_weights(
    scores: Float[Tensor, "*batch q_len k_len"], mask: Mask | None = None
) -> Float[Tensor, "*batch q_len k_len"]:
    """Turn each row of scores into weights that sum to 1: the softmax of eq. 1.

    Args:
        scores: Shape `(..., q_len, k_len)`.
        mask: Boolean, True = may be attended to; broadcasts to the scores.

    Returns:
        Weights of the same shape. A row with nothing to attend to is all zero.

    Raises:
        TypeError: If the mask is not boolean.
        ValueError: If the mask does not broadcast to the scores.

    Example:
        >>> attention_weights(torch.zeros(1, 3), mask=torch.tensor([True, True, False]))
        tensor([[0.5000, 0.5000, 0.0000]])
    """
    if mask is None:
        return scores.softmax(dim=-1)
    check_mask(mask, scores.shape)
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights.masked_fill(~mask, 0)  # a row of -inf alone came out as NaN


def scaled_dot_product_attention(
    query: Float[Tensor, "*batch q_len d_k"],
    key: Float[Tensor, "*batch k_len d_k"],
    value: Float[Tensor, "*batch k_len d_v"],
    mask: Mask | None = None,
) -> tuple[Float[Tensor, "*batch q_len d_v"], Float[Tensor, "*batch q_len k_len"]]:
    """Average the values, weighted by how well each key answers the query (§3.2.1, eq. 1).

    The formula written out, for reading. `MultiHeadAttention` runs PyTorch's fused kernel.

    Args:
        query: Shape `(..., q_len, d_k)`.
        key: Shape `(..., k_len, d_k)`.
        value: Shape `(..., k_len, d_v)`.
        mask: Boolean, True = may be attended to; broadcasts to `(..., q_len, k_len)`.

    Returns:
        The output, shape `(..., q_len, d_v)`, and the weights, shape `(..., q_len, k_len)`.

    Example:
        >>> query = torch.tensor([[1.0, 0.0]])
        >>> key = torch.tensor([[0.0, 1.0], [0.0, 1.0]])
        >>> value = torch.tensor([[10.0], [20.0]])
        >>> output, weights = scaled_dot_product_attention(query, key, value)
        >>> weights
        tensor([[0.5000, 0.5000]])
        >>> output
        tensor([[15.]])
    """
    scores = attention_scores(query, key)
    weights = attention_weights(scores, mask)
    return weights @ value, weights


class MultiHeadAttention(nn.Module):
    """Several attentions side by side, each on its own projection of the states (§3.2.2).

    Self-attention, masked self-attention and cross-attention are this one class: only the
    arguments differ. It runs PyTorch's fused kernel, which does not keep the weights;
    `record_attention` collects them. The paper writes the projections without a bias; these
    have one, as `nn.MultiheadAttention` does.

    Args:
        d_model: Width of the states.
        num_heads: Number of heads.
        d_k: Width of a query and of a key in one head; `d_model // num_heads` when None.
        d_v: Width of a value in one head; `d_model // num_heads` when None.

    Raises:
        ValueError: If `num_heads` does not divide `d_model` and a width is not given.

    Example:
        >>> attention = MultiHeadAttention(d_model=8, num_heads=2)
        >>> x = torch.zeros(1, 5, 8)
        >>> attention(x, x, x).shape
        torch.Size([1, 5, 8])
    """

    def __init__(
        self, d_model: int, num_heads: int, *, d_k: int | None = None, d_v: int | None = None
    ) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.d_k, self.d_v = head_widths(d_model, num_heads, d_k, d_v)
        self.q_proj = nn.Linear(d_model, num_heads * self.d_k)
        self.k_proj = nn.Linear(d_model, num_heads * self.d_k)
        self.v_proj = nn.Linear(d_model, num_heads * self.d_v)
        self.out_proj = nn.Linear(num_heads * self.d_v, d_model)

    def forward(
        self,
        query: Float[Tensor, "batch q_len d_model"],
        key: Float[Tensor, "batch k_len d_model"],
        value: Float[Tensor, "batch k_len d_model"],
        mask: Mask | None = None,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch q_len d_model"]:
        """Project, attend in every head, join the heads and project once more.

        Args:
            query: States that ask, shape `(batch, q_len, d_model)`.
            key: States that are compared with, shape `(batch, k_len, d_model)`.
            value: States that are averaged, shape `(batch, k_len, d_model)`.
            mask: Boolean, True = may be attended to; broadcasts to
                `(batch, num_heads, q_len, k_len)`, where `k_len` counts cached keys too.
            cache: Keys and values of earlier calls; `key` and `value` are then the new ones.

        Returns:
            New states, shape `(batch, q_len, d_model)`.
        """
        q = self.split_heads(self.q_proj(query), self.d_k)  # (batch, num_heads, q_len, d_k)
        known = None if cache is None else cache.fixed
        if known is not None:
            k, v = known
        else:
            k = self.split_heads(self.k_proj(key), self.d_k)  # (batch, num_heads, k_len, d_k)
            v = self.split_heads(self.v_proj(value), self.d_v)  # (batch, num_heads, k_len, d_v)
            if cache is not None:
                k, v = cache.add(k, v)
        heads = self.attend(q, k, v, mask)  # (batch, num_heads, q_len, d_v)
        return self.out_proj(self.concatenate_heads(heads))

    def split_heads(
        self, x: Float[Tensor, "batch seq_len joined"], width: int
    ) -> Float[Tensor, "batch num_heads seq_len width"]:
        """Cut the last dimension into heads and put the heads before the positions.

        Args:
            x: Projected states, shape `(batch, seq_len, num_heads * width)`.
            width: Width of one head.

        Returns:
            Shape `(batch, num_heads, seq_len, width)`.
        """
        batch, seq_len, _ = x.shape
        return x.view(batch, seq_len, -1, width).transpose(1, 2)

    def attend(
        self,
        q: Float[Tensor, "batch num_heads q_len d_k"],
        k: Float[Tensor, "batch num_heads k_len d_k"],
        v: Float[Tensor, "batch num_heads k_len d_v"],
        mask: Mask | None,
    ) -> Float[Tensor, "batch num_heads q_len d_v"]:
        """Attend in every head at once: the step in which the three classes differ.

        Args:
            q: Queries, shape `(batch, num_heads, q_len, d_k)`.
            k: Keys, shape `(batch, num_heads, k_len, d_k)`.
            v: Values, shape `(batch, num_heads, k_len, d_v)`.
            mask: Boolean, True = may be attended to.

        Returns:
            One output a head, shape `(batch, num_heads, q_len, d_v)`.
        """
        if mask is not None and mask.dim() < 4:
            mask = mask[(None,) * (4 - mask.dim())]  # the kernel wants all four dimensions
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)

    def concatenate_heads(
        self, heads: Float[Tensor, "batch num_heads seq_len width"]
    ) -> Float[Tensor, "batch seq_len joined"]:
        """Put the heads of each position back side by side: Concat(head_1, …, head_h).

        Args:
            heads: Shape `(batch, num_heads, seq_len, width)`.

        Returns:
            Shape `(batch, seq_len, num_heads * width)`.
        """
        return heads.transpose(1, 2).flatten(2)


class ExplicitMultiHeadAttention(MultiHeadAttention):
    """`MultiHeadAttention` with the formula written out, all heads in one product.

    Example:
        >>> fused, explicit = MultiHeadAttention(8, 2), ExplicitMultiHeadAttention(8, 2)
        >>> explicit.load_state_dict(fused.state_dict())
        <All keys matched successfully>
        >>> x = torch.randn(1, 5, 8, generator=torch.Generator().manual_seed(0))
        >>> torch.allclose(explicit(x, x, x), fused(x, x, x), atol=1e-6)
        True
    """

    def attend(
        self,
        q: Float[Tensor, "batch num_heads q_len d_k"],
        k: Float[Tensor, "batch num_heads k_len d_k"],
        v: Float[Tensor, "batch num_heads k_len d_v"],
        mask: Mask | None,
    ) -> Float[Tensor, "batch num_heads q_len d_v"]:
        """Attend in every head at once, by the formula; see `MultiHeadAttention.attend`."""
        output, _ = scaled_dot_product_attention(q, k, v, mask)
        return output


class LoopedMultiHeadAttention(MultiHeadAttention):
    """`MultiHeadAttention` one head at a time: the definition of §3.2.2, word for word."""

    def attend(
        self,
        q: Float[Tensor, "batch num_heads q_len d_k"],
        k: Float[Tensor, "batch num_heads k_len d_k"],
        v: Float[Tensor, "batch num_heads k_len d_v"],
        mask: Mask | None,
    ) -> Float[Tensor, "batch num_heads q_len d_v"]:
        """Attend in one head after the other; see `MultiHeadAttention.attend`."""
        if mask is not None:
            mask = mask.expand(*q.shape[:3], k.size(2))
        heads = []
        for head in range(self.num_heads):
            head_mask = None if mask is None else mask[:, head]
            output, _ = scaled_dot_product_attention(q[:, head], k[:, head], v[:, head], head_mask)
            heads.append(output)
        return torch.stack(heads, dim=1)
