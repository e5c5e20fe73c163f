"""GELU: a feed-forward network whose bend is smooth."""

from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from transformer.model.feed_forward import PositionwiseFeedForward


class GeluFeedForward(PositionwiseFeedForward):
    """Two linear maps with a GELU in place of the ReLU (Hendrycks and Gimpel 2016).

    From arXiv:1606.08415: x times the probability that a standard normal number is below x.

    Example:
        >>> import torch
        >>> GeluFeedForward(d_model=4, d_ff=8)(torch.zeros(2, 3, 4)).shape
        torch.Size([2, 3, 4])
    """

    def forward(
        self, x: Float[Tensor, "batch seq_len d_model"]
    ) -> Float[Tensor, "batch seq_len d_model"]:
        """Expand, bend, contract; see `PositionwiseFeedForward.forward`."""
        return self.contract(F.gelu(self.expand(x)))
