"""The encoder against PyTorch's, and what must hold for any encoder."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from tests.parity import assert_near, assert_same_gradients, copies, randomized, twin
from transformer import Encoder, Transformer, TransformerConfig, causal_mask, record_attention

NORMS = pytest.mark.parametrize("norm_first", [False, True], ids=["post_norm", "pre_norm"])
PADDED = torch.tensor([[1, 1, 1, 0], [1, 1, 1, 1], [1, 0, 0, 0]]).bool()


def new_encoder(**choices: object) -> Encoder:
    sizes = {"d_model": 8, "num_heads": 2, "d_ff": 12, "num_encoder_layers": 2}
    return Transformer(TransformerConfig(9, 9, **sizes | choices)).encoder


def random_encoder(norm_first: bool) -> Encoder:
    return randomized(new_encoder(dropout=0.0, norm_first=norm_first))


@NORMS
@pytest.mark.parametrize("padded", [False, True], ids=["full", "padded"])
@pytest.mark.parametrize("causal", [False, True], ids=["all", "causal"])
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_equals_pytorchs_encoder(norm_first, padded, causal, training, dtype):
    ours = random_encoder(norm_first).train(training)
    theirs = twin(ours)
    x = torch.randn(3, 4, 8, requires_grad=True)
    [y] = copies([x])
    seen = PADDED if padded else torch.ones(3, 4).bool()
    mask = seen[:, None, None] & (causal_mask(4) if causal else True)
    output = ours(x, mask if padded or causal else None)
    expected = theirs(
        y,
        mask=~causal_mask(4)[0, 0] if causal else None,
        src_key_padding_mask=~seen if padded else None,
    )
    assert_near(output[seen], expected[seen])
    weights = torch.randn_like(output[seen])
    (output[seen] * weights).sum().backward()
    (expected[seen] * weights).sum().backward()
    assert_near(x.grad, y.grad)
    assert_same_gradients(ours, theirs)
    if not training:
        with torch.no_grad():  # PyTorch's fast path
            expected = theirs(y, src_key_padding_mask=None if not padded else ~seen)
            assert_near(ours(x, seen[:, None, None])[seen], expected[seen])


@NORMS
@given(length=st.integers(2, 5), data=st.data())
def test_padding_cannot_matter(norm_first, length, data):
    real = data.draw(st.integers(1, length - 1))
    encoder = random_encoder(norm_first)
    x = torch.randn(2, length, 8)
    mask = torch.arange(length)[None] < real
    changed = torch.where(mask.T, x, 100 * torch.randn(x.shape))
    assert torch.equal(encoder(changed, mask)[:, :real], encoder(x, mask)[:, :real])
    assert_near(encoder(x, mask)[:, :real], encoder(x[:, :real]))


@NORMS
@given(length=st.integers(1, 5))
def test_without_positions_order_is_unknown(norm_first, length):
    encoder = random_encoder(norm_first)
    x, order = torch.randn(2, length, 8), torch.randperm(length)
    assert_near(encoder(x[:, order]), encoder(x)[:, order])


@NORMS
def test_only_pre_norm_ends_with_a_norm(norm_first):
    encoder = new_encoder(norm_first=norm_first)
    assert (encoder.norm is not None) == norm_first


def test_each_layer_has_weights_of_its_own():
    encoder = new_encoder(num_encoder_layers=3)
    parameters = list(encoder.parameters())
    assert len({p.data_ptr() for p in parameters}) == len(parameters) == 3 * 16


# Dropout, only where §5.4 has it


@NORMS
def test_dropping_every_sub_layer_leaves_the_residuals(norm_first):
    layer = new_encoder(norm_first=norm_first).layers[0]
    layer.dropout.p = 1.0
    x = torch.randn(2, 3, 8)
    residual = x if norm_first else layer.feed_forward_norm(layer.self_attention_norm(x))
    assert torch.equal(layer(x), residual)
    assert not torch.equal(layer.eval()(x), residual)


def test_attention_weights_and_hidden_states_are_not_dropped():
    layer = new_encoder(dropout=0.9).layers[0]
    assert [name for name, m in layer.named_modules() if isinstance(m, nn.Dropout)] == ["dropout"]
    x = torch.randn(2, 3, 8)
    with record_attention(layer) as weights:
        layer.train()(x)
        layer.eval()(x)
    assert torch.equal(*weights["self_attention"])
    assert torch.equal(layer.feed_forward.train()(x), layer.feed_forward.eval()(x))
    assert torch.equal(layer.self_attention.train()(x, x, x), layer.self_attention.eval()(x, x, x))
