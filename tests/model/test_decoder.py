"""The decoder against PyTorch's, and where it drops."""

import pytest
import torch
from torch import nn

from tests.parity import assert_near, assert_same_gradients, copies, randomized, twin
from transformer import Decoder, Transformer, TransformerConfig, causal_mask, record_attention

NORMS = pytest.mark.parametrize("norm_first", [False, True], ids=["post_norm", "pre_norm"])
TGT_PADDED = torch.tensor([[1, 1, 0], [1, 1, 1], [1, 0, 0]]).bool()
SRC_PADDED = torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 1, 0]]).bool()


def new_decoder(**choices: object) -> Decoder:
    sizes = {"d_model": 8, "num_heads": 2, "d_ff": 12, "num_decoder_layers": 2}
    return Transformer(TransformerConfig(9, 9, **sizes | choices)).decoder


@NORMS
@pytest.mark.parametrize("padded", [False, True], ids=["full", "padded"])
@pytest.mark.parametrize("causal", [False, True], ids=["all", "causal"])
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_equals_pytorchs_decoder(norm_first, padded, causal, training, dtype):
    ours = randomized(new_decoder(dropout=0.0, norm_first=norm_first)).train(training)
    theirs = twin(ours)
    inputs = [torch.randn(3, n, 8, requires_grad=True) for n in (3, 4)]
    their_inputs = copies(inputs)
    seen = TGT_PADDED if padded else torch.ones(3, 3).bool()
    mask = seen[:, None, None] & (causal_mask(3) if causal else True)
    output = ours(
        *inputs,
        mask if padded or causal else None,
        SRC_PADDED[:, None, None] if padded else None,
    )
    expected = theirs(
        *their_inputs,
        tgt_mask=~causal_mask(3)[0, 0] if causal else None,
        tgt_key_padding_mask=~seen if padded else None,
        memory_key_padding_mask=~SRC_PADDED if padded else None,
    )
    assert_near(output, expected)
    weights = torch.randn_like(output)
    (output * weights).sum().backward()
    (expected * weights).sum().backward()
    assert_near([x.grad for x in inputs], [x.grad for x in their_inputs])
    assert_same_gradients(ours, theirs)


@NORMS
def test_dropping_every_sub_layer_leaves_the_residuals(norm_first):
    layer = new_decoder(norm_first=norm_first).layers[0]
    layer.dropout.p = 1.0
    x, memory = torch.randn(2, 3, 8), torch.randn(2, 4, 8)
    residual = x
    if not norm_first:
        residual = layer.cross_attention_norm(layer.self_attention_norm(x))
        residual = layer.feed_forward_norm(residual)
    assert torch.equal(layer(x, memory), residual)
    assert not torch.equal(layer.eval()(x, memory), residual)


def test_attention_weights_are_not_dropped():
    layer = new_decoder(dropout=0.9).layers[0]
    assert [name for name, m in layer.named_modules() if isinstance(m, nn.Dropout)] == ["dropout"]
    x, memory = torch.randn(2, 3, 8), torch.randn(2, 4, 8)
    with record_attention(layer) as weights:
        layer.train()(x, memory)
        layer.eval()(x, memory)
    assert torch.equal(*weights["self_attention"])
    for attention in (layer.self_attention, layer.cross_attention):
        assert torch.equal(attention.train()(x, x, x), attention.eval()(x, x, x))
    assert torch.equal(layer.feed_forward.train()(x), layer.feed_forward.eval()(x))
