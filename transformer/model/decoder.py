"""The decoder: masked self-attention, cross-attention and a feed-forward network, N times."""

from jaxtyping import Float
from torch import Tensor, nn

from transformer.arguments import check_flag, check_integer, check_number, check_states
from transformer.model.attention import Mask, MultiHeadAttention
from transformer.model.cache import DecoderCache, LayerCache
from transformer.model.feed_forward import PositionwiseFeedForward
from transformer.model.normalization import LayerNorm


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention to the memory, feed-forward network (§3.1).

    Args:
        d_model: Width of the states.
        num_heads: Number of heads.
        d_ff: Inner width of the feed-forward network.
        dropout: Probability of zeroing a number of a sub-layer's output (§5.4).
        norm_first: Normalize before each sub-layer (pre-norm) instead of after it.
        d_k: Width of a query and of a key in one head; `d_model // num_heads` when None.
        d_v: Width of a value in one head; `d_model // num_heads` when None.

    Raises:
        TypeError: If a value is of another type.
        ValueError: If a number is out of range, or `num_heads` does not divide `d_model` and a
            width is not given.

    Example:
        >>> import torch
        >>> layer = DecoderLayer(d_model=8, num_heads=2, d_ff=16)
        >>> layer(torch.zeros(1, 3, 8), memory=torch.zeros(1, 5, 8)).shape
        torch.Size([1, 3, 8])
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_ff: int,
        *,
        dropout: float = 0.1,
        norm_first: bool = False,
        d_k: int | None = None,
        d_v: int | None = None,
    ) -> None:
        super().__init__()
        check_flag("norm_first", norm_first)
        check_number("dropout", dropout, min=0, max=1)
        self.d_model = d_model
        self.norm_first = norm_first
        self.self_attention = MultiHeadAttention(d_model, num_heads, d_k=d_k, d_v=d_v)
        self.self_attention_norm = LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, d_k=d_k, d_v=d_v)
        self.cross_attention_norm = LayerNorm(d_model)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff)
        self.feed_forward_norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        x: Float[Tensor, "batch tgt_len d_model"],
        memory: Float[Tensor, "batch src_len d_model"],
        tgt_mask: Mask | None = None,
        src_mask: Mask | None = None,
        cache: LayerCache | None = None,
        is_causal: bool = False,
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
            is_causal: Whether `tgt_mask` is `causal_mask(tgt_len)`; it is then not given.

        Returns:
            New states, shape `(batch, tgt_len, d_model)`.

        Raises:
            TypeError: If states are not tensors of the layer's precision, or a mask is not
                boolean.
            ValueError: If states have another shape, or a mask does not broadcast to the scores.
        """
        check_states(self.d_model, x=x, memory=memory)
        own = None if cache is None else cache.self_attention
        cross = None if cache is None else cache.cross_attention
        if self.norm_first:
            y = self.self_attention_norm(x)
            x = x + self.dropout(self.self_attention(y, y, y, tgt_mask, own, is_causal))
            y = self.cross_attention_norm(x)
            x = x + self.dropout(self.cross_attention(y, memory, memory, src_mask, cross))
            return x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))
        y = self.self_attention(x, x, x, tgt_mask, own, is_causal)
        x = self.self_attention_norm(x + self.dropout(y))
        y = self.cross_attention(x, memory, memory, src_mask, cross)
        x = self.cross_attention_norm(x + self.dropout(y))
        return self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))


class Decoder(nn.Module):
    """A stack of decoder layers, each with weights of its own (§3.1).

    Post-norm stacks end with their last layer, as in the paper; pre-norm stacks end with one
    more normalization.

    Args:
        num_layers: Number of layers (N in the paper).
        d_model: Width of the states.
        num_heads: Number of heads.
        d_ff: Inner width of the feed-forward networks.
        dropout: Probability of zeroing a number of a sub-layer's output (§5.4).
        norm_first: Normalize before each sub-layer (pre-norm) instead of after it.
        d_k: Width of a query and of a key in one head; `d_model // num_heads` when None.
        d_v: Width of a value in one head; `d_model // num_heads` when None.

    Raises:
        TypeError: If a value is of another type.
        ValueError: If a number is out of range, or `num_heads` does not divide `d_model` and a
            width is not given.

    Example:
        >>> import torch
        >>> decoder = Decoder(num_layers=2, d_model=8, num_heads=2, d_ff=16)
        >>> decoder(torch.zeros(1, 3, 8), memory=torch.zeros(1, 5, 8)).shape
        torch.Size([1, 3, 8])
    """

    def __init__(
        self,
        num_layers: int,
        d_model: int,
        num_heads: int,
        d_ff: int,
        *,
        dropout: float = 0.1,
        norm_first: bool = False,
        d_k: int | None = None,
        d_v: int | None = None,
    ) -> None:
        super().__init__()
        check_integer("num_layers", num_layers, 1)
        self.layers = nn.ModuleList(
            DecoderLayer(
                d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first, d_k=d_k, d_v=d_v
            )
            for _ in range(num_layers)
        )
        self.norm = LayerNorm(d_model) if norm_first else None

    def forward(
        self,
        x: Float[Tensor, "batch tgt_len d_model"],
        memory: Float[Tensor, "batch src_len d_model"],
        tgt_mask: Mask | None = None,
        src_mask: Mask | None = None,
        cache: DecoderCache | None = None,
        is_causal: bool = False,
    ) -> Float[Tensor, "batch tgt_len d_model"]:
        """Run the layers one after the other; each of them looks at the same memory.

        Args:
            x: Embedded target, shape `(batch, tgt_len, d_model)`.
            memory: The encoder's output, shape `(batch, src_len, d_model)`.
            tgt_mask: Boolean, True = may be attended to; broadcasts to
                `(batch, num_heads, tgt_len, k_len)`, where `k_len` counts cached tokens too.
            src_mask: Boolean, True = may be attended to; broadcasts to
                `(batch, num_heads, tgt_len, src_len)`.
            cache: Keys and values of earlier calls; `x` then holds only the new states.
            is_causal: Whether `tgt_mask` is `causal_mask(tgt_len)`; it is then not given.

        Returns:
            States, shape `(batch, tgt_len, d_model)`.
        """
        caches = [None] * len(self.layers) if cache is None else cache.layers
        for layer, layer_cache in zip(self.layers, caches):
            x = layer(x, memory, tgt_mask, src_mask, layer_cache, is_causal)
        return x if self.norm is None else self.norm(x)
