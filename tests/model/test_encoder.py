"""The encoder against PyTorch's, and where it drops."""

import pytest
import torch

from tests.parity import assert_near, assert_same_gradients, copies, randomized, twin
from transformer import Encoder, Transformer, TransformerConfig, causal_mask

NORMS = pytest.mark.parametrize("norm_first", [False, True], ids=["post_norm", "pre_norm"])
PADDED = torch.tensor([[1, 1, 1, 0], [1, 1, 1, 1], [1, 0, 0, 0]]).bool()


def new_encoder(**choices: object) -> Encoder:
    sizes = {"d_model": 8, "num_heads": 2, "d_ff": 12, "num_encoder_layers": 2}
    return Transformer(TransformerConfig(9, 9, **sizes | choices)).encoder


@NORMS
@pytest.mark.parametrize("padded", [False, True], ids=["full", "padded"])
@pytest.mark.parametrize("causal", [False, True], ids=["all", "causal"])
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_equals_pytorchs_encoder(norm_first, padded, causal, training, dtype):
    ours = randomized(new_encoder(dropout=0.0, norm_first=norm_first)).train(training)
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


# Dropout, only where §5.4 has it


@NORMS
def test_dropping_every_sub_layer_leaves_the_residuals(norm_first):
    layer = new_encoder(norm_first=norm_first).layers[0]
    layer.dropout.p = 1.0
    x = torch.randn(2, 3, 8)
    residual = x if norm_first else layer.feed_forward_norm(layer.self_attention_norm(x))
    assert torch.equal(layer(x), residual)
    assert not torch.equal(layer.eval()(x), residual)
