"""Layer normalization: the formula and PyTorch's fused kernel."""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F


def explicit_layer_norm(
    x: Float[Tensor, "*batch d_model"],
    weight: Float[Tensor, " d_model"],
    bias: Float[Tensor, " d_model"],
    eps: float = 1e-5,
) -> Float[Tensor, "*batch d_model"]:
    """Give each position mean 0 and variance 1 over its features, then scale and shift.

    The formula written out, for reading: the variance is the biased one (divided by
    `d_model`), and `eps` stands inside the root. `LayerNorm` runs PyTorch's fused kernel.

    Args:
        x: States, shape `(..., d_model)`.
        weight: Scale of each feature (γ), shape `(d_model,)`.
        bias: Shift of each feature (β), shape `(d_model,)`.
        eps: Keeps the root away from zero.

    Returns:
        Normalized states of the same shape.

    Example:
        >>> explicit_layer_norm(torch.tensor([1.0, 2.0, 3.0]), torch.ones(3), torch.zeros(3))
        tensor([-1.2247,  0.0000,  1.2247])
    """
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return weight * (x - mean) / torch.sqrt(variance + eps) + bias


class LayerNorm(nn.Module):
    """Layer normalization with a scale and a shift of its own (§3.1), on the fused kernel.

    Args:
        d_model: Number of features that are normalized together.
        eps: Keeps the root away from zero.

    Example:
        >>> norm = LayerNorm(d_model=3)
        >>> norm(torch.tensor([[1.0, 2.0, 3.0]])).tolist()
        [[-1.2247..., 0.0, 1.2247...]]
    """

    def __init__(self, d_model: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Normalize over the last dimension.

        Args:
            x: States, shape `(..., d_model)`.

        Returns:
            Normalized states of the same shape.
        """
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)
