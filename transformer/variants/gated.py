"""SwiGLU: a feed-forward network in which one half says how much of the other passes."""

from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F


class GatedFeedForward(nn.Module):
    """Two maps side by side, multiplied, then a third (SwiGLU, Shazeer, arXiv:2002.05202).

    It has three matrices, so its hidden layer has two thirds of `d_ff`: about as many parameters
    as the network it replaces.

    Args:
        d_model: Width of the states, outside.
        d_ff: Width of the hidden layer of the network it replaces.

    Example:
        >>> import torch
        >>> feed_forward = GatedFeedForward(d_model=4, d_ff=12)
        >>> feed_forward(torch.zeros(2, 3, 4)).shape, feed_forward.gate.out_features
        (torch.Size([2, 3, 4]), 8)
    """

    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()
        hidden = 2 * d_ff // 3
        self.gate = nn.Linear(d_model, hidden)
        self.expand = nn.Linear(d_model, hidden)
        self.contract = nn.Linear(hidden, d_model)

    def forward(
        self, x: Float[Tensor, "batch seq_len d_model"]
    ) -> Float[Tensor, "batch seq_len d_model"]:
        """Multiply each feature by its gate, contract.

        Args:
            x: States, shape `(batch, seq_len, d_model)`.

        Returns:
            New states of the same shape.
        """
        return self.contract(F.silu(self.gate(x)) * self.expand(x))
