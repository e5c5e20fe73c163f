"""Pairs of ids on disk: what was written is what is read, and nothing half written is taken."""

import json
import os
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.refused import refused
from transformer.data import encoded_pairs
from transformer.data.batching import collate
from transformer.data.encoded_pairs import EncodedPairs
from transformer.data.report import Report

side = st.lists(st.integers(1, 70_000), min_size=1, max_size=9)
PAIRS = [([5, 2], [1, 6, 2]), ([7, 8, 2], [1, 2]), ([9], [1, 9, 9, 2])]


@given(pairs=st.lists(st.tuples(side, side), min_size=1, max_size=20))
def test_what_was_written_is_what_is_read(pairs, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pairs")
    for vocab_size in (70_001, 1_000_000):
        encoded = EncodedPairs.write(folder, iter(pairs), vocab_size)
        assert list(encoded) == pairs
        assert encoded[-1] == pairs[-1]
    numbers = np.arange(len(pairs))[::-1]
    batch = collate(pairs[::-1])
    for number, expected in enumerate((batch.src, batch.tgt)):
        assert encoded.padded(numbers, number).tolist() == expected.tolist()
    lengths = [[len(src), len(tgt)] for src, tgt in pairs[::-1]]
    assert encoded.lengths(numbers).tolist() == lengths


@pytest.mark.parametrize(("vocab_size", "size"), [(65_536, 2), (65_537, 4)])
def test_an_id_takes_two_bytes_where_they_are_enough(tmp_path, vocab_size, size):
    highest = vocab_size - 1
    encoded = EncodedPairs.write(tmp_path, [([highest], [1, highest])], vocab_size)
    assert np.load(tmp_path / "ids-1.npy").itemsize == size
    assert encoded[0] == ([highest], [1, highest])
    with pytest.raises(ValueError, match=rf"^ids must be from 0 to {highest} .*: got {vocab_size}"):
        EncodedPairs.write(tmp_path, [([vocab_size], [1])], vocab_size)


def test_what_is_too_long_is_left_out_and_reported(tmp_path, no_shape_checks):
    report = Report()
    encoded = EncodedPairs.write(tmp_path, PAIRS, 10, max_len=3, report=report)
    assert list(encoded) == PAIRS[:2]
    assert report.problems == [("pair", 3, "too long", "4 tokens, at most 3")]
    with pytest.warns(UserWarning, match=r"left out: 1 .*\n  pair 3: too long"):
        EncodedPairs.write(tmp_path, PAIRS, 10, max_len=3)
    text = "pairs must hold at least one to be written: 1 left out"
    with pytest.raises(ValueError, match=f"^{text}$"):
        EncodedPairs.write(tmp_path, PAIRS[2:], 10, max_len=3, report=Report())


def test_many_are_written_a_part_at_a_time(tmp_path, no_shape_checks):
    encoded = EncodedPairs.write(tmp_path, (([5 + i % 3, 2], [1, 2]) for i in range(25_001)), 10)
    assert len(encoded) == 25_001
    assert [encoded[i][0][0] for i in (0, 9_999, 10_000, 25_000)] == [5, 5, 6, 6]


def test_another_process_opens_the_same_files(tmp_path, no_shape_checks):
    encoded = EncodedPairs.write(tmp_path, PAIRS, 10, origin={"of": "here"})
    sent = pickle.dumps(encoded)
    assert len(sent) < 500
    again = pickle.loads(sent)
    assert list(again) == PAIRS
    assert (again.vocab_size, again.origin) == (10, {"of": "here"})
    with pytest.raises(IndexError, match=r"^number must be below 3: got 3$"):
        again[3]
    with pytest.raises(TypeError, match=r"^number must be an integer: got slice\(0, 2, None\)$"):
        again[0:2]


def _broken():
    yield PAIRS[0]
    raise InterruptedError


@pytest.mark.parametrize(
    ("refused", "error"),
    [(_broken, InterruptedError), (list, ValueError), (lambda: [([0], [1])], ValueError)],
)
def test_what_is_refused_or_stopped_leaves_what_was_there(tmp_path, refused, error):
    with pytest.raises(error):
        EncodedPairs.write(tmp_path, refused(), 10)
    assert not list(tmp_path.iterdir())
    with pytest.raises(FileNotFoundError, match=r"header\.json"):
        EncodedPairs(tmp_path)
    EncodedPairs.write(tmp_path, PAIRS, 10)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(error):
        EncodedPairs.write(tmp_path, refused(), 10)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("windows", [False, True])
def test_pairs_may_be_written_over_those_they_are_made_of(tmp_path, windows, monkeypatch):
    """What is open stays; files that Windows keeps are removed by a later writing."""
    first = EncodedPairs.write(tmp_path, PAIRS, 10)
    with monkeypatch.context() as patch:
        if windows:
            patch.setattr(Path, "unlink", _in_use)
        second = EncodedPairs.write(tmp_path, (pair for pair in first if len(pair[0]) > 1), 10)
    assert (list(first), list(second), list(EncodedPairs(tmp_path))) == (PAIRS, *[PAIRS[:2]] * 2)
    for pairs in (first, second):
        pairs.check()
    EncodedPairs.write(tmp_path, second, 10)
    assert len(list(tmp_path.iterdir())) == 3


def _in_use(path, missing_ok=False):
    raise PermissionError(13, "in use by another process", str(path))


def _cut(path):
    os.truncate(path, path.stat().st_size - 2)


def _flip(path, position):
    content = bytearray(path.read_bytes())
    content[position] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("ids-1.npy", _cut),
        ("offsets-1.npy", _cut),
        ("header.json", _cut),
        ("ids-1.npy", lambda path: np.save(path, np.zeros(3))),
        ("offsets-1.npy", lambda path: np.save(path, np.zeros(3, np.int64))),
        ("ids-1.npy", lambda path: path.write_bytes(b"")),
        ("header.json", lambda path: path.write_text('{"vocab_size": 0, "origin": {}}')),
        ("header.json", lambda path: path.write_text('{"generation": 0}')),
        ("ids-1.npy", lambda path: _flip(path, -1)),
        ("offsets-1.npy", lambda path: _flip(path, -9)),
        ("header.json", lambda path: path.write_text("[]")),
    ],
)
def test_a_damaged_file_is_named(tmp_path, name, damage):
    EncodedPairs.write(tmp_path, PAIRS, 10)
    damage(tmp_path / name)
    with pytest.raises(ValueError, match=r"damaged: .*\(delete the folder and encode again\)$"):
        EncodedPairs(tmp_path).check()


