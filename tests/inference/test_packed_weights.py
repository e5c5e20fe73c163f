"""Packed weights: the same products, only where they pay, and nothing is left behind."""

import copy
from dataclasses import replace

import pytest
import torch
from torch import nn

from tests.parity import assert_near
from transformer import Transformer, TransformerConfig, beam_search, greedy_decode
from transformer.inference.packed_weights import LARGE, packed_weights

CONFIG = TransformerConfig(
    40, 40, d_model=512, num_heads=8, num_encoder_layers=1, num_decoder_layers=2, d_ff=1024
)
needs_avx = pytest.mark.skipif(
    not torch.backends.cpu.get_cpu_capability().startswith("AVX"),
    reason="weights are packed on x86 with AVX2 or more",
)


def is_packed(layer: nn.Module) -> bool:
    return "forward" in vars(layer)


@pytest.mark.parametrize("rows", [1, 3, 40])
@pytest.mark.parametrize("bias", [True, False])
def test_the_product_is_the_same(rows, bias):
    layer, x = nn.Linear(640, 768, bias=bias), torch.randn(rows, 2, 640)
    expected = layer(x)
    with packed_weights(layer):
        assert_near(layer(x), expected)


@pytest.mark.parametrize("decode", [greedy_decode, beam_search])
def test_the_same_tokens_are_written(decode, monkeypatch):
    torch.manual_seed(0)
    model, src = Transformer(CONFIG), torch.randint(3, 40, (3, 9))
    found = decode(model, src, max_new_tokens=20)
    monkeypatch.setattr("transformer.inference.packed_weights.LARGE", torch.inf)
    expected = decode(model, src, max_new_tokens=20)
    if decode is beam_search:
        found, expected = ([[h.ids for h in hs] for hs in part] for part in (found, expected))
    assert found == expected


@needs_avx
def test_only_large_matrices_in_float32_are_packed():
    model = Transformer(CONFIG)
    with packed_weights(model):
        for name, module in model.named_modules():
            large = isinstance(module, nn.Linear) and module.weight.numel() >= LARGE
            assert is_packed(module) == large, name
        assert is_packed(model.decoder.layers[0].self_attention.q_proj)
        assert not is_packed(model.output_layer)
    for other in (copy.deepcopy(model).double(), copy.deepcopy(model).bfloat16()):
        with packed_weights(other):
            assert not any(map(is_packed, other.modules()))
    with torch.autocast("cpu", torch.bfloat16), packed_weights(model):
        assert not any(map(is_packed, model.modules()))


def test_nothing_is_left_behind():
    layer = nn.Linear(512, 512)
    with pytest.raises(KeyError), packed_weights(layer):
        raise KeyError
    assert not is_packed(layer)


@needs_avx
def test_two_at_once_do_not_disturb_each_other():
    layer = nn.Linear(512, 512)
    outer, inner = packed_weights(layer), packed_weights(layer)
    outer.__enter__()
    inner.__enter__()
    outer.__exit__(None, None, None)
    assert not is_packed(layer)
    assert layer(torch.ones(1, 512)).shape == (1, 512)
    inner.__exit__(None, None, None)
    assert not is_packed(layer)


@needs_avx
def test_while_decoding_only_what_every_step_uses_is_packed():
    model, seen = Transformer(replace(CONFIG, tgt_vocab_size=512)), []
    layers = [
        model.encoder.layers[0].feed_forward.expand,
        model.decoder.layers[1].feed_forward.expand,
        model.output_layer,
    ]
    model.encoder.register_forward_hook(lambda *_: seen.append(list(map(is_packed, layers))))
    model.decoder.register_forward_hook(lambda *_: seen.append(list(map(is_packed, layers))))
    greedy_decode(model, torch.tensor([[5, 2]]), max_new_tokens=1)
    assert seen == [[False, False, False], [False, True, True]]
    assert not any(map(is_packed, model.modules()))
