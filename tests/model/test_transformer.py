"""The whole model against `nn.Transformer`, and what must hold for any translation model."""

import copy
import math
from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.nn import functional as F

from tests.parity import assert_near, assert_same_gradients, randomized, twin
from tests.refused import refusals
from transformer import (
    Transformer,
    TransformerConfig,
    count_parameters,
    padding_mask,
    record_attention,
)

TINY = TransformerConfig(
    11, 13, d_model=8, num_heads=2, num_encoder_layers=2, num_decoder_layers=2, d_ff=12,
    dropout=0.0, max_len=12,
)  # fmt: skip
SHARED = replace(TINY, tgt_vocab_size=11, share_embeddings=True, tie_output=True)
VARIANTS = {
    "post_norm": TINY,
    "pre_norm": replace(TINY, norm_first=True),
    "learned_positions": replace(TINY, positional="learned"),
    "shared": SHARED,
    "tied_output": replace(TINY, tie_output=True, pad_id=10),
}
EACH_VARIANT = pytest.mark.parametrize("config", VARIANTS.values(), ids=VARIANTS.keys())
FULL = torch.tensor([[5, 6, 7, 2], [8, 9, 3, 2]]), torch.tensor([[1, 4, 8], [1, 6, 3]])
PADDED = torch.tensor([[5, 6, 7, 2], [8, 2, 0, 0]]), torch.tensor([[1, 4, 8], [1, 6, 0]])
SRC, TGT = PADDED


def random_model(config: TransformerConfig) -> Transformer:
    model = Transformer(config)
    return randomized(model, model.encoder, model.decoder)


def random_ids(rows: int, length: int, real: int | None = None) -> Tensor:
    ids = torch.randint(3, 11, (rows, length))
    return ids if real is None else ids.masked_fill(torch.arange(length) >= real, 0)


# PyTorch's own


class Reference(nn.Module):
    """A translation model made of PyTorch's own modules, with the weights of ours."""

    def __init__(self, ours: Transformer) -> None:
        super().__init__()
        c = self.config = ours.config
        weights = [e.weight.detach().clone() for e in (ours.src_embedding, ours.tgt_embedding)]
        self.src_embedding, self.tgt_embedding = (
            nn.Embedding.from_pretrained(w, freeze=False, padding_idx=c.pad_id) for w in weights
        )
        if c.share_embeddings:
            self.tgt_embedding = self.src_embedding
        tables = [
            position(torch.zeros(1, c.max_len, c.d_model))[0]
            for position in (ours.src_position, ours.tgt_position)
        ]
        self.src_position, self.tgt_position = (
            nn.Embedding.from_pretrained(table.detach(), freeze=False) for table in tables
        )
        self.transformer = nn.Transformer(
            c.d_model, c.num_heads, 1, 1, dim_feedforward=c.d_ff, batch_first=True
        )
        self.transformer.encoder = twin(ours.encoder)  # now: the constructor would initialize
        self.transformer.decoder = twin(ours.decoder)  # them anew, and add a norm to post-norm
        self.output_layer = copy.deepcopy(ours.output_layer)
        if c.tie_output:
            self.output_layer.weight = self.tgt_embedding.weight
        self.train(ours.training)

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        scale, pad_id = math.sqrt(self.config.d_model), self.config.pad_id
        states = self.transformer(
            self.src_embedding(src) * scale + self.src_position.weight[: src.size(1)],
            self.tgt_embedding(tgt) * scale + self.tgt_position.weight[: tgt.size(1)],
            tgt_mask=torch.ones(tgt.size(1), tgt.size(1)).triu(1).bool(),
            src_key_padding_mask=src == pad_id,
            tgt_key_padding_mask=tgt == pad_id,
            memory_key_padding_mask=src == pad_id,
        )
        return self.output_layer(states)


@EACH_VARIANT
@pytest.mark.parametrize("ids", [FULL, PADDED], ids=["full", "padded"])
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_equals_pytorchs_transformer(config, ids, training, dtype):
    src, tgt = (x.masked_fill(x == 0, config.pad_id) for x in ids)
    ours = random_model(config).train(training)
    theirs = Reference(ours)
    output, expected = ours(src, tgt), theirs(src, tgt)
    assert_near(output, expected)
    upstream = torch.randn_like(output)
    output.backward(upstream)
    expected.backward(upstream)
    assert_same_gradients(ours.encoder, theirs.transformer.encoder)
    assert_same_gradients(ours.decoder, theirs.transformer.decoder)
    others = {n: p for n, p in ours.named_parameters() if not n.startswith(("encoder", "decoder"))}
    assert_near(
        [parameter.grad for parameter in others.values()],
        [theirs.get_parameter(name).grad for name in others],
    )


# Properties


