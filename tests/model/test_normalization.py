"""Layer normalization: the formula, the kernel, and PyTorch's module."""

import math

import pytest
import torch
from torch import nn

from tests.parity import assert_near, assert_same_gradients, twin
from transformer import LayerNorm, explicit_layer_norm


def random_norm(d_model: int) -> LayerNorm:
    norm = LayerNorm(d_model)
    for parameter in norm.parameters():
        nn.init.normal_(parameter)
    return norm


@pytest.mark.parametrize("shape", [(6,), (3, 6), (2, 3, 6)])
def test_equals_pytorchs_layer_norm(shape, dtype):
    ours = random_norm(6)
    theirs, written_out = twin(ours), twin(ours)
    x, upstream = torch.randn(shape) * 3 + 2, torch.randn(shape)
    xs = [x.clone().requires_grad_() for _ in range(3)]
    explicit = explicit_layer_norm(xs[2], written_out.weight, written_out.bias)
    results = [theirs(xs[0]), ours(xs[1]), explicit]
    for y in results:
        y.backward(upstream)
    for own_x, own_y in zip(xs[1:], results[1:]):
        assert_near([own_y, own_x.grad], [results[0], xs[0].grad])
    assert_same_gradients(ours, theirs)
    assert_same_gradients(ours, written_out)


def test_by_hand():
    x = torch.tensor([[1.0, 2.0, 3.0]])
    expected = [-math.sqrt(1.5), 0.0, math.sqrt(1.5)]  # deviations -1, 0, 1; variance 2/3
    assert LayerNorm(3)(x)[0].tolist() == pytest.approx(expected, rel=1e-4)
    weight, bias = torch.tensor([2.0, 2.0, 4.0]), torch.tensor([0.0, 1.0, -1.0])
    scaled = explicit_layer_norm(x, weight, bias, eps=0.0)
    assert scaled[0].tolist() == pytest.approx(
        [-2 * math.sqrt(1.5), 1.0, 4 * math.sqrt(1.5) - 1], rel=1e-6
    )


def test_eps_stands_inside_the_root():
    x = torch.tensor([[-1.0, 1.0]])  # variance 1
    assert LayerNorm(2, eps=3.0)(x).tolist() == [[-0.5, 0.5]]
    assert explicit_layer_norm(x, torch.ones(2), torch.zeros(2), eps=3.0).tolist() == [[-0.5, 0.5]]
