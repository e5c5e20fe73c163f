"""Data: pairs from files, and batches of a stream of pairs."""

import re
import tracemalloc
import unicodedata
import warnings
from collections import Counter
from random import Random

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from transformer.data import (
    LONGEST_LINE,
    Batch,
    Report,
    batches,
    collate,
    encode_pairs,
    padding_share,
    read_aligned,
    read_pairs,
)
from transformer.tokenizer import Tokenizer


def file(tmp_path, content, name="pairs.tsv"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(path, **options):
    report = Report()
    return list(read_pairs(path, report, **options)), report


def told(report):
    return [(p.place, p.number, p.kind, p.detail) for p in report.problems]


# Reading


def test_two_columns_and_what_follows_them(tmp_path):
    lines = "hello .\t你好。\tCC-BY 2.0 (France) #1\t\t\nthank you .\t謝謝你。"
    pairs, report = read(file(tmp_path, lines))
    assert pairs == [("hello .", "你好。"), ("thank you .", "謝謝你。")]
    assert (report.lines, report.left_out, str(report)) == (2, 0, "left out: 0 of 2 lines")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_byte_order_mark_and_line_ends(tmp_path, mark, end, last):
    lines = ["a\t甲".encode(), "b\t乙".encode()]
    content = mark + end.join(lines) + (end if last else b"")
    pairs, report = read(file(tmp_path, content))
    assert pairs == [("a", "甲"), ("b", "乙")]
    assert report.left_out == 0


def test_only_a_line_feed_ends_a_line(tmp_path):
    pairs, _ = read(file(tmp_path, "a\u2028b\x0bc\x85d\re\t甲\u3000乙 \n"))
    assert pairs == [("a b c d e", "甲 乙")]


def test_text_is_nfc_with_single_spaces(tmp_path):
    pairs, _ = read(file(tmp_path, "  cafe\u0301   au\u00a0lait \t \u304b\u3099 \n"))
    assert pairs == [("café au lait", "が")]


text = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip)


@given(st.lists(st.tuples(text, text), max_size=5))
def test_what_is_written_is_read(tmp_path_factory, pairs):
    path = file(tmp_path_factory.mktemp("data"), "\n".join("\t".join(p) for p in pairs))
    clean = [tuple(" ".join(unicodedata.normalize("NFC", t).split()) for t in p) for p in pairs]
    if clean:
        clean[0] = (clean[0][0].removeprefix("\ufeff"), clean[0][1])
    report = Report()
    read = list(read_pairs(path, report))
    assert read == [pair for pair in clean if all(pair)]
    assert report.lines == len(pairs)
    assert report.lines - report.left_out == len(read)


def test_everything_left_out_is_reported_with_its_line(tmp_path):
    content = (
        b"fine\t\xe5\xa5\xbd\n"
        b"\n"
        b" \t \n"
        b"only one column\n"
        b"\t\xe5\xa5\xbd\n"
        b"no target\t\xe3\x80\x80\n"
        b"caf\xe9\tlatin-1\n"
        b"12345678901\tx\n"
        b"x\t12345678901\n"
        b"1234567890\tx\n"
    )
    pairs, report = read(file(tmp_path, content), max_chars=10)
    assert pairs == [("fine", "好"), ("1234567890", "x")]
    assert told(report) == [
        ("line", 2, "empty", "the whole line"),
        ("line", 3, "empty", "the whole line"),
        ("line", 4, "malformed", "no tab between source and target"),
        ("line", 5, "empty", "the source"),
        ("line", 6, "empty", "the target"),
        ("line", 7, "not UTF-8", "the line: byte 0xE9 at position 4"),
        ("line", 8, "too long", "the source: 11 characters, max_chars=10"),
        ("line", 9, "too long", "the target: 11 characters, max_chars=10"),
    ]
    assert str(report).startswith(
        "left out: 8 of 10 lines (4 empty, 2 too long, 1 malformed, 1 not UTF-8)\n"
        "  line 2: empty (the whole line)\n"
    )


def test_the_report_counts_all_and_keeps_the_first(tmp_path):
    report = Report(cap=2)
    assert list(read_pairs(file(tmp_path, "a\nb\t乙\nc\nd\n"), report)) == [("b", "乙")]
    assert report.left_out == 3
    assert str(report) == (
        "left out: 3 of 4 lines (3 malformed)\n"
        "  line 1: malformed (no tab between source and target)\n"
        "  line 3: malformed (no tab between source and target)\n"
        "  and 1 more"
    )


def test_without_a_report_a_warning_tells_what_is_left_out(tmp_path):
    path = file(tmp_path, "a\t甲\nb\n")
    with pytest.warns(UserWarning, match=r"left out: 1 of 2 lines .*\n  line 2: mal") as caught:
        assert list(read_pairs(path)) == [("a", "甲")]
    assert caught[0].filename == __file__
    assert list(read_pairs(file(tmp_path, "a\t甲\n"))) == [("a", "甲")]


