"""Batches of encoded pairs: every pair once, in an order of the whole file, shared out by rows."""

from collections import Counter
from itertools import islice, takewhile

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.data.test_batching import names, pair, random_pairs, rows
from tests.refused import refused
from transformer.data.batching import batches, padding_share
from transformer.data.encoded_batches import EncodedBatches
from transformer.data.encoded_pairs import EncodedPairs

lengths = st.lists(st.tuples(st.integers(1, 12), st.integers(2, 12)), min_size=1, max_size=40)


@pytest.fixture(scope="module")
def encoded(tmp_path_factory):
    return EncodedPairs.write(tmp_path_factory.mktemp("pairs"), random_pairs(500), 1000)


@given(lengths=lengths, max_tokens=st.integers(12, 60), window=st.integers(1, 50))
def test_every_pair_once_within_the_budget(lengths, max_tokens, window, tmp_path_factory):
    pairs = [pair(*both, name=10 + i) for i, both in enumerate(lengths)]
    folder = tmp_path_factory.mktemp("pairs")
    made = EncodedBatches(EncodedPairs.write(folder, pairs, 100), max_tokens, window=window)
    for epoch in (0, 1):
        found = list(made(epoch))
        assert Counter(rows(found)) == Counter((tuple(src), tuple(tgt)) for src, tgt in pairs)
        for batch in found:
            assert max(batch.src.numel(), batch.tgt.numel()) <= max_tokens


def test_order_depends_on_seed_and_epoch_only(encoded):
    def order(seed, epoch):
        return names(EncodedBatches(encoded, 200, seed=seed, window=80)(epoch))

    first = order(0, 0)
    np.random.seed(1)
    assert order(0, 0) == first
    others = [order(0, 1), order(1, 0)]
    assert first not in others
    assert all(sorted(other) == sorted(first) for other in others)


def test_the_whole_file_is_shuffled(encoded):
    made = EncodedBatches(encoded, 200, window=50)
    first = {name for batch in islice(made(0), 5) for name in batch.src[:, 0].tolist()}
    assert min(first) < 10 + 100
    assert max(first) > 10 + 400


def test_as_little_padding_as_from_a_stream(encoded):
    pairs = random_pairs(500)
    streamed = padding_share(batches(pairs, 640))
    assert padding_share(EncodedBatches(encoded, 640)(0)) == pytest.approx(streamed, abs=0.02)


def first_epoch(rank_batches):
    return list(takewhile(lambda batch: batch.epoch == 0, rank_batches))


@pytest.mark.parametrize("world_size", [1, 2, 3])
def test_each_row_is_read_by_one_process(encoded, world_size):
    made = EncodedBatches(encoded, 60)
    whole = list(made(0))
    parts = [first_epoch(made.rank_batches(0, rank=rank, world_size=world_size))
             for rank in range(world_size)]  # fmt: skip
    assert {len(part) for part in parts} == {len(whole)}
    for number, (batch, *own) in enumerate(zip(whole, *parts), start=1):
        assert {(one.epoch, one.number) for one in own} == {(0, number)}
        assert {one.tokens for one in own} == {int((batch.tgt[:, 1:] != 0).sum())}
        found = [row for row in rows(own) if row[1]]  # a target of padding costs nothing
        assert Counter(found) == Counter(rows([batch]))
    assert any(len(batch.src) < 3 for batch in whole)  # where one had none


def test_goes_on_where_it_was_and_reads_nothing_before(encoded, monkeypatch):
    made, read = EncodedBatches(encoded, 200), []
    expected = list(islice(made.rank_batches(0), 60))
    assert expected[-1].epoch > 0
    padded = EncodedPairs.padded

    def spy(*arguments):
        read.append(1)
        return padded(*arguments)

    monkeypatch.setattr(EncodedPairs, "padded", spy)
    for done in (1, 20):
        read.clear()
        batch = next(made.rank_batches(0, done))
        assert (batch.epoch, batch.number) == (0, done + 1)
        assert all(map(torch.equal, batch[3:], expected[done][3:]))
        assert len(read) <= 4  # both sides of this one, and of the one ahead
    last = max(batch.number for batch in expected if batch.epoch == 0)
    batch = next(made.rank_batches(0, last))
    assert (batch.epoch, batch.number) == (1, 1)


def test_what_goes_wrong_while_reading_ahead_comes_to_the_caller(encoded, monkeypatch):
    with pytest.warns(DeprecationWarning, match="shares is now called rank_batches"):
        rank_batches = EncodedBatches(encoded, 200).shares(0)
    next(rank_batches)

    def gone(*_):
        raise OSError("the disk is gone")

    monkeypatch.setattr(EncodedPairs, "padded", gone)
    with pytest.raises(OSError, match=r"^the disk is gone$"):
        list(islice(rank_batches, 3))


def test_refuses_numbers_that_are_wrong(encoded):
    for name, least in {"max_tokens": 1, "seed": 0, "window": 1, "pad_id": 0}.items():
        with refused(ValueError, f"{name} must be at least {least}: got {least - 1}"):
            EncodedBatches(encoded, **{"max_tokens": 9, name: least - 1})
    with refused(ValueError, "epoch must be at least 0: got -1"):
        list(EncodedBatches(encoded, 9)(-1))
