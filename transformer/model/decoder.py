"""The decoder: masked self-attention, cross-attention and a feed-forward network, N times."""

from collections.abc import Iterable

from jaxtyping import Float
from torch import Tensor, nn

from transformer.model.attention import Mask
from transformer.model.cache import DecoderCache, LayerCache


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention to the memory, feed-forward network (§3.1).

    The layer is made of the parts that it is given: each may be a class of your own.

    Args:
        self_attention: Called as `MultiHeadAttention` is.
        self_attention_norm: Normalizes states, such as `LayerNorm`.
        cross_attention: Called as `MultiHeadAttention` is.
        cross_attention_norm: Normalizes states.
        feed_forward: Takes states and returns states of the same shape.
        feed_forward_norm: Normalizes states.
        dropout: Probability of zeroing a number of a sub-layer's output (§5.4).
        norm_first: Normalize before each sub-layer (pre-norm) instead of after it.

    Example:
        >>> import torch
        >>> from transformer import LayerNorm, MultiHeadAttention, PositionwiseFeedForward
        >>> layer = DecoderLayer(
        ...     self_attention=MultiHeadAttention(d_model=8, num_heads=2),
        ...     self_attention_norm=LayerNorm(8),
        ...     cross_attention=MultiHeadAttention(d_model=8, num_heads=2),
        ...     cross_attention_norm=LayerNorm(8),
        ...     feed_forward=PositionwiseFeedForward(d_model=8, d_ff=16),
        ...     feed_forward_norm=LayerNorm(8),
        ... )
        >>> layer(torch.zeros(1, 3, 8), memory=torch.zeros(1, 5, 8)).shape
        torch.Size([1, 3, 8])
    """

    def __init__(
        self,
        *,
        self_attention: nn.Module,
        self_attention_norm: nn.Module,
        cross_attention: nn.Module,
        cross_attention_norm: nn.Module,
        feed_forward: nn.Module,
        feed_forward_norm: nn.Module,
        dropout: float = 0.1,
        norm_first: bool = False,
    ) -> None:
        super().__init__()
        self.self_attention = self_attention
        self.self_attention_norm = self_attention_norm
        self.cross_attention = cross_attention
        self.cross_attention_norm = cross_attention_norm
        self.feed_forward = feed_forward
        self.feed_forward_norm = feed_forward_norm
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(
        self,
        x: Float[Tensor, "batch tgt_len d_model"],
        memory: Float[Tensor, "batch src_len d_model"],
        tgt_mask: Mask | None = None,
        src_mask: Mask | None = None,
        cache: LayerCache | None = None,
    ) -> Float[Tensor, "batch tgt_len d_model"]:
        """Run the three sub-layers.

        Args:
            x: States, shape `(batch, tgt_len, d_model)`.
            memory: The encoder's output, shape `(batch, src_len, d_model)`.
            tgt_mask: Boolean, True = may be attended to; broadcasts to
                `(batch, num_heads, tgt_len, k_len)`, where `k_len` counts cached tokens too.
            src_mask: Boolean, True = may be attended to; broadcasts to
                `(batch, num_heads, tgt_len, src_len)`.
            cache: Keys and values of earlier calls; `x` then holds only the new states.

        Returns:
            New states, shape `(batch, tgt_len, d_model)`.
        """
        own = None if cache is None else cache.self_attention
        cross = None if cache is None else cache.cross_attention
        if self.norm_first:
            y = self.self_attention_norm(x)
            x = x + self.dropout(self.self_attention(y, y, y, tgt_mask, own))
            y = self.cross_attention_norm(x)
            x = x + self.dropout(self.cross_attention(y, memory, memory, src_mask, cross))
            return x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))
        y = self.self_attention(x, x, x, tgt_mask, own)
        x = self.self_attention_norm(x + self.dropout(y))
        y = self.cross_attention(x, memory, memory, src_mask, cross)
        x = self.cross_attention_norm(x + self.dropout(y))
        return self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))


class Decoder(nn.Module):
    """A stack of decoder layers, each with weights of its own (§3.1).

    It ends as `Encoder` does.

    Args:
        layers: The layers, from the first to the last.
        norm: Normalizes what the last layer returns, in a pre-norm stack.
    """

    def __init__(self, layers: Iterable[nn.Module], norm: nn.Module | None = None) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.norm = norm

    def forward(
        self,
        x: Float[Tensor, "batch tgt_len d_model"],
        memory: Float[Tensor, "batch src_len d_model"],
        tgt_mask: Mask | None = None,
        src_mask: Mask | None = None,
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "batch tgt_len d_model"]:
        """Run the layers one after the other; each of them looks at the same memory.

        Args:
            x: Embedded target, shape `(batch, tgt_len, d_model)`.
            memory: The encoder's output, shape `(batch, src_len, d_model)`.
            tgt_mask: As each layer takes it.
            src_mask: As each layer takes it.
            cache: Keys and values of earlier calls; `x` then holds only the new states.

        Returns:
            States, shape `(batch, tgt_len, d_model)`.
        """
        caches = [None] * len(self.layers) if cache is None else cache.layers
        for layer, layer_cache in zip(self.layers, caches):
            x = layer(x, memory, tgt_mask, src_mask, layer_cache)
        if cache is not None:
            cache.length += x.size(1)
        return x if self.norm is None else self.norm(x)
