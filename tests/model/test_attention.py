"""Attention: the formula, the three classes, PyTorch's kernel and PyTorch's module."""

from itertools import pairwise

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.parity import assert_near, assert_same_gradients, copies, randomized, twin
from tests.refused import refusals, refused
from transformer import (
    ExplicitMultiHeadAttention,
    LoopedMultiHeadAttention,
    MultiHeadAttention,
    Transformer,
    TransformerConfig,
    attention_scores,
    attention_weights,
    causal_mask,
    record_attention,
    scaled_dot_product_attention,
)

CLASSES = [MultiHeadAttention, ExplicitMultiHeadAttention, LoopedMultiHeadAttention]
EACH_CLASS = pytest.mark.parametrize("kind", CLASSES)
PADDED = torch.tensor([[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]).bool()[:, None, None]  # 2 rows, 5 keys
MASKS = {
    "none": None,
    "causal": causal_mask(5)[:, :, 1:],
    "padding": PADDED,
    "both": PADDED & causal_mask(5)[:, :, 1:],
    "one_row_a_head": torch.rand(1, 2, 4, 5, generator=torch.Generator().manual_seed(1)) < 0.8,
}
EACH_MASK = pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS.keys())
CONFIG = TransformerConfig(11, 13, d_model=8, num_heads=2, num_decoder_layers=1, d_ff=16)


def states(**lengths: int) -> list[Tensor]:
    """Random states of a batch of two, one tensor a length, with gradients."""
    return [torch.randn(2, n, 8, requires_grad=True) for n in lengths.values()]


def random_attention(kind: type[MultiHeadAttention] = MultiHeadAttention, **widths: int):
    return randomized(kind(d_model=8, num_heads=2, **widths))


def backward(output: Tensor) -> None:
    weights = torch.randn(output.shape, generator=torch.Generator().manual_seed(2))
    (output * weights).sum().backward()


# PyTorch's own


@EACH_MASK
@pytest.mark.parametrize("d_v", [4, 6])
def test_formula_equals_pytorchs_kernel(mask, d_v, dtype):
    shapes = [(2, 2, 4, 4), (2, 2, 5, 4), (2, 2, 5, d_v)]
    ours = [torch.randn(shape, requires_grad=True) for shape in shapes]
    theirs = copies(ours)
    output, _ = scaled_dot_product_attention(*ours, mask)
    expected = F.scaled_dot_product_attention(*theirs, attn_mask=mask)
    assert_near(output, expected)
    backward(output)
    backward(expected)
    assert_near([x.grad for x in ours], [x.grad for x in theirs])


@EACH_MASK
@EACH_CLASS
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_equals_pytorchs_module(kind, mask, training, dtype):
    ours = random_attention(kind).train(training)
    theirs = twin(ours)
    inputs = states(query=4, key=5, value=5)
    their_inputs = copies(inputs)
    blocked = None if mask is None else ~mask.expand(2, 2, 4, 5).flatten(0, 1)
    expected, expected_weights = theirs(
        *their_inputs, attn_mask=blocked, average_attn_weights=False
    )
    with record_attention(ours) as weights:
        output = ours(*inputs, mask)
    assert_near(output, expected)
    assert_near(weights[""], [expected_weights])
    backward(output)
    backward(expected)
    assert_near([x.grad for x in inputs], [x.grad for x in their_inputs])
    assert_same_gradients(ours, theirs)


@EACH_MASK
@pytest.mark.parametrize("widths", [{}, {"d_k": 3}, {"d_v": 5}, {"d_k": 3, "d_v": 5}], ids=str)
def test_three_classes_compute_the_same(mask, widths, dtype):
    attentions = [random_attention(kind, **widths) for kind in CLASSES]
    inputs, outcomes = states(query=4, key=5, value=5), []
    for attention in attentions:
        attention.load_state_dict(attentions[0].state_dict())
        leaves = copies(inputs)
        output = attention(*leaves, mask)
        backward(output)
        outcomes.append([output, *(x.grad for x in (*leaves, *attention.parameters()))])
    for outcome, expected in pairwise(outcomes):
        assert_near(outcome, expected)


@EACH_CLASS
@pytest.mark.parametrize(
    "shape",
    [(), (5,), (1,), (4, 5), (4, 1), (1, 5), (2, 4, 5), (1, 4, 1), (2, 1, 1, 5), (1, 2, 4, 5)],
    ids=str,
)
def test_masks_broadcast(kind, shape):
    attention, inputs = random_attention(kind), states(query=4, key=5, value=5)
    mask = torch.rand(shape) < 0.7
    assert_near(attention(*inputs, mask), attention(*inputs, mask.expand(2, 2, 4, 5)))


# By hand


def test_three_tokens_by_hand():
    query = torch.tensor([[2.0, 0, 0, 0], [0, 2, 0, 0], [0, 0, 0, 0]])  # √dₖ = 2
    key = torch.tensor([[1.0, 0, 0, 0], [1, 0, 0, 0], [0, 9, 0, 0]])
    value = torch.tensor([[3.0], [6.0], [12.0]])
    assert attention_scores(query, key).tolist() == [[1, 1, 0], [0, 0, 9], [0, 0, 0]]
    output, weights = scaled_dot_product_attention(query, key, value, causal_mask(3)[0, 0])
    assert_near(weights, torch.tensor([[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]]))
    assert_near(output, torch.tensor([[3.0], [4.5], [7.0]]))


def test_masked_scores_lose_to_any_other():
    scores, mask = torch.tensor([[-1e20, 1e20]]), torch.tensor([True, False])
    assert attention_weights(scores, mask).tolist() == [[1, 0]]