def test_refuses_pairs_and_numbers_that_are_wrong(tmp_path, no_shape_checks):
    text = "both sides of pair 2 must hold ids, none of them 0 (padding): got [5, 0], [1, 2]"
    with refused(ValueError, text):
        EncodedPairs.write(tmp_path, [PAIRS[0], ([5, 0], [1, 2])], 10)
    with refused(ValueError, "vocab_size must be from 1 to 1000000: got 0"):
        EncodedPairs.write(tmp_path, PAIRS, 0)
    with refused(ValueError, "max_len must be at least 1: got 0"):
        EncodedPairs.write(tmp_path, PAIRS, 10, max_len=0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
def test_a_full_disk_is_reported_by_the_name_of_the_file(tmp_path, monkeypatch):
    (tmp_path / "full").symlink_to("/dev/full")
    monkeypatch.setattr(encoded_pairs, "_names", lambda _: ("full", "offsets-1.npy"))
    with pytest.raises(OSError, match=r"No space left on device: '.*full'$"):
        EncodedPairs.write(tmp_path, PAIRS, 10)


def test_numpy_alone_can_read_them(tmp_path):
    EncodedPairs.write(tmp_path, PAIRS, 10)
    ids, offsets = (np.load(tmp_path / f"{name}-1.npy") for name in ("ids", "offsets"))
    assert ids.tolist() == [i for pair in PAIRS for side in pair for i in side]
    assert offsets.tolist() == [0, 2, 5, 8, 10, 11, 15]
    assert json.loads((tmp_path / "header.json").read_text())["vocab_size"] == 10
