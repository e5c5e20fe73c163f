"""Embeddings and positions."""

import math

import pytest
import torch
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


@pytest.mark.parametrize("pad_id", [0, 4])
def test_padding_embeds_to_zero_whatever_its_row_holds(pad_id):
    embedding = TokenEmbedding(vocab_size=10, d_model=4, pad_id=pad_id)
    assert not embedding.weight[pad_id].any()
    with torch.no_grad():
        embedding.weight[pad_id] = 7
    assert not embedding(torch.tensor([[pad_id, 5]]))[0, 0].any()
    assert embedding(torch.tensor([[pad_id, 5]]))[0, 1].all()


def test_positional_encoding_by_hand():
    table = PositionalEncoding(d_model=4, max_len=3).table
    expected = [
        [0, 1, 0, 1],
        [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)],  # 10000^(2/4) = 100
        [math.sin(2), math.cos(2), math.sin(0.02), math.cos(0.02)],
    ]
    torch.testing.assert_close(table, torch.tensor(expected))


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
@pytest.mark.parametrize(("start", "length"), [(0, 11), (7, 4), (10, 1)])
def test_refuses_positions_beyond_max_len(position, start, length):
    text = f"the sequence must end by max_len=10: got positions {start} to {start + length - 1}"
    with refused(ValueError, text):
        position(d_model=4, max_len=10)(torch.zeros(1, length, 4), start)
