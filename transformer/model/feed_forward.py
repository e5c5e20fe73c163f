"""The position-wise feed-forward network."""

from jaxtyping import Float
from torch import Tensor, nn


class PositionwiseFeedForward(nn.Module):
    """Two linear maps with a ReLU between them, the same at every position (§3.3, eq. 2).

    Args:
        d_model: Width of the states, outside.
        d_ff: Width of the hidden layer, inside.

    Example:
        >>> import torch
        >>> feed_forward = PositionwiseFeedForward(d_model=4, d_ff=8)
        >>> feed_forward(torch.zeros(2, 3, 4)).shape
        torch.Size([2, 3, 4])
    """

    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()
        self.expand = nn.Linear(d_model, d_ff)
        self.contract = nn.Linear(d_ff, d_model)

    def forward(
        self, x: Float[Tensor, "batch seq_len d_model"]
    ) -> Float[Tensor, "batch seq_len d_model"]:
        """Expand to `d_ff` features, drop the negative ones, contract again.

        Args:
            x: States, shape `(batch, seq_len, d_model)`.

        Returns:
            New states of the same shape.
        """
        return self.contract(self.expand(x).relu())  # (batch, seq_len, d_ff) in between
