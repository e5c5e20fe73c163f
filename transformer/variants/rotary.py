"""Rotary positions: queries and keys are turned, and nothing is added to the states."""

import torch
from jaxtyping import Float
from torch import Tensor

from transformer.arguments import ArgumentError
from transformer.model.attention import Mask
from transformer.variants.relative import RelativeAttention


def rotate(
    x: Float[Tensor, "*batch seq_len width"], start: int = 0
) -> Float[Tensor, "*batch seq_len width"]:
    """Turn each pair of features by the position times the speed of that pair.

    The speeds are those of the sinusoidal encoding: 1 for the first pair, towards 1/10000.

    Args:
        x: Queries or keys of a head, shape `(..., seq_len, width)`.
        start: Position of the first one.

    Raises:
        ValueError: If the width is odd.

    Example:
        >>> rotate(torch.tensor([[1.0, 0.0], [1.0, 0.0]]))  # by 0 and by 1 radian
        tensor([[1.0000, 0.0000],
                [0.5403, 0.8415]])
    """
    seq_len, width = x.shape[-2:]
    if width % 2:
        raise ArgumentError("d_k", f"must be even for rotary positions: got {width}")
    exact = torch.promote_types(x.dtype, torch.float32)  # half precision has no 257
    position = torch.arange(start, start + seq_len, dtype=exact, device=x.device).unsqueeze(1)
    even = torch.arange(0, width, 2, dtype=exact, device=x.device)
    angle = position / 10000 ** (even / width)  # (seq_len, width / 2)
    a, b, cos, sin = x[..., ::2], x[..., 1::2], angle.cos(), angle.sin()
    turned = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
    return turned.flatten(-2).to(x.dtype)


class RotaryAttention(RelativeAttention):
    """Self-attention whose scores depend on how far apart query and key are (RoPE).

    From Su et al. 2021, arXiv:2104.09864. The cache holds keys that are not turned yet, so a step
    turns all of them; libraries turn a key once, before they store it. Without a table there is no
    longest sequence. Use it with `NoPositions`.

    Example:
        >>> from transformer import Transformer, TransformerConfig
        >>> from transformer.variants import NoPositions
        >>> config = TransformerConfig(9, 9, d_model=8, num_heads=2, d_ff=16)
        >>> model = Transformer(config, attention=RotaryAttention, position=NoPositions)
        >>> model(torch.tensor([[5, 6, 2]]), torch.tensor([[1, 7]])).shape
        torch.Size([1, 2, 9])
    """

    def attend(
        self,
        q: Float[Tensor, "batch num_heads q_len d_k"],
        k: Float[Tensor, "batch key_heads k_len d_k"],
        v: Float[Tensor, "batch key_heads k_len d_v"],
        mask: Mask | None,
    ) -> Float[Tensor, "batch num_heads q_len d_v"]:
        """Turn the queries and all keys, then attend; see `MultiHeadAttention.attend`."""
        if not self.crosses:
            q, k = rotate(q, k.size(2) - q.size(2)), rotate(k)
        return super().attend(q, k, v, mask)
