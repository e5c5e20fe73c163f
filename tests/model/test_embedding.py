"""Embeddings and positions."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

from tests.parity import assert_near
from tests.refused import refused
from transformer import LearnedPositionalEmbedding, PositionalEncoding, TokenEmbedding

POSITIONS = pytest.mark.parametrize("position", [PositionalEncoding, LearnedPositionalEmbedding])
IDS = torch.tensor([[5, 0, 9], [1, 5, 0]])


def test_token_embedding_is_a_scaled_look_up(dtype):
    embedding = TokenEmbedding(vocab_size=10, d_model=6)
    assert_near(embedding(IDS), F.embedding(IDS, embedding.weight) * math.sqrt(6))
    assert torch.equal(embedding(IDS.int()), embedding(IDS))


def test_token_embedding_by_hand():
    embedding = TokenEmbedding(vocab_size=3, d_model=4)
    with torch.no_grad():
        embedding.weight.copy_(torch.arange(12).view(3, 4))
    assert embedding(torch.tensor([[2, 0, 1]])).tolist() == [
        [[16, 18, 20, 22], [0, 0, 0, 0], [8, 10, 12, 14]]  # the rows times √4
    ]


def test_rows_start_with_variance_one_over_d_model():
    embedding = TokenEmbedding(vocab_size=2000, d_model=64)
    rows = embedding.weight[1:]
    assert rows.std().item() == pytest.approx(1 / 8, rel=0.02)
    assert rows.mean().item() == pytest.approx(0, abs=0.002)
    assert embedding(torch.arange(1, 2000)[None]).std().item() == pytest.approx(1, rel=0.02)


@pytest.mark.parametrize("pad_id", [0, 4])
def test_padding_embeds_to_zero_whatever_its_row_holds(pad_id):
    embedding = TokenEmbedding(vocab_size=10, d_model=4, pad_id=pad_id)
    assert not embedding.weight[pad_id].any()
    with torch.no_grad():
        embedding.weight[pad_id] = 7
    assert not embedding(torch.tensor([[pad_id, 5]]))[0, 0].any()
    assert embedding(torch.tensor([[pad_id, 5]]))[0, 1].all()


@pytest.mark.parametrize("optimizer", [torch.optim.SGD, torch.optim.Adam])
def test_training_leaves_the_padding_row_zero(optimizer):
    embedding = TokenEmbedding(vocab_size=10, d_model=4)
    before = embedding.weight.detach().clone()
    step = optimizer(embedding.parameters(), lr=0.1)
    embedding(IDS).square().sum().backward()
    assert not embedding.weight.grad[0].any()
    step.step()
    assert not embedding.weight[0].any()
    changed = (embedding.weight != before).any(dim=1)
    assert changed.nonzero().flatten().tolist() == [1, 5, 9]


def test_positional_encoding_by_hand():
    table = PositionalEncoding(d_model=4, max_len=3).table
    expected = [
        [0, 1, 0, 1],
        [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)],  # 10000^(2/4) = 100
        [math.sin(2), math.cos(2), math.sin(0.02), math.cos(0.02)],
    ]
    torch.testing.assert_close(table, torch.tensor(expected))


@given(half=st.integers(1, 8), shift=st.integers(0, 20))
def test_a_shift_is_a_rotation(half, shift):
    """PE(pos + k) = R_k · PE(pos), and R_k does not depend on pos (§3.5)."""
    table = PositionalEncoding(d_model=2 * half, max_len=50).table.double()
    rotation = torch.zeros(2 * half, 2 * half, dtype=torch.float64)
    for i in range(half):
        angle = shift / 10000 ** (i / half)
        sin, cos = math.sin(angle), math.cos(angle)
        rotation[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[cos, sin], [-sin, cos]])
    shifted = table[:30] @ rotation.T
    torch.testing.assert_close(shifted, table[shift : shift + 30], rtol=0, atol=1e-6)


def test_positional_encoding_is_in_full_precision(dtype):
    table = PositionalEncoding(d_model=512, max_len=512).table
    assert table.dtype == dtype
    position, pair = 511, 200
    angle = position / 10000 ** (2 * pair / 512)
    expected = torch.tensor([math.sin(angle), math.cos(angle)], dtype=dtype)
    assert_near(table[position, 2 * pair : 2 * pair + 2], expected)


def test_positional_encoding_is_neither_trained_nor_saved():
    encoding = PositionalEncoding(d_model=4)
    assert not list(encoding.parameters())
    assert not encoding.state_dict()
    assert encoding.to(torch.float64).table.dtype == torch.float64


def test_the_table_has_its_numbers_wherever_the_module_goes():
    expected = PositionalEncoding(d_model=6, max_len=10).table
    with torch.device("meta"):
        deferred = PositionalEncoding(d_model=6, max_len=10)
    assert deferred.table.is_meta
    assert torch.equal(deferred.to_empty(device="cpu").table, expected)
    deferred.table.zero_()
    assert torch.equal(deferred.to_empty(device="cpu").table, expected)
    deferred.table.zero_()
    deferred.reset_parameters()
    assert torch.equal(deferred.table, expected)
    assert_near(deferred.double().table.float(), expected)


class NoDoubles(TorchDispatchMode):
    """Refuse double precision on "meta", as Apple's "mps" does."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor) and result.is_meta and result.dtype == torch.float64:
            raise TypeError("this device has no float64")
        return result


def test_the_table_moves_to_a_device_without_double_precision():
    with NoDoubles():
        with pytest.raises(TypeError):
            torch.zeros(1, dtype=torch.float64, device="meta")
        assert PositionalEncoding(d_model=4).to("meta").table.is_meta


def test_learned_positions_are_trained():
    embedding = LearnedPositionalEmbedding(d_model=64, max_len=500)
    assert embedding.weight.std().item() == pytest.approx(1 / 8, rel=0.02)
    embedding(torch.zeros(3, 2, 64)).sum().backward()
    assert embedding.weight.grad[:2].unique().tolist() == [3]  # one for each row of the batch
    assert not embedding.weight.grad[2:].any()


@POSITIONS
@given(start=st.integers(0, 6), length=st.integers(1, 4))
def test_positions_are_added_from_start(position, start, length):
    module = position(d_model=6, max_len=10)
    x = torch.randn(2, length, 6)
    rows = module(torch.zeros(1, 10, 6))[0, start : start + length]
    assert torch.equal(module(x, start), x + rows)


@POSITIONS
@pytest.mark.parametrize(("start", "length"), [(0, 11), (7, 4), (10, 1)])
def test_refuses_positions_beyond_max_len(position, start, length):
    text = f"the sequence must end by max_len=10: got positions {start} to {start + length - 1}"
    with refused(ValueError, text):
        position(d_model=4, max_len=10)(torch.zeros(1, length, 4), start)
