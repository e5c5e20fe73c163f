"""Decoding with a cache gives what decoding without one gives."""

import itertools
from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from tests.parity import assert_near, randomized
from tests.refused import refused
from transformer import DecoderCache, Transformer, TransformerConfig, padding_mask
from transformer.model.cache import KeyValueCache

TINY = TransformerConfig(
    11, 13, d_model=8, num_heads=2, num_encoder_layers=1, num_decoder_layers=2, d_ff=12,
    dropout=0.0, max_len=8,
)  # fmt: skip
VARIANTS = {
    "post_norm": TINY,
    "pre_norm": replace(TINY, norm_first=True),
    "learned_positions": replace(TINY, positional="learned"),
    "own_widths": replace(TINY, d_k=3, d_v=5),
}
EACH_VARIANT = pytest.mark.parametrize("config", VARIANTS.values(), ids=VARIANTS.keys())
MODES = torch.enable_grad, torch.no_grad, torch.inference_mode
EACH_MODE = pytest.mark.parametrize("mode", MODES)
SRC = torch.tensor([[5, 6, 7, 2], [8, 2, 0, 0], [9, 9, 2, 0]])
TGT = torch.tensor([[1, 4, 8, 0, 5, 3], [1, 6, 0, 0, 7, 9], [0, 1, 12, 3, 3, 0]])  # padding inside
SRC_MASK = padding_mask(SRC, 0)


def random_model(config: TransformerConfig) -> Transformer:
    model = Transformer(config).eval()
    return randomized(model, model.encoder, model.decoder)


def in_steps(model: Transformer, tgt: Tensor, *memory_mask_and_cache: object) -> Tensor:
    """Decode one token after the other."""
    steps = [model.decode(token, *memory_mask_and_cache) for token in tgt.split(1, dim=1)]
    return torch.cat(steps, dim=1)


def contents(cache: DecoderCache) -> list[Tensor]:
    """A copy of every tensor the cache holds."""
    tensors = [] if cache.padding is None else [cache.padding]
    for layer in cache.layers:
        for attention in (layer.self_attention, layer.cross_attention):
            tensors += attention.entries or ()
    return [tensor.clone() for tensor in tensors]


@EACH_VARIANT
@pytest.mark.parametrize("src_mask", [SRC_MASK, None], ids=["masked", "unmasked"])
@EACH_MODE
def test_step_by_step_equals_all_at_once(config, src_mask, mode, dtype):
    model = random_model(config)
    with mode():
        memory, cache = model.encode(SRC), model.new_cache()
        steps = in_steps(model, TGT, memory, src_mask, cache)
        assert_near(steps, model.decode(TGT, memory, src_mask))
    assert cache.length == 6


@EACH_VARIANT
@given(rows=st.integers(1, 3), sizes=st.lists(st.integers(1, 3), min_size=1, max_size=3))
def test_chunks_equal_all_at_once(config, rows, sizes):
    sizes = sizes if sum(sizes) <= 8 else [8]
    model = random_model(config)
    tgt = torch.randint(0, 13, (rows, sum(sizes)))
    memory, cache = model.encode(SRC[:rows]), model.new_cache()
    chunks = [model.decode(chunk, memory, None, cache) for chunk in tgt.split(sizes, dim=1)]
    assert_near(torch.cat(chunks, dim=1), model.decode(tgt, memory, None))
    assert cache.length == sum(sizes)


@pytest.mark.parametrize(
    ("first", "last"),
    [pair for pair in itertools.permutations(MODES, 2) if pair != (MODES[2], MODES[0])],
)
def test_a_cache_goes_on_in_another_mode(first, last):
    """But for inference tensors, which PyTorch lets no backward pass use."""
    model = random_model(TINY)
    with first():
        memory, cache = model.encode(SRC), model.new_cache()
        in_steps(model, TGT[:, :2], memory, SRC_MASK, cache)  # the third has room behind them
    with last():
        rest = in_steps(model, TGT[:, 2:], memory, SRC_MASK, cache)
        assert_near(rest, model.decode(TGT, memory, SRC_MASK)[:, 2:])


def test_gradients_flow_through_the_steps():
    model = random_model(TINY)
    memory, cache = model.encode(SRC), model.new_cache()
    weights = [model.decoder.layers[0].self_attention.k_proj.weight, model.tgt_embedding.weight]
    gradients = [
        torch.autograd.grad(states.square().sum(), weights, retain_graph=True)
        for states in (
            in_steps(model, TGT, memory, SRC_MASK, cache),
            model.decode(TGT, memory, SRC_MASK),
        )
    ]
    for one, other in zip(*gradients):
        assert_near(one, other)


