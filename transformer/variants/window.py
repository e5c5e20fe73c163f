"""A sliding window: each token sees its neighbours, and a few tokens at the beginning."""

from jaxtyping import Float
from torch import Tensor

from transformer.arguments import check_integer
from transformer.model.attention import Mask
from transformer.variants.relative import RelativeAttention, distances


class SlidingWindowAttention(RelativeAttention):
    """Self-attention to near keys and to the first ones, the attention sinks.

    The window is that of Beltagy et al. 2020 (Longformer, arXiv:2004.05150). Xiao et al. 2023
    (arXiv:2309.17453) found that models give much weight to the first tokens, whatever they are,
    and fail when a window drops them. So a cache needs `window_size + sinks` keys, however long the
    text; ours keeps all, and a mask hides the rest.

    Args:
        d_model: Width of the states.
        num_heads: Number of heads.
        window_size: Keys that a query sees on its left, itself among them; as many on its right,
            where a mask does not hide them.
        sinks: First keys, which all queries see.
        **widths: `d_k` and `d_v`, as in `MultiHeadAttention`.

    Raises:
        ValueError: If `window_size` is below 1, or `sinks` below 0.

    Example:
        >>> from transformer import causal_mask
        >>> attention = SlidingWindowAttention(8, num_heads=2, window_size=2, sinks=1)
        >>> (attention.near(5, 5) & causal_mask(5)[0, 0]).int()
        tensor([[1, 0, 0, 0, 0],
                [1, 1, 0, 0, 0],
                [1, 1, 1, 0, 0],
                [1, 0, 1, 1, 0],
                [1, 0, 0, 1, 1]], dtype=torch.int32)
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        *,
        window_size: int = 8,
        sinks: int = 1,
        **widths: int | None,
    ) -> None:
        super().__init__(d_model, num_heads, **widths)
        self.window_size = check_integer("window_size", window_size, 1)
        self.sinks = check_integer("sinks", sinks, 0)

    def near(self, q_len: int, k_len: int) -> Mask:
        """Return which keys each query may attend to, shape `(q_len, k_len)`.

        Args:
            q_len: Number of queries, the last of them at the last key.
            k_len: Number of keys.
        """
        distance = distances(q_len, k_len, self.q_proj.weight.device)
        near = distance.abs() < self.window_size
        near[:, : self.sinks] = True
        return near

    def attend(
        self,
        q: Float[Tensor, "batch num_heads q_len d_k"],
        k: Float[Tensor, "batch key_heads k_len d_k"],
        v: Float[Tensor, "batch key_heads k_len d_v"],
        mask: Mask | None,
    ) -> Float[Tensor, "batch num_heads q_len d_v"]:
        """Hide what is far, then attend; see `MultiHeadAttention.attend`."""
        if not self.crosses:
            near = self.near(q.size(2), k.size(2))
            mask = near if mask is None else mask & near
        return super().attend(q, k, v, mask)
