"""Feed-forward networks of today, alone, side by side, and without biases."""

import copy

import pytest
import torch
from torch import nn

from tests.parity import assert_near, randomized
from transformer import LayerNorm, PositionwiseFeedForward, Transformer, TransformerConfig
from transformer.variants import (
    GatedFeedForward,
    GeluFeedForward,
    MixtureOfExperts,
    remove_biases,
)

X = torch.randn(2, 5, 8, generator=torch.Generator().manual_seed(1))


def size(model: nn.Module) -> int:
    return sum(parameter.numel() for parameter in model.parameters())


def test_gelu_equals_pytorchs_module():
    ours = GeluFeedForward(8, 12)
    assert_near(ours(X), nn.Sequential(ours.expand, nn.GELU(), ours.contract)(X))


def test_gated_by_hand_and_as_large_as_the_network_that_it_replaces():
    gated = GatedFeedForward(1, 3)  # two features inside
    for parameter, value in zip(gated.parameters(), ([[0.0], [2.0]], 0, [[1.0], [3.0]], 0, 1, 0)):
        nn.init.constant_(parameter, 0).data += torch.tensor(value)
    silu = 4 / (1 + 2.718281828**-4)  # of 2 · 2; that of 0 is 0
    assert gated(torch.tensor([[[2.0]]])).item() == pytest.approx(silu * 6, rel=1e-6)
    assert size(GatedFeedForward(96, 384)) == pytest.approx(
        size(PositionwiseFeedForward(96, 384)), rel=0.01
    )


def test_one_expert_is_the_feed_forward_network():
    mixture = randomized(MixtureOfExperts(8, 12, num_experts=1))
    assert torch.equal(mixture(X), mixture.experts[0](X))


@pytest.mark.parametrize("top_k", [1, 2, 4])
def test_a_token_gets_its_best_experts_times_their_probabilities(top_k):
    mixture = randomized(
        MixtureOfExperts(8, 12, num_experts=4, top_k=top_k, expert=GeluFeedForward)
    )
    expected = torch.zeros_like(X)
    for row, token in ((row, token) for row in range(2) for token in range(5)):
        state = X[row, token]
        probability = mixture.router(state).softmax(-1)
        for number in probability.argsort(descending=True)[:top_k]:
            found = mixture.experts[number](state[None, None])[0, 0]
            expected[row, token] += probability[number] * found
    assert_near(mixture(X), expected)


def test_experts_that_nobody_visits_are_preferred_in_training_alone():
    mixture = MixtureOfExperts(8, 12, num_experts=3)
    nn.init.zeros_(mixture.router.weight)  # all are equally probable: one of them gets all tokens
    mixture.eval()(X)
    assert not mixture.preference.any()
    shares = []
    for _ in range(30):
        before = mixture.preference.clone()
        mixture.train()(X)
        shares.append((mixture.preference > before).tolist())
    assert sorted(shares[0]) == [False, True, True]  # the one with all tokens is preferred less
    assert len({tuple(share) for share in shares}) == 3  # and each of them has its turn


def test_without_biases_nothing_is_added():
    config = TransformerConfig(9, 9, d_model=8, num_heads=2, d_ff=12, tie_output=True, dropout=0.0)
    model = Transformer(config)
    bare = copy.deepcopy(model)
    remove_biases(bare)
    assert {name.rpartition(".")[2] for name, _ in bare.named_parameters()} == {"weight"}
    assert isinstance(bare.decoder.layers[0].feed_forward_norm, LayerNorm)
    src, tgt = torch.tensor([[5, 6, 2]]), torch.tensor([[1, 7]])
    assert_near(bare(src, tgt), model(src, tgt))  # biases begin as zero