@EACH_VARIANT
@given(lengths=st.lists(st.tuples(st.integers(1, 5), st.integers(1, 4)), min_size=1, max_size=4))
def test_a_batch_equals_its_rows_one_by_one(config, lengths):
    model = random_model(config)
    rows = [(random_ids(1, m), random_ids(1, n)) for m, n in lengths]
    rows = [(src.clamp(max=9), tgt.clamp(max=9)) for src, tgt in rows]  # 10 pads one variant
    src, tgt = (
        nn.utils.rnn.pad_sequence([ids[0] for ids in side], True, padding_value=config.pad_id)
        for side in zip(*rows)
    )
    for output, (own_src, own_tgt) in zip(model(src, tgt), rows):
        assert_near(output[: own_tgt.size(1)], model(own_src, own_tgt)[0])


@EACH_VARIANT
def test_masks_reach_the_kernel_where_something_is_padded(config, monkeypatch):
    """Elsewhere none does, but the causal mask where several tokens are new."""
    given = []

    def spy(*args, attn_mask):
        given.append(attn_mask is not None)
        return kernel(*args, attn_mask=attn_mask)

    kernel = F.scaled_dot_product_attention
    monkeypatch.setattr(F, "scaled_dot_product_attention", spy)
    model = random_model(config).eval()

    def seen(tgt, cache=None):
        given.clear()
        model.decode(tgt, memory, mask, cache)
        assert given == given[:2] * config.num_decoder_layers
        return given[:2]

    with torch.no_grad():
        src, tgt = FULL
        mask, memory = model.source_mask(src), model.encode(src)
        assert given == [False] * config.num_encoder_layers
        assert seen(tgt) == [True, False]
        cache = model.new_cache()
        assert seen(tgt[:, :1], cache) == [False, False]
        assert seen(tgt[:, 1:], cache) == [True, False]  # two new after one old
        src = src.masked_fill(torch.tensor([[0, 0, 0, 0], [0, 0, 0, 1]]).bool(), config.pad_id)
        given.clear()
        mask, memory = model.source_mask(src), model.encode(src)
        assert given == [True] * config.num_encoder_layers
        assert seen(tgt) == [True, True]
        tgt = tgt.masked_fill(torch.tensor([[0, 0, 0], [0, 0, 1]]).bool(), config.pad_id)
        assert seen(tgt) == [True, True]
        cache = model.new_cache()
        model.decode(tgt, memory, mask, cache)
        assert seen(tgt[:, :1], cache) == [True, True]  # padding is remembered


def test_a_source_of_padding_alone_leaves_everything_finite():
    model = random_model(TINY)
    output = model(torch.tensor([[0, 0], [5, 2]]), torch.tensor([[1, 4], [0, 0]]))
    output.square().sum().backward()
    assert output.isfinite().all()
    assert all(parameter.grad.isfinite().all() for parameter in model.parameters())


# Initialization and sharing


def test_linear_maps_start_xavier_uniform_with_zero_bias():
    model = Transformer(replace(TINY, d_model=32, d_ff=64, d_k=5, d_v=7))
    linears = [m for m in model.modules() if isinstance(m, nn.Linear)]
    assert len(linears) == 2 * (4 + 2) + 2 * (8 + 2) + 1
    for linear in linears:
        bound = math.sqrt(6 / (linear.in_features + linear.out_features))
        largest = linear.weight.abs().max().item()
        assert 0.9 * bound < largest <= bound
        assert linear.weight.std().item() == pytest.approx(bound / math.sqrt(3), rel=0.15)
        assert not linear.bias.any()


@pytest.mark.parametrize("tie_output", [False, True])
def test_embeddings_start_with_variance_one_over_d_model(tie_output):
    config = TransformerConfig(500, 600, d_model=64, num_heads=2, d_ff=8, tie_output=tie_output)
    model = Transformer(config)
    for embedding in (model.src_embedding, model.tgt_embedding):
        assert embedding.weight[1:].std().item() == pytest.approx(1 / 8, rel=0.05)
        assert not embedding.weight[0].any()


@pytest.mark.parametrize("share_embeddings", [False, True])
@pytest.mark.parametrize("tie_output", [False, True])
def test_tied_weights_are_one_tensor(share_embeddings, tie_output):
    config = replace(SHARED, share_embeddings=share_embeddings, tie_output=tie_output)
    model = Transformer(config)
    for each in (model, copy.deepcopy(model), copy.deepcopy(model).to(torch.float64)):
        src, tgt, output = each.src_embedding, each.tgt_embedding, each.output_layer
        assert (src.weight is tgt.weight) == share_embeddings
        assert (output.weight is tgt.weight) == tie_output
        assert (output.bias is None) == tie_output


