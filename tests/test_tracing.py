"""Calling-sequence trees, recorded from real runs."""

import sys
from collections.abc import Iterator
from pathlib import Path
from pydoc import locate
from types import ModuleType

import pytest
import torch
from torch import nn

import transformer
from transformer import (
    CallTree,
    DecoderCache,
    ExplicitMultiHeadAttention,
    LayerNorm,
    MultiHeadAttention,
    PositionwiseFeedForward,
    Transformer,
    TransformerConfig,
    causal_mask,
    scaled_dot_product_attention,
    trace,
)
from transformer.data.grammar import Grammar

CONFIG = TransformerConfig(
    11, 13, d_model=8, num_heads=2, num_encoder_layers=3, num_decoder_layers=2, d_ff=12, max_len=9
)
SRC, TGT = torch.tensor([[5, 6, 2]]), torch.tensor([[1, 4]])

A_CALL = """\
EncoderLayer.forward  x (1, 3, 8) → (1, 3, 8)
├── MultiHeadAttention(self_attention).forward  query (1, 3, 8), key (1, 3, 8), \
value (1, 3, 8) → (1, 3, 8)
│   ├── Linear(q_proj)  input (1, 3, 8) → (1, 3, 8)
│   ├── MultiHeadAttention.split_heads  x (1, 3, 8), width=4 → (1, 2, 3, 4)
│   ├── Linear(k_proj)  input (1, 3, 8) → (1, 3, 8)
│   ├── MultiHeadAttention.split_heads  x (1, 3, 8), width=4 → (1, 2, 3, 4)
│   ├── Linear(v_proj)  input (1, 3, 8) → (1, 3, 8)
│   ├── MultiHeadAttention.split_heads  x (1, 3, 8), width=4 → (1, 2, 3, 4)
│   ├── MultiHeadAttention.attend  q (1, 2, 3, 4), k (1, 2, 3, 4), v (1, 2, 3, 4) \
→ (1, 2, 3, 4)
│   ├── MultiHeadAttention.concatenate_heads  heads (1, 2, 3, 4) → (1, 3, 8)
│   └── Linear(out_proj)  input (1, 3, 8) → (1, 3, 8)
├── Dropout(dropout)  input (1, 3, 8) → (1, 3, 8)
├── LayerNorm(self_attention_norm).forward  x (1, 3, 8) → (1, 3, 8)
├── PositionwiseFeedForward(feed_forward).forward  x (1, 3, 8) → (1, 3, 8)
│   ├── Linear(expand)  input (1, 3, 8) → (1, 3, 12)
│   └── Linear(contract)  input (1, 3, 12) → (1, 3, 8)
├── Dropout(dropout)  input (1, 3, 8) → (1, 3, 8)
└── LayerNorm(feed_forward_norm).forward  x (1, 3, 8) → (1, 3, 8)"""

A_CONSTRUCTION = """\
MultiHeadAttention  d_model=8, num_heads=2
├── head_widths  d_model=8, num_heads=2 → (4, 4)
├── Linear(q_proj)  in_features=8, out_features=8, bias=True
├── Linear(k_proj)  in_features=8, out_features=8, bias=True
├── Linear(v_proj)  in_features=8, out_features=8, bias=True
└── Linear(out_proj)  in_features=8, out_features=8, bias=True"""

A_FUNCTION = """\
scaled_dot_product_attention  query (2, 3, 4), key (2, 3, 4), value (2, 3, 4) \
→ ((2, 3, 4), (2, 3, 3))
├── attention_scores  query (2, 3, 4), key (2, 3, 4) → (2, 3, 3)
└── attention_weights  scores (2, 3, 3) → (2, 3, 3)"""


def nodes(tree: CallTree) -> Iterator[CallTree]:
    yield tree
    for child in tree.children:
        yield from nodes(child)


def labels(tree: CallTree) -> list[str]:
    return [node.label for node in nodes(tree)]


