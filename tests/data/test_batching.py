"""Batches of a stream of pairs."""

import warnings
from collections import Counter
from functools import partial
from random import Random

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from tests.peak_memory import peak_of
from tests.refused import refusals, refused
from transformer.data.batching import Batch, batches, collate, padding_share
from transformer.data.report import Report


def pair(src_len, tgt_len, name=9):
    """Return a pair whose source starts with its name."""
    return ([name, *[7] * (src_len - 2), 2][:src_len], [1, *[8] * (tgt_len - 2), 2][-tgt_len:])


def random_pairs(count, seed=0):
    """Return pairs with names from 10 on and lengths such as sentences have."""
    rng = Random(seed)
    lengths = [min(60, max(3, int(rng.lognormvariate(2.2, 0.5)))) for _ in range(count)]
    return [pair(n, max(3, int(n * rng.uniform(0.7, 1.5))), 10 + i) for i, n in enumerate(lengths)]


def names(some_batches):
    return [name for batch in some_batches for name in batch.src[:, 0].tolist()]


def rows(some_batches):
    """Return the pairs in batches, without their padding."""
    for batch in some_batches:
        for src, tgt in zip(batch.src.tolist(), batch.tgt.tolist()):
            yield tuple(i for i in src if i), tuple(i for i in tgt if i)


lengths = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=40)


@example(lengths=[(1, 12)], max_tokens=12, window=1)
@given(lengths=lengths, max_tokens=st.integers(12, 60), window=st.integers(1, 50))
def test_every_pair_once_within_the_budget_and_padding_at_the_end(lengths, max_tokens, window):
    pairs = [pair(*both, name=10 + i) for i, both in enumerate(lengths)]
    made = list(batches(iter(pairs), max_tokens, window=window))
    assert Counter(rows(made)) == Counter((tuple(src), tuple(tgt)) for src, tgt in pairs)
    for batch in made:
        assert max(batch.src.numel(), batch.tgt.numel()) <= max_tokens
        for ids in (batch.src, batch.tgt):
            assert ids.dtype == torch.int64
            assert (ids != 0).any(dim=0).all(), "no column is all padding"
            real = ids != 0
            assert torch.equal(real, real.cummin(dim=1).values), "nothing follows padding"


@given(lengths=lengths, max_tokens=st.integers(6, 20), max_len=st.integers(1, 6))
def test_what_is_too_long_is_reported_and_counted(lengths, max_tokens, max_len):
    pairs = [pair(3, 3), *(pair(*both, name=10 + i) for i, both in enumerate(lengths))]
    for limit in (None, max_len):
        longest = limit or max_tokens
        report = Report(cap=100)
        fits = [p for p in pairs if max(map(len, p)) <= longest]
        if not fits:
            continue
        made = list(batches(pairs, max_tokens, max_len=limit, report=report))
        assert Counter(rows(made)) == Counter((tuple(src), tuple(tgt)) for src, tgt in fits)
        assert report.problems == [
            ("pair", number, "too long", f"{max(map(len, p))} tokens, at most {longest}")
            for number, p in enumerate(pairs, 1)
            if p not in fits
        ]
        assert report.left_out == len(pairs) - len(fits)


def test_without_a_report_a_warning_tells_which_pairs_are_too_long():
    with pytest.warns(UserWarning, match=r"left out: 1 .*\n  pair 2: too long \(9 tok") as caught:
        assert names(batches([pair(3, 3), pair(9, 4)], max_tokens=8)) == [9]
    assert caught[0].filename == __file__


@given(seed=st.integers(0, 5), epoch=st.integers(0, 5))
def test_order_depends_on_seed_and_epoch_only(seed, epoch):
    pairs = random_pairs(200)

    def order(seed, epoch):
        return names(batches(pairs, 200, seed=seed, epoch=epoch, window=80))

    torch.manual_seed(seed)
    first = order(seed, epoch)
    torch.manual_seed(seed + 1)
    assert order(seed, epoch) == first
    assert order(seed, epoch + 1) != first
    assert order(seed + 1, epoch) != first
    assert sorted(order(seed, epoch + 1)) == sorted(first)


def test_batches_of_another_epoch_hold_other_pairs():
    pairs = [pair(5, 5, name=10 + i) for i in range(100)]
    one, two = (
        {frozenset(names([batch])) for batch in batches(pairs, 50, epoch=epoch)} for epoch in (0, 1)
    )
    assert not one & two


def test_batches_do_not_come_sorted_by_length():
    widths = [batch.src.size(1) for batch in batches(random_pairs(1000), 300)]
    assert widths not in (sorted(widths), sorted(widths, reverse=True))


def test_length_and_budget_waste_less_than_other_strategies():
    pairs = random_pairs(4000)
    by_length = sorted(pairs, key=lambda p: len(p[0]))
    rows = range(0, len(pairs), 64)
    at_random = padding_share(collate(pairs[i : i + 64]) for i in rows)
    sorted_only = padding_share(collate(by_length[i : i + 64]) for i in rows)
    ours = padding_share(batches(pairs, 640))
    windowed = padding_share(batches(pairs, 640, window=500))
    assert ours < windowed < at_random / 3
    assert ours < sorted_only / 2
    assert ours < 0.1


def test_equal_lengths_need_no_padding_and_fill_the_budget():
    made = list(batches([pair(5, 4)] * 100, max_tokens=54))
    assert [tuple(batch.src.shape) for batch in made] == [(10, 5)] * 10
    assert padding_share(made) == 0
    assert len(list(batches([pair(3, 10)], max_tokens=10, max_len=10))) == 1