def test_count_parameters_leaves_out_frozen_ones():
    model = Transformer(TINY)
    model.encoder.requires_grad_(False)
    counts = count_parameters(model)
    assert counts["encoder"] == 0
    assert counts["total"] == sum(v for k, v in counts.items() if k != "total")


# Dropout, only where §5.4 has it


def test_dropout_stands_on_sub_layers_and_on_the_sum_of_embedding_and_position():
    model = Transformer(replace(TINY, dropout=0.3))
    dropouts = {n: m.p for n, m in model.named_modules() if isinstance(m, nn.Dropout)}
    layers = [f"{stack}.layers.{i}.dropout" for stack in ("encoder", "decoder") for i in (0, 1)]
    assert dropouts == dict.fromkeys(["dropout", *layers], 0.3)
    calls = []
    for name in dropouts:
        model.get_submodule(name).register_forward_hook(lambda *_, name=name: calls.append(name))
    model(SRC, TGT)
    assert {name: calls.count(name) for name in dropouts} == {
        "dropout": 2,  # source and target
        **{name: 2 if "encoder" in name else 3 for name in layers},
    }


def test_dropping_everything_at_the_entrance_leaves_nothing():
    model = random_model(replace(TINY, norm_first=True))
    model.dropout.p = 1.0
    entrances = []
    for stack in (model.encoder, model.decoder):
        stack.register_forward_pre_hook(lambda _, args: entrances.append(args[0]))
    model(SRC, TGT)
    assert [x.any().item() for x in entrances] == [False, False]


# Devices: a tensor made on the CPU by accident does not go together with one on "meta"


@EACH_VARIANT
@pytest.mark.parametrize("place", ["cpu", "meta"], ids=["ids_on_the_cpu", "ids_on_meta"])
def test_all_is_made_where_the_model_is(config, place):
    with torch.device("meta"):
        model = Transformer(config)
    src, tgt = SRC.to(place), TGT.to(place)
    assert model(src, tgt).is_meta
    memory, cache = model.encode(src), model.new_cache()
    mask = padding_mask(src.to("meta"), config.pad_id)
    for i in range(3):
        states = model.decode(tgt[:, i : i + 1], memory, mask, cache)
        assert model.project(states).is_meta
        cache.select(torch.tensor([1, 0], device="meta"))
    assert cache.length == 3
    with record_attention(model) as weights:
        model(src, tgt)
    assert all(w.is_meta for calls in weights.values() for w in calls)


@EACH_VARIANT
def test_a_model_made_without_memory_gets_it_later(config):
    """PyTorch's way: build on "meta", `to_empty`, load; tables and tied weights too."""
    expected = random_model(config).eval()
    with torch.device("meta"):
        model = Transformer(config)
    model.to_empty(device="cpu").load_state_dict(expected.state_dict())
    assert torch.equal(model.eval()(SRC, TGT), expected(SRC, TGT))
    assert (model.output_layer.weight is model.tgt_embedding.weight) == config.tie_output


# Precision, compiling, exporting


@EACH_VARIANT
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_other_precisions(config, dtype):
    model = Transformer(config).eval()
    expected = model(SRC, TGT)
    output = model.to(dtype)(SRC, TGT)
    assert output.dtype == dtype
    tolerance = {torch.float64: 1e-5, torch.bfloat16: 0.1}[dtype] * expected.abs().max().item()
    torch.testing.assert_close(output.float(), expected, rtol=0, atol=tolerance)


@EACH_VARIANT
@given(now=st.integers(1, 4), length=st.integers(2, 5))
def test_future_tokens_cannot_matter(config, now, length):
    now = min(now, length - 1)
    model, src = random_model(config), random_ids(2, 4)
    tgt, later = random_ids(2, length), random_ids(2, length)
    tgt[:, now], later[:, now] = 3, 4
    before, after = model(src, tgt), model(src, torch.cat([tgt[:, :now], later[:, now:]], dim=1))
    assert torch.equal(before[:, :now], after[:, :now])
    assert not torch.equal(before[:, now], after[:, now])


@given(length=st.integers(2, 5), data=st.data())
def test_memory_at_padding_cannot_matter(length, data):
    real = data.draw(st.integers(1, length - 1))
    model, src, tgt = random_model(TINY), random_ids(2, length, real), random_ids(2, 3)
    memory, mask = model.encode(src), padding_mask(src, 0)
    changed = torch.where(mask[:, 0, 0, :, None], memory, 100 * torch.randn(memory.shape))
    assert torch.equal(model.decode(tgt, changed, mask), model.decode(tgt, memory, mask))


@pytest.mark.compile
@pytest.mark.filterwarnings("ignore:.*script_method.*:DeprecationWarning")  # PyTorch's own
@pytest.mark.parametrize("config", [TINY, SHARED], ids=["plain", "shared"])
def test_compiles_to_one_graph(config, compiler, no_shape_checks):
    model = random_model(config)
    compiled = torch.compile(model, fullgraph=True)
    assert_near(compiled(SRC, TGT), model(SRC, TGT))


