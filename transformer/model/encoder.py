"""The encoder: self-attention and a feed-forward network, N times."""

from jaxtyping import Float
from torch import Tensor, nn

from transformer.arguments import check_flag, check_integer, check_number, check_states
from transformer.model.attention import Mask, MultiHeadAttention
from transformer.model.feed_forward import PositionwiseFeedForward
from transformer.model.normalization import LayerNorm


class EncoderLayer(nn.Module):
    """Self-attention, then a feed-forward network, each with a residual connection (§3.1).

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
        >>> layer = EncoderLayer(d_model=8, num_heads=2, d_ff=16)
        >>> layer(torch.zeros(1, 5, 8)).shape
        torch.Size([1, 5, 8])
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
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff)
        self.feed_forward_norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, x: Float[Tensor, "batch src_len d_model"], mask: Mask | None = None
    ) -> Float[Tensor, "batch src_len d_model"]:
        """Run the two sub-layers.

        Args:
            x: States, shape `(batch, src_len, d_model)`.
            mask: Boolean, True = may be attended to; broadcasts to
                `(batch, num_heads, src_len, src_len)`.

        Returns:
            New states of the same shape.

        Raises:
            TypeError: If states are not tensors of the layer's precision, or a mask is not
                boolean.
            ValueError: If states have another shape, or a mask does not broadcast to the scores.
        """
        check_states(self.d_model, x=x)
        if self.norm_first:
            y = self.self_attention_norm(x)
            x = x + self.dropout(self.self_attention(y, y, y, mask))
            return x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))
        x = self.self_attention_norm(x + self.dropout(self.self_attention(x, x, x, mask)))
        return self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))


class Encoder(nn.Module):
    """A stack of encoder layers, each with weights of its own (§3.1).

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
        >>> encoder = Encoder(num_layers=2, d_model=8, num_heads=2, d_ff=16)
        >>> encoder(torch.zeros(1, 5, 8)).shape
        torch.Size([1, 5, 8])
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
            EncoderLayer(
                d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first, d_k=d_k, d_v=d_v
            )
            for _ in range(num_layers)
        )
        self.norm = LayerNorm(d_model) if norm_first else None

    def forward(
        self, x: Float[Tensor, "batch src_len d_model"], mask: Mask | None = None
    ) -> Float[Tensor, "batch src_len d_model"]:
        """Run the layers one after the other.

        Args:
            x: Embedded source, shape `(batch, src_len, d_model)`.
            mask: Boolean, True = may be attended to; broadcasts to
                `(batch, num_heads, src_len, src_len)`.

        Returns:
            The memory, shape `(batch, src_len, d_model)`.
        """
        for layer in self.layers:
            x = layer(x, mask)
        return x if self.norm is None else self.norm(x)