def test_neighbours_are_alike_on_both_sides():
    pairs = [*[pair(3, 3)] * 3, pair(3, 9), pair(4, 9), *[pair(4, 3)] * 3]
    made = list(batches(pairs, max_tokens=18))
    shapes = sorted((tuple(batch.src.shape), tuple(batch.tgt.shape)) for batch in made)
    assert shapes == [((2, 4), (2, 9)), ((3, 3), (3, 3)), ((3, 4), (3, 3))]


def test_memory_stays_flat_for_many_pairs(no_shape_checks):
    stream = (pair(5 + i % 7, 6, name=10 + i) for i in range(50_000))
    made = batches(stream, 4096, window=1000)
    count, peak = peak_of(lambda: sum(len(batch.src) for batch in made))
    assert count == 50_000
    assert peak < 2e6


def test_a_batch_by_hand():
    batch = collate([([5, 2], [1, 6, 2]), ([7, 8, 9, 2], [1, 2])])
    assert batch.src.tolist() == [[5, 2, 0, 0], [7, 8, 9, 2]]
    assert batch.tgt.tolist() == [[1, 6, 2], [1, 2, 0]]
    assert batch.num_tokens == 11
    assert padding_share([batch]) == 3 / 14
    assert padding_share([batch, collate([([5], [6])])]) == 3 / 16


def test_a_batch_moves_as_a_whole():
    batch = collate([([5, 2], [1, 6, 2])])
    moved = batch.to("meta")
    assert moved.src.is_meta
    assert moved.tgt.is_meta
    assert not batch.src.is_meta
    with pytest.raises(AttributeError):
        batch.src = batch.tgt


@given(pairs=st.lists(st.tuples(*[st.lists(st.integers(0, 9), min_size=1)] * 2), min_size=1),
       pad_id=st.integers(0, 9))  # fmt: skip
def test_padding_is_the_same_in_batch_and_count(pairs, pad_id):
    pairs = [tuple([i + (i >= pad_id) for i in side] for side in pair) for pair in pairs]
    (batch,) = batches(pairs, max_tokens=10_000, pad_id=pad_id)
    assert batch.pad_id == batch.to("cpu").pad_id == pad_id
    assert batch.num_tokens == sum(len(side) for pair in pairs for side in pair)
    kept = (tuple(tuple(i for i in row.tolist() if i != pad_id) for row in both)
            for both in zip(batch.src, batch.tgt))  # fmt: skip
    assert Counter(kept) == Counter(tuple(map(tuple, pair)) for pair in pairs)


# Errors


def test_an_epoch_without_pairs_is_an_error():
    stream = iter([pair(3, 3)])
    list(batches(stream, max_tokens=10))
    text = "pairs must hold at least one that fits into a batch: {} left out (an iterator …"
    with refused(ValueError, text.format(0)):
        list(batches(stream, max_tokens=10))
    with warnings.catch_warnings(), refused(ValueError, text.format(2)):
        list(batches([pair(30, 3)] * 2, max_tokens=10))


def options_that_are_wrong():
    for options, error, text in (
        ({"epoch": -1}, ValueError, "epoch must be at least 0: got -1"),
        ({"seed": "a"}, TypeError, "seed must be an integer: got 'a'"),
        ({"pad_id": -1}, ValueError, "pad_id must be at least 0: got -1"),
        ({"max_tokens": 9.5}, TypeError, "max_tokens must be an integer: got 9.5"),
        ({"max_tokens": 0}, ValueError, "max_tokens must be at least 1: got 0"),
        ({"max_len": 0}, ValueError, "max_len must be at least 1: got 0"),
        ({"window": -3}, ValueError, "window must be at least 1: got -3"),
        ({"max_tokens": 9, "max_len": 10}, ValueError, "max_tokens must be at least max_len, so "
         "that each sentence fits into a batch: got max_tokens=9, max_len=10"),
    ):  # fmt: skip
        yield partial(batches, [pair(3, 3)], **{"max_tokens": 10, **options}), error, text


def pairs_that_are_none():
    no_ids = [
        ([], [1, 2]), ([5], []), ([5, 0], [1, 2]), ([5], [1, 2, 0]), ([5], [1, -2]),
        ([5.0], [1, 2]), ([5], [True, 2]), ([5], ["1"]), ("ab", [1, 2]), ([5], 7),
        ([2**40], [1, 2]),
    ]  # fmt: skip
    text = "both sides of pair 2 must hold ids, none of them 0 (padding): got {}, {}"
    texts = [(wrong, text.format(*wrong)) for wrong in no_ids]
    no_pairs = [5, ([1], [2], [3]), None]
    texts += [(one, f"pair 2 must be (source ids, target ids): got {one}") for one in no_pairs]
    for wrong, text in texts:
        for read in (lambda pairs: list(batches(pairs, max_tokens=10)), collate):
            yield partial(read, [pair(3, 3), wrong]), ValueError, text


IDS = torch.ones(2, 3, dtype=torch.int64)
test_refuses = refusals(
    *options_that_are_wrong(),
    *pairs_that_are_none(),
    (lambda: collate([]), ValueError, "a batch must hold at least one pair: got none"),
    (lambda: collate([([5], [6])], pad_id=2.0), TypeError, "pad_id must be an integer: got 2.0"),
    (lambda: collate([([5], [6])], pad_id=6), ValueError,
     "both sides of pair 1 must hold ids, none of them 6 (padding): got [5], [6]"),
    (lambda: padding_share([]), ValueError, "batches must hold at least one batch: got none"),
    (lambda: Batch([[5]], IDS), TypeError,
     "src must be a tensor of ids: got list (make it with torch.tensor)"),
    (lambda: Batch(IDS, torch.cat([IDS, IDS[:1]])), ValueError,
     "src and tgt must have a row for each pair: got 2 and 3"),
    (lambda: Batch(IDS, IDS, pad_id="0"), TypeError, "pad_id must be an integer: got '0'"),
)  # fmt: skip
