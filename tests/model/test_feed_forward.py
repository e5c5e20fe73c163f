"""The position-wise feed-forward network."""

import torch
from torch import nn

from tests.parity import assert_near
from transformer import PositionwiseFeedForward


def test_equals_pytorchs_sequence(dtype):
    ours = PositionwiseFeedForward(d_model=4, d_ff=9)
    theirs = nn.Sequential(nn.Linear(4, 9), nn.ReLU(), nn.Linear(9, 4))
    theirs.load_state_dict(dict(zip(theirs.state_dict(), ours.state_dict().values())))
    x = torch.randn(2, 3, 4, requires_grad=True)
    y = x.detach().clone().requires_grad_()
    assert_near(ours(x), theirs(y))
    ours(x).square().sum().backward()
    theirs(y).square().sum().backward()
    assert_near([x.grad, *gradients(ours)], [y.grad, *gradients(theirs)])


def gradients(module: nn.Module) -> list[torch.Tensor]:
    return [parameter.grad for parameter in module.parameters()]


def test_by_hand():
    """One feature in, itself and its opposite inside: max(0, x) + max(0, -x) = |x|."""
    network = PositionwiseFeedForward(d_model=1, d_ff=2)
    with torch.no_grad():
        network.expand.weight.copy_(torch.tensor([[1.0], [-1.0]]))
        network.contract.weight.fill_(1)
        network.expand.bias.zero_()
        network.contract.bias.fill_(10)
    x = torch.tensor([[[-3.0], [0.0], [5.0]]])
    assert network(x).flatten().tolist() == [13, 10, 15]