def test_a_call_as_text():
    tree = trace(Transformer(CONFIG).encoder.layers[0], torch.zeros(1, 3, 8))
    assert str(tree) == A_CALL


def test_a_construction_as_text():
    assert str(trace(MultiHeadAttention, d_model=8, num_heads=2)) == A_CONSTRUCTION


def test_functions_and_values():
    query = torch.zeros(2, 3, 4)
    assert str(trace(scaled_dot_product_attention, query, query, query)) == A_FUNCTION
    assert str(trace(causal_mask, 3)) == "causal_mask  n=3 → (1, 1, 3, 3)"
    assert str(trace(LayerNorm, 8)) == "LayerNorm  d_model=8, eps=1e-05"


def test_roles_tell_the_attentions_apart():
    layer = Transformer(CONFIG).decoder.layers[0]
    calls = trace(layer, torch.zeros(1, 2, 8), torch.zeros(1, 3, 8)).children
    attentions = [call for call in calls if "MultiHeadAttention" in call.name]
    assert [call.label for call in attentions] == [
        "MultiHeadAttention(self_attention).forward",
        "MultiHeadAttention(cross_attention).forward",
    ]
    assert [call.arguments["key"] for call in attentions] == [" (1, 2, 8)", " (1, 3, 8)"]
    assert {call.name for call in attentions} == {
        "transformer.model.attention.MultiHeadAttention.forward"
    }


def test_a_subclass_shows_where_its_method_stands():
    attention, x = ExplicitMultiHeadAttention(d_model=8, num_heads=2), torch.zeros(1, 3, 8)
    names = [node.name for node in nodes(trace(attention, x, x, x))]
    assert names[0] == "transformer.model.attention.MultiHeadAttention.forward"
    assert "transformer.model.attention.ExplicitMultiHeadAttention.attend" in names
    assert "transformer.model.attention.attention_weights" in names


def test_a_model_folds_its_layers():
    tree = trace(Transformer(CONFIG), SRC, TGT)
    assert [call.label for call in tree.children] == [
        "Transformer.source_mask",
        "Transformer.encode",
        "Transformer.decode",
        "Transformer.project",
    ]
    assert tree.result == "(1, 2, 13)"
    folded = {node.label: node.count for node in nodes(tree) if node.count > 1}
    assert folded == {"EncoderLayer(layers.0–2).forward": 3, "DecoderLayer(layers.0–1).forward": 2}
    lines = str(tree).splitlines()
    assert "DecoderLayer(layers.0–1).forward ×2  x (1, 2, 8), memory (1, 3, 8)" in "".join(lines)


@pytest.mark.parametrize("calls", [2, 3, 4])
def test_leaves_that_are_alike_fold_to_their_number(calls):
    layers = nn.Sequential(*(nn.Dropout(0.0) for _ in range(calls)))
    tree = trace(layers, torch.zeros(1, 2))
    assert [call.count for call in tree.children] == [calls]
    assert f" ×{calls}  input (1, 2)" in str(tree)


def test_different_siblings_do_not_fold():
    layers = nn.Sequential(PositionwiseFeedForward(4, 8), PositionwiseFeedForward(4, 9))
    calls = trace(layers, torch.zeros(1, 2, 4)).children
    assert [call.count for call in calls] == [1, 1]


def test_several_calls_stand_under_the_function_that_made_them():
    network, x = PositionwiseFeedForward(d_model=4, d_ff=8), torch.zeros(1, 2, 4)

    def twice_and_mask():
        network(network(x))
        return causal_mask(2)

    tree = trace(twice_and_mask)
    assert str(tree).splitlines()[0] == "twice_and_mask → (1, 1, 2, 2)"
    assert [(call.label, call.count) for call in tree.children] == [
        ("PositionwiseFeedForward.forward", 2),
        ("causal_mask", 1),
    ]


