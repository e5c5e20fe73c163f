"""A mixture of experts: several feed-forward networks, of which each token visits a few."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer.arguments import check_integer
from transformer.model.feed_forward import PositionwiseFeedForward

STEP = 0.001  # by which a batch changes what the router prefers


class MixtureOfExperts(nn.Module):
    """A router sends each token to the experts with the highest probabilities.

    From Shazeer et al. 2017, arXiv:1701.06538; one expert a token, times its probability, is Fedus
    et al. 2021, arXiv:2101.03961. So that all experts are used, the choice prefers those that had
    fewer tokens in the batches before (Wang et al., arXiv:2408.15664): a number for each
    expert that no gradient moves, and no second loss.

    Args:
        d_model: Width of the states.
        d_ff: Width of the hidden layer of each expert.
        num_experts: Number of experts.
        top_k: Experts that a token visits.
        expert: Makes an expert, called as `PositionwiseFeedForward` is.

    Raises:
        ValueError: If `num_experts` is below 1, or `top_k` not from 1 to `num_experts`.

    Example:
        >>> experts = MixtureOfExperts(d_model=4, d_ff=8, num_experts=4, top_k=1)
        >>> experts(torch.zeros(2, 3, 4)).shape
        torch.Size([2, 3, 4])
    """

    preference: Tensor

    def __init__(
        self,
        d_model: int,
        d_ff: int,
        *,
        num_experts: int = 4,
        top_k: int = 1,
        expert: Callable[[int, int], nn.Module] = PositionwiseFeedForward,
    ) -> None:
        super().__init__()
        self.top_k = check_integer("top_k", top_k, 1, check_integer("num_experts", num_experts, 1))
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.experts = nn.ModuleList(expert(d_model, d_ff) for _ in range(num_experts))
        self.register_buffer("preference", torch.zeros(num_experts))

    def forward(
        self, x: Float[Tensor, "batch seq_len d_model"]
    ) -> Float[Tensor, "batch seq_len d_model"]:
        """Add up what the chosen experts make of each token, times their probabilities.

        Args:
            x: States, shape `(batch, seq_len, d_model)`.

        Returns:
            New states of the same shape.
        """
        probability = self.router(x).softmax(dim=-1)  # (batch, seq_len, num_experts)
        best = (probability + self.preference).topk(self.top_k).indices
        chosen = torch.zeros_like(probability, dtype=torch.bool).scatter(-1, best, True)
        if self.training:
            share = chosen.float().mean(dim=(0, 1))
            self.preference += STEP * (share.mean() - share).sign()
        output = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            tokens = chosen[..., number]
            (found,) = expert(x[tokens].unsqueeze(0))  # (tokens of this expert, d_model)
            output[tokens] += probability[..., number][tokens].unsqueeze(1) * found
        return output