def test_an_empty_file_has_no_pairs(tmp_path):
    assert read(file(tmp_path, "")) == ([], Report())
    assert list(read_aligned(file(tmp_path, ""), file(tmp_path, "", "other"))) == []


def test_utf_16_is_refused(tmp_path):
    path = file(tmp_path, "a\t甲\n".encode("utf-16"))
    text = f"{path} must be UTF-8: it is UTF-16 (save it as UTF-8)"
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        list(read_pairs(path))
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        list(read_aligned(path, path))


@pytest.mark.parametrize("max_chars", [0, -1])
def test_max_chars_is_checked_before_reading(tmp_path, max_chars):
    text = f"^max_chars must be at least 1: got {max_chars}$"
    with pytest.raises(ValueError, match=text):
        read_pairs(tmp_path, max_chars=max_chars)
    with pytest.raises(ValueError, match=text):
        read_aligned(tmp_path, tmp_path, max_chars=max_chars)


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.tsv"):
        list(read_pairs(tmp_path / "none.tsv"))


def test_two_aligned_files(tmp_path):
    src = file(tmp_path, b"\xef\xbb\xbfhello .\r\nthank\tyou .\r\n", "en.txt")
    tgt = file(tmp_path, "你好。\n謝謝你。", "zh.txt")
    assert list(read_aligned(src, tgt)) == [("hello .", "你好。"), ("thank you .", "謝謝你。")]
    assert next(read_aligned(str(src), src)) == ("hello .", "hello .")


def test_aligned_files_report_like_one_file(tmp_path):
    src = file(tmp_path, b"a\n\n\nd\ne\xff\nffff\ng\n", "en.txt")
    tgt = file(tmp_path, b"a\n\nc\n \ne\nf\n\xe5\xa5\n", "zh.txt")
    report = Report()
    assert list(read_aligned(src, tgt, report, max_chars=3)) == [("a", "a")]
    assert told(report) == [
        ("line", 2, "empty", "the whole line"),
        ("line", 3, "empty", "the source"),
        ("line", 4, "empty", "the target"),
        ("line", 5, "not UTF-8", "the source: byte 0xFF at position 2"),
        ("line", 6, "too long", "the source: 4 characters, max_chars=3"),
        ("line", 7, "not UTF-8", "the target: byte 0xE5 at position 1"),
    ]
    with pytest.warns(UserWarning, match="left out: 6 of 7 lines"):
        list(read_aligned(src, tgt, max_chars=3))