def test_a_cached_step_projects_no_memory():
    model = Transformer(CONFIG)
    memory, cache = model.encode(SRC), model.new_cache()
    steps = [trace(model.decode, TGT[:, i : i + 1], memory, None, cache) for i in (0, 1)]
    assert steps[0].arguments["cache"] == "=DecoderCache"
    crosses = [
        next(node for node in nodes(step) if "(cross_attention).forward" in node.label)
        for step in steps
    ]
    assert "Linear(k_proj)" in labels(crosses[0])
    assert labels(crosses[1]) == [
        "MultiHeadAttention(cross_attention).forward",
        "Linear(q_proj)",
        "MultiHeadAttention.split_heads",
        "MultiHeadAttention.attend",
        "MultiHeadAttention.concatenate_heads",
        "Linear(out_proj)",
    ]
    starts = [step.children[1].arguments["start"] for step in steps]
    assert starts == ["=0", "=1"]


def test_every_name_can_be_imported():
    model = Transformer(CONFIG)
    memory, cache = model.encode(SRC), model.new_cache()
    attention, x = ExplicitMultiHeadAttention(d_model=8, num_heads=2), torch.zeros(1, 3, 8)
    trees = [
        trace(Transformer, CONFIG),
        trace(model, SRC, TGT),
        trace(model.decode, TGT, memory, None, cache),
        trace(attention, x, x, x),
        trace(TransformerConfig.base, 100),
        trace(Grammar(0).sentence),  # in a package within the package
    ]
    assert trees[-1].name == "transformer.data.grammar.sentences.Grammar.sentence"
    names = {node.name for tree in trees for node in nodes(tree)}
    assert {name.split(".")[0] for name in names} == {"transformer", "torch"}
    assert [name for name in names if locate(name) is None] == []


def test_a_package_whose_name_begins_like_ours_is_not_ours():
    """As `transformers` of Hugging Face, which the benchmarks install."""
    theirs = ModuleType("transformers")
    theirs.causal_mask = causal_mask
    beside = Path(transformer.__file__).parents[1] / "transformers" / "__init__.py"
    code = "def tokenize(n):\n    return causal_mask(n)"
    exec(compile(code, str(beside), "exec"), vars(theirs))
    tree = trace(theirs.tokenize, 2)
    assert [node.name for node in nodes(tree)] == ["transformer.model.masks.causal_mask"]


def test_tracing_changes_no_result():
    network, x = PositionwiseFeedForward(d_model=4, d_ff=8), torch.randn(1, 2, 4)
    results = []
    trace(lambda: results.append(network(x)))
    assert torch.equal(results[0], network(x))


@pytest.mark.parametrize("fails", [False, True])
def test_the_profiler_before_comes_back(fails):
    def profiler(*_):
        pass

    def work():
        causal_mask(2)
        if fails:
            raise KeyError("theirs")

    outer = sys.getprofile()
    sys.setprofile(profiler)
    try:
        if fails:
            with pytest.raises(KeyError, match="theirs"):
                trace(work)
        else:
            trace(work)
        assert sys.getprofile() is profiler
    finally:
        sys.setprofile(outer)


def test_an_error_of_the_package_propagates():
    attention = MultiHeadAttention(d_model=8, num_heads=2)
    with pytest.raises(ValueError, match=r"^n must be at least 1: got 0$"):
        trace(causal_mask, 0)
    x = torch.zeros(1, 3, 8)
    assert labels(trace(attention, x, x, x))[0] == "MultiHeadAttention.forward"


def test_refuses_what_cannot_be_called(no_shape_checks):
    with pytest.raises(TypeError, match=r"^fn must be callable: got 3$"):
        trace(3)


def test_a_call_without_result_is_still_the_root():
    tree = trace(DecoderCache(num_layers=1).select, torch.tensor([0]))
    assert tree.name == "transformer.model.cache.DecoderCache.select"