def test_two_heads_by_hand():
    """With identity projections, head 0 sees features 0-1 and head 1 sees features 2-3."""
    attention = MultiHeadAttention(d_model=4, num_heads=2)
    for linear in attention.children():
        nn.init.eye_(linear.weight)
        nn.init.zeros_(linear.bias)
    x = torch.tensor([[[100.0, 0, 1, 1], [0, 100, 1, 1]]])
    expected = [[[100, 0, 1, 1], [0, 100, 1, 1]]]  # head 0: only itself; head 1: half and half
    assert attention(x, x, x).tolist() == expected
    value = torch.tensor([[[2.0, 4, 6, 8], [10, 20, 30, 40]]])
    assert attention(x, x, value).tolist() == [[[2, 4, 18, 24], [10, 20, 18, 24]]]


# Properties


@EACH_CLASS
@pytest.mark.parametrize("widths", [{}, {"d_v": 5}], ids=["one_width", "d_v_apart"])
def test_a_row_with_nothing_to_attend_to(kind, widths, dtype):
    attention = random_attention(kind, **widths)
    query, key, value = states(query=4, key=5, value=5)
    mask = torch.ones(2, 1, 4, 5, dtype=torch.bool)
    mask[0, :, 1] = False  # row 0, query 1
    mask[1] = False  # all of row 1
    blind = ~mask[:, 0].any(-1)
    heads = []
    hook = attention.out_proj.register_forward_hook(lambda _, args, __: heads.append(args[0]))
    with record_attention(attention) as weights:
        output = attention(query, key, value, mask)
    hook.remove()
    assert not heads[0][blind].any()
    assert heads[0][~blind].all()
    assert not weights[""][0].transpose(1, 2)[blind].any()
    assert torch.equal(output[blind], attention.out_proj.bias.expand(5, 8))
    output.square().sum().backward()
    assert not query.grad[blind].any()
    assert query.grad[~blind].all()
    for tensor in (query, key, value, *attention.parameters()):
        assert tensor.grad.isfinite().all()


# record_attention


SRC, TGT = torch.tensor([[5, 6, 7, 2], [8, 9, 2, 0]]), torch.tensor([[1, 4, 5], [1, 6, 0]])


def test_records_every_attention_of_a_model():
    model = Transformer(CONFIG).eval()
    with record_attention(model) as weights:
        recorded = model(SRC, TGT)
    assert torch.equal(recorded, model(SRC, TGT))
    layers = range(CONFIG.num_encoder_layers)
    assert {name: [tuple(w.shape) for w in ws] for name, ws in weights.items()} == {
        **{f"encoder.layers.{i}.self_attention": [(2, 2, 4, 4)] for i in layers},
        "decoder.layers.0.self_attention": [(2, 2, 3, 3)],
        "decoder.layers.0.cross_attention": [(2, 2, 3, 4)],
    }
    for tensors in weights.values():
        assert not tensors[0].requires_grad
        torch.testing.assert_close(tensors[0].sum(-1), torch.ones(tensors[0].shape[:-1]))


def test_records_one_tensor_a_cached_step():
    model = Transformer(CONFIG).eval()
    memory, cache = model.encode(SRC), model.new_cache()
    with record_attention(model) as weights:
        for i in range(3):
            model.decode(TGT[:, i : i + 1], memory, None, cache)
    own, cross = (weights[f"decoder.layers.0.{name}_attention"] for name in ("self", "cross"))
    assert [tuple(w.shape) for w in own] == [(2, 2, 1, n) for n in (1, 2, 3)]
    assert [tuple(w.shape) for w in cross] == [(2, 2, 1, 4)] * 3
    assert weights["encoder.layers.0.self_attention"] == []


def test_recording_ends_after_an_exception_and_begins_but_once():
    attention, x = MultiHeadAttention(d_model=8, num_heads=2), torch.zeros(1, 3, 8)
    with pytest.raises(KeyError, match="theirs"), record_attention(attention) as weights:
        raise KeyError("theirs")
    attention(x, x, x)
    assert weights == {"": []}
    text = "record_attention is recording this model already: use its result"
    with record_attention(attention) as weights:
        with refused(RuntimeError, text), record_attention(attention):
            pass
        attention(x, x, x)
    assert len(weights[""]) == 1


# Errors


@EACH_CLASS
def test_heads_that_do_not_divide_need_widths(kind):
    text = "num_heads must divide d_model (or give d_k and d_v): got d_model=8, num_heads=3"
    with refused(ValueError, text):
        kind(d_model=8, num_heads=3)
    x = torch.zeros(1, 2, 8)
    assert kind(d_model=8, num_heads=3, d_k=2, d_v=5)(x, x, x).shape == x.shape


def attend(mask: Tensor) -> None:
    scaled_dot_product_attention(torch.zeros(4, 2), torch.zeros(5, 2), torch.zeros(5, 2), mask)


test_refuses = refusals(
    (lambda: attend(torch.ones(1, 4, 5).bool()),
     ValueError, "mask must broadcast to the scores (4, 5): got shape (1, 4, 5)"),
    (lambda: attend(torch.ones(4, 5).long()),
     TypeError, "mask must be boolean (True = may be attended to): got torch.int64"),
    (lambda: record_attention(nn.Linear(2, 2)).__enter__(),
     ValueError, "model must contain a MultiHeadAttention: got Linear"),
    (lambda: record_attention("m").__enter__(), TypeError, "model must be an nn.Module: got str"),
)  # fmt: skip