@pytest.mark.parametrize("shorter", ["en.txt", "zh.txt"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_aligned_files_of_different_length(tmp_path, shorter, end):
    longer = {"en.txt": "zh.txt", "zh.txt": "en.txt"}[shorter]
    short = file(tmp_path, "a\nb" + end, shorter)
    long = file(tmp_path, "a\nb\n\nd\n", longer)
    text = (
        f"aligned files must have the same number of lines: {short} ends after line 2, {long} has 4"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        read_aligned(tmp_path / "en.txt", tmp_path / "zh.txt")


def peak_of(work):
    tracemalloc.start()
    try:
        result = work()
        return result, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.fixture(scope="module")
def many_lines(tmp_path_factory):
    """Write 200,000 lines, every 100th of them without a target."""
    path = tmp_path_factory.mktemp("data") / "many.tsv"
    with path.open("w", encoding="utf-8", newline="\n") as lines:
        for i in range(200_000):
            lines.write(
                f"sentence number {i} .\n" if i % 100 == 0 else f"number {i} .\t第{i}句。\n"
            )
    return path


def test_memory_stays_flat_for_many_lines(no_shape_checks, many_lines):
    report = Report()
    count, peak = peak_of(lambda: sum(1 for _ in read_pairs(many_lines, report)))
    assert (count, report.lines, report.left_out) == (198_000, 200_000, 2_000)
    assert len(report.problems) == report.cap
    assert peak < 1e6


def test_a_line_without_an_end_does_not_fill_the_memory(tmp_path):
    path = tmp_path / "no_line_ends"
    with path.open("wb") as out:
        out.write(b"a\tb\n")
        for _ in range(20):
            out.write(b"x" * LONGEST_LINE)
        out.write(b"\nc\td\n" + b"y" * LONGEST_LINE)
    (pairs, report), peak = peak_of(lambda: read(path))
    assert pairs == [("a", "b"), ("c", "d")]
    long = ("too long", f"the line: {LONGEST_LINE} bytes or more")
    assert told(report) == [("line", 2, *long), ("line", 4, *long)]
    assert peak < 5 * LONGEST_LINE


def test_the_line_after_one_of_just_the_longest_length_is_read(tmp_path):
    content = b"x" * (LONGEST_LINE - 1) + b"\nc\td\n"
    pairs, report = read(file(tmp_path, content))
    assert (pairs, report.lines, report.left_out) == ([("c", "d")], 2, 1)


# Batching


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
        assert told(report) == [
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


def test_the_longer_side_decides():
    (batch, *rest) = batches([pair(2, 10)] * 4, max_tokens=20)
    assert (batch.src.shape, batch.tgt.shape, len(rest)) == ((2, 2), (2, 10), 1)


def test_neighbours_are_alike_on_both_sides():
    pairs = [*[pair(3, 3)] * 3, pair(3, 9), pair(4, 9), *[pair(4, 3)] * 3]
    made = list(batches(pairs, max_tokens=18))
    shapes = sorted((tuple(batch.src.shape), tuple(batch.tgt.shape)) for batch in made)
    assert shapes == [((2, 4), (2, 9)), ((3, 3), (3, 3)), ((3, 4), (3, 3))]


def test_memory_stays_flat_for_many_pairs(no_shape_checks):
    stream = (pair(5 + i % 7, 6, name=10 + i) for i in range(100_000))
    made = batches(stream, 4096, window=1000)
    count, peak = peak_of(lambda: sum(len(batch.src) for batch in made))
    assert count == 100_000
    assert peak < 2e6


def test_from_a_file_to_batches_and_back(tmp_path):
    path = file(tmp_path, "the cat sleeps .\t貓在睡覺。\nwho sleeps ?\t誰在睡覺？\n")
    tokenizer = Tokenizer.train([text for p in read_pairs(path) for text in p], vocab_size=300)
    (batch,) = batches(encode_pairs(read_pairs(path), tokenizer), max_tokens=100)
    assert (batch.tgt[:, 0] == tokenizer.bos_id).all()
    for ids in (batch.src, batch.tgt):
        assert ((ids == tokenizer.eos_id).sum(dim=1) == 1).all()
        after_the_end = (ids == tokenizer.eos_id).cumsum(dim=1) - (ids == tokenizer.eos_id).long()
        assert torch.equal(after_the_end.bool(), ids == tokenizer.pad_id)
    sentences = {(tokenizer.decode(src), tokenizer.decode(tgt)) for src, tgt in rows([batch])}
    assert sentences == set(read_pairs(path))


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


def test_both_sides_of_a_batch_have_the_same_rows():
    with pytest.raises(Exception, match="tgt"):
        Batch(torch.ones(2, 3, dtype=torch.int64), torch.ones(3, 3, dtype=torch.int64))


@pytest.mark.parametrize("name", ["max_tokens", "max_len", "window"])
@pytest.mark.parametrize("value", [0, -3])
def test_sizes_below_1_are_refused_at_the_call(name, value):
    options = {"max_tokens": 10, name: value}
    with pytest.raises(ValueError, match=f"^{name} must be at least 1: got {value}$"):
        batches([pair(3, 3)], **options)


def test_a_budget_below_max_len_is_refused_at_the_call():
    text = (
        "max_tokens must be at least max_len, so that each sentence fits into a batch: "
        "got max_tokens=9, max_len=10"
    )
    with pytest.raises(ValueError, match=f"^{text}$"):
        batches([pair(3, 3)], max_tokens=9, max_len=10)
    assert len(list(batches([pair(3, 10)], max_tokens=10, max_len=10))) == 1


@pytest.mark.parametrize("wrong", [([], [1, 2]), ([5], []), ([5, 0], [1, 2]), ([5], [1, 2, 0])])
def test_pairs_without_ids_or_with_padding_are_refused(wrong):
    text = (
        f"both sides of pair 2 must hold ids, none of them 0 (padding): got {wrong[0]}, {wrong[1]}"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        list(batches([pair(3, 3), wrong], max_tokens=10))


def test_an_epoch_without_pairs_is_an_error():
    stream = iter([pair(3, 3)])
    list(batches(stream, max_tokens=10))
    text = r"^pairs must hold at least one that fits into a batch: {} left out \(an iterator "
    with pytest.raises(ValueError, match=text.format(0)):
        list(batches(stream, max_tokens=10))
    with warnings.catch_warnings(), pytest.raises(ValueError, match=text.format(2)):
        list(batches([pair(30, 3)] * 2, max_tokens=10))


def test_nothing_to_collate_or_to_measure():
    with pytest.raises(ValueError, match=r"^a batch must hold at least one pair: got none$"):
        collate([])
    with pytest.raises(ValueError, match=r"^batches must hold at least one batch: got none$"):
        padding_share([])