@pytest.mark.parametrize("strict", [True, False], ids=["strict", "non_strict"])
def test_exports_any_size(strict, no_shape_checks):
    model = random_model(SHARED).eval()
    batch = torch.export.Dim("batch")
    shapes = [{0: batch, 1: torch.export.Dim(name, max=12)} for name in ("src_len", "tgt_len")]
    program = torch.export.export(model, (SRC, TGT), dynamic_shapes=shapes, strict=strict)
    for rows, src_len, tgt_len in [(2, 4, 3), (3, 7, 12), (4, 12, 2)]:
        ids = random_ids(rows, src_len, real=src_len - 1), random_ids(rows, tgt_len)
        assert_near(program.module()(*ids), model(*ids))


# Errors

MODEL = Transformer(TINY)
MEMORY = MODEL.encode(SRC).detach()
EMPTY = torch.zeros(0, 3, dtype=torch.int64)


def ids(*rows: object) -> Tensor:
    return torch.tensor(rows)


test_refuses = refusals(
    (lambda: MODEL(ids([5, 11]), ids([1])), ValueError,
     "src must be from 0 to 10 (src_vocab_size=11): got 11"),
    (lambda: MODEL(ids([5, -1]), ids([1])), ValueError,
     "src must be from 0 to 10 (src_vocab_size=11): got -1"),
    (lambda: MODEL(ids([5, 2]), ids([1, 13])), ValueError,
     "tgt must be from 0 to 12 (tgt_vocab_size=13): got 13"),
    (lambda: MODEL(ids([5] * 13), ids([1])), ValueError,
     "the sequence must end by max_len=12: got positions 0 to 12"),
    (lambda: MODEL(ids([5]), ids([1] * 14)), ValueError,
     "the sequence must end by max_len=12: got positions 0 to 13"),
    (lambda: MODEL(EMPTY, TGT), ValueError, "src must hold at least one token: got shape (0, 3)"),
    (lambda: MODEL(SRC, EMPTY), ValueError, "tgt must hold at least one token: got shape (0, 3)"),
    (lambda: MODEL(EMPTY.T, TGT), ValueError, "src must hold at least one token: got shape (3, 0)"),
    (lambda: MODEL([[5, 2]], TGT), TypeError,
     "src must be a tensor of ids: got list (make it with torch.tensor)"),
    (lambda: MODEL(SRC, None), TypeError, "tgt must be a tensor of ids: got NoneType"),
    (lambda: MODEL(SRC.float(), TGT), TypeError, "src must be int64 or int32: got torch.float32"),
    (lambda: MODEL(SRC, ids([True])), TypeError, "tgt must be int64 or int32: got torch.bool"),
    (lambda: MODEL(SRC, TGT[0]), ValueError, "tgt must have shape (batch, seq_len): got (3,)"),
    (lambda: MODEL(SRC[0], TGT), ValueError, "src must have shape (batch, seq_len): got (4,)"),
    (lambda: MODEL.encode(SRC.to_sparse()), TypeError,
     "src must be a dense tensor: got torch.sparse_coo"),
    (lambda: MODEL.encode(SRC.to("meta")), ValueError, "src must hold ids: got a tensor on meta"),
    (lambda: MODEL.decode(TGT, None, None), TypeError,
     "memory must be a tensor of states: got NoneType"),
    (lambda: MODEL.decode(TGT, MEMORY[0], None), ValueError,
     "memory must have shape (2, seq_len, 8): got (4, 8)"),
    (lambda: MODEL.decode(TGT, MEMORY[:1], None), ValueError,
     "memory must have shape (2, seq_len, 8): got (1, 4, 8)"),
    (lambda: MODEL.decode(TGT, MEMORY.double(), None), TypeError,
     "memory must be torch.float32: got torch.float64"),
    (lambda: MODEL.decode(TGT, MEMORY, [True]), TypeError,
     "mask must be boolean (True = may be attended to): got list"),
    (lambda: MODEL.decode(TGT, MEMORY, torch.ones(2, 1, 1, 4)), TypeError,
     "mask must be boolean (True = may be attended to): got torch.float32"),
    (lambda: MODEL.decode(TGT, MEMORY, torch.ones(2, 1, 1, 3).bool()), ValueError,
     "mask must broadcast to the scores (2, 1, 1, 4): got shape (2, 1, 1, 3)"),
    (lambda: MODEL.project(MEMORY[..., :4]), ValueError,
     "states must have shape (batch, seq_len, 8): got (2, 4, 4)"),
)  # fmt: skip