@EACH_VARIANT
@given(st.sampled_from(MODES), st.lists(st.integers(0, 2), min_size=1, max_size=4),
       st.integers(1, 5))  # fmt: skip
def test_selected_rows_go_on_where_they_were(config, mode, order, cut):
    model, rows = random_model(config), torch.tensor(order)
    with mode():
        memory, cache = model.encode(SRC), model.new_cache()
        model.decode(TGT[:, :cut], memory, SRC_MASK, cache)
        cache.select(rows)
        tgt, memory, mask = TGT[rows], memory[rows], SRC_MASK[rows]
        steps = in_steps(model, tgt[:, cut:], memory, mask, cache)
        assert_near(steps, model.decode(tgt, memory, mask)[:, cut:])
    assert cache.length == 6


@EACH_MODE
def test_rows_of_the_same_memory_leave_it_in_place(mode):
    """As beams: a row goes on with the past of another row of its sentence (0 and 1, and 2)."""
    model, same, rows = random_model(TINY), torch.tensor([0, 0, 1]), torch.tensor([1, 1, 2])
    with mode():
        memory, mask, cache = model.encode(SRC)[same], SRC_MASK[same], model.new_cache()
        model.decode(TGT[:, :3], memory, mask, cache)
        layer = cache.layers[0]
        before = layer.cross_attention.fixed[0].data_ptr()
        cache.select(rows, same_memory=True)
        assert layer.cross_attention.fixed[0].data_ptr() == before
        last = model.decode(TGT[:, 3:], memory, mask, cache)
        joined = torch.cat([TGT[rows, :3], TGT[:, 3:]], dim=1)
        assert_near(last, model.decode(joined, memory, mask)[:, 3:])


def test_an_empty_cache_selects_nothing():
    model = random_model(TINY)
    cache = model.new_cache()
    cache.select(torch.tensor([0]))
    assert cache.length == 0
    memory = model.encode(SRC)
    assert_near(model.decode(TGT, memory, None, cache), model.decode(TGT, memory, None))


@pytest.mark.parametrize("mode", MODES[1:])
def test_a_step_seldom_moves_what_is_remembered(mode):
    cache, places, seen = KeyValueCache(grows=True), set(), []
    with mode():
        for i in range(100):
            step = torch.full((2, 3, 1, 4), float(i))
            keys, values = cache.add(step, -step)
            places.add(keys.data_ptr())
            seen.append(keys)
        assert torch.equal(keys[1, 2, :, 3], torch.arange(100.0))
        assert torch.equal(values, -keys)
        assert torch.equal(seen[70], keys[:, :, :71])  # what was given out stays
    assert len(places) < 10


# Errors


@pytest.mark.parametrize("first", [True, False], ids=["first_call", "later_call"])
@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"tgt": TGT[:, 2:4] + 5}, ValueError, "tgt must be from 0 to 12 (tgt_vocab_size=1…"),
        ({"tgt": torch.ones(3, 9).long()}, ValueError, "the sequence must end by max_len=8: got …"),
        ({"tgt": TGT[:2, 2:4]}, ValueError, "memory must have shape (2, seq_len, 8): got …"),
        ({"src_mask": SRC_MASK.float()}, TypeError, "mask must be boolean (True = may be attend…"),
        ({"src_mask": SRC_MASK[:2]}, ValueError, "mask must broadcast to the scores (3, 1, 1, 4…"),
    ],
)  # fmt: skip
def test_an_error_loses_nothing(first, change, error, text, no_shape_checks):
    model = random_model(TINY)
    memory, cache = model.encode(SRC), model.new_cache()
    arguments = {"tgt": TGT[:, 2:4], "memory": memory, "src_mask": SRC_MASK}
    if not first:
        model.decode(TGT[:, :2], memory, SRC_MASK, cache)
    before = contents(cache)
    with refused(error, text):
        model.decode(**arguments | change, cache=cache)
    assert all(map(torch.equal, contents(cache), before))
    assert len(contents(cache)) == len(before)
    tgt = TGT[:, 2:4] if first else TGT[:, :4]
    rest = model.decode(**arguments, cache=cache)
    assert_near(rest, model.decode(tgt, memory, SRC_MASK)[:, -2:])
