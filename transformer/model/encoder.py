"""The encoder: self-attention and a feed-forward network, N times."""

from collections.abc import Iterable

from jaxtyping import Float
from torch import Tensor, nn

from transformer.model.attention import Mask


class EncoderLayer(nn.Module):
    """Self-attention, then a feed-forward network, each with a residual connection (§3.1).

    The layer is made of the parts that it is given: each may be a class of your own.

    Args:
        self_attention: Called as `MultiHeadAttention` is.
        self_attention_norm: Normalizes states, such as `LayerNorm`.
        feed_forward: Takes states and returns states of the same shape.
        feed_forward_norm: Normalizes states.
        dropout: Probability of zeroing a number of a sub-layer's output (§5.4).
        norm_first: Normalize before each sub-layer (pre-norm) instead of after it.

    Example:
        >>> import torch
        >>> from transformer import LayerNorm, MultiHeadAttention, PositionwiseFeedForward
        >>> layer = EncoderLayer(
        ...     self_attention=MultiHeadAttention(d_model=8, num_heads=2),
        ...     self_attention_norm=LayerNorm(8),
        ...     feed_forward=PositionwiseFeedForward(d_model=8, d_ff=16),
        ...     feed_forward_norm=LayerNorm(8),
        ... )
        >>> layer(torch.zeros(1, 5, 8)).shape
        torch.Size([1, 5, 8])
    """

    def __init__(
        self,
        *,
        self_attention: nn.Module,
        self_attention_norm: nn.Module,
        feed_forward: nn.Module,
        feed_forward_norm: nn.Module,
        dropout: float = 0.1,
        norm_first: bool = False,
    ) -> None:
        super().__init__()
        self.self_attention = self_attention
        self.self_attention_norm = self_attention_norm
        self.feed_forward = feed_forward
        self.feed_forward_norm = feed_forward_norm
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

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
        """
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
        layers: The layers, from the first to the last.
        norm: Normalizes what the last layer returns, in a pre-norm stack.
    """

    def __init__(self, layers: Iterable[nn.Module], norm: nn.Module | None = None) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.norm = norm

    def forward(
        self, x: Float[Tensor, "batch src_len d_model"], mask: Mask | None = None
    ) -> Float[Tensor, "batch src_len d_model"]:
        """Run the layers one after the other.

        Args:
            x: Embedded source, shape `(batch, src_len, d_model)`.
            mask: As each layer takes it.

        Returns:
            The memory, shape `(batch, src_len, d_model)`.
        """
        for layer in self.layers:
            x = layer(x, mask)
        return x if self.norm is None else self.norm(x)
