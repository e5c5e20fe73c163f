"""Training pairs: the same each time, and none of them also validates."""

from itertools import islice

import pytest

from transformer.data.left_out import Report
from transformer.data.sources import (
    FilePairs,
    GrammarPairs,
    ListPairs,
    TrainingPairs,
    hold_out,
    read_files,
)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "pairs.tsv"
    lines = [f"{n % 500} cats .\t{n} 隻貓。\n" for n in range(1000)]
    path.write_text("".join([*lines, "no tab\n"]), "utf-8")
    return path


@pytest.mark.parametrize("kind", ["grammar", "file"])
def test_an_epoch_is_the_same_each_time(kind, path):
    pairs = GrammarPairs(per_epoch=300) if kind == "grammar" else FilePairs((path,))
    assert isinstance(pairs, TrainingPairs)
    assert list(pairs.epoch(2)) == list(pairs.epoch(2))
    assert pairs.validation() == pairs.validation()


@pytest.mark.parametrize("kind", ["grammar", "file"])
def test_what_validates_never_trains(kind, path):
    pairs = GrammarPairs(per_epoch=1000) if kind == "grammar" else FilePairs((path,))
    sources = {source for source, _ in pairs.epoch(0)}
    assert sources.isdisjoint(source for source, _ in pairs.validation())


def test_the_grammar_gives_new_pairs_to_every_epoch_and_seed():
    def long(pairs, epoch):
        return {pair for pair in pairs.epoch(epoch) if len(pair[0]) > 60}

    first = long(GrammarPairs(per_epoch=1000), 0)
    assert first.isdisjoint(long(GrammarPairs(per_epoch=1000), 1))
    assert first.isdisjoint(long(GrammarPairs(seed=1, per_epoch=1000), 0))


def test_a_file_keeps_one_pair_in_twenty_out(path):
    pairs = FilePairs((path,))
    train, validation = list(pairs.epoch(0)), pairs.validation()
    assert len(train) + len(validation) == 1000
    assert 30 <= len(validation) <= 75
    assert list(islice(pairs.epoch(1), 5)) == train[:5]


def test_the_first_reading_reports_and_no_other(path):
    pairs = FilePairs((path,))
    for _ in range(2):
        list(pairs.epoch(0))
        assert (pairs.report.lines, pairs.report.left_out) == (1001, 1)


def test_two_files_are_read_line_by_line(tmp_path):
    for name, text in (("a", "x .\ny .\n"), ("b", "甲。\n乙。\n")):
        (tmp_path / name).write_text(text, "utf-8")
    pairs = list(read_files((tmp_path / "a", tmp_path / "b"), Report()))
    assert pairs == [("x .", "甲。"), ("y .", "乙。")]
    assert str(FilePairs((tmp_path / "a", tmp_path / "b"))) == "a + b"


@pytest.mark.parametrize("count", [0, 3])
def test_refuses_any_other_number_of_files(count, path):
    with pytest.raises(ValueError, match=f"^paths must be one file or two: got {count}$"):
        FilePairs((path,) * count)


def test_at_most_a_thousand_pairs_of_a_long_file_are_kept_out_from_all_of_it(tmp_path):
    many = [(f"{n} cats .", "x") for n in range(40_000)]
    path = tmp_path / "many.tsv"
    path.write_text("".join(f"{source}\tx\n" for source, _ in many), "utf-8")
    pairs = FilePairs(path)
    kept = set(pairs.validation())
    assert len(kept) == 1000
    assert [pair for pair in many if pair not in kept] == list(pairs.epoch(0))
    assert 400 < sum(pair in kept for pair in many[20_000:]) < 600
    assert ListPairs(many).validation() == pairs.validation()


def test_all_translations_of_a_source_are_kept_out_or_none():
    often = [(f"{n} cats .", str(copy)) for copy in range(3) for n in range(12_000)]
    held_out = hold_out(often)
    assert 990 < len(held_out.pairs) <= 1000
    kept, trained = ({s for s, _ in part} for part in (held_out.pairs, held_out.others(often)))
    assert kept.isdisjoint(trained)
    assert len(kept) == len(held_out.pairs) / 3


def test_a_file_to_validate_with_is_used_whole_and_nothing_is_kept_out(path, tmp_path):
    own = tmp_path / "own.tsv"
    own.write_text("no tab\n" + "".join(f"{n} dogs .\tx\n" for n in range(1500)), "utf-8")
    pairs = FilePairs(path, own)
    assert len(list(pairs.epoch(0))) == 1000
    assert len(pairs.validation()) == len(pairs.validation()) == 1500
    assert (pairs.validation_report.lines, pairs.validation_report.left_out) == (1501, 1)


def test_pairs_from_python(path):
    pairs = ListPairs(pair for pair in FilePairs(path)._pairs())
    assert isinstance(pairs, TrainingPairs)
    for number in (0, 1):
        assert list(pairs.epoch(number)) == list(FilePairs(path).epoch(number))
    assert pairs.validation() == FilePairs(path).validation()
    own = ListPairs([("a", "b")], [("c", "d")])
    assert (list(own.epoch(0)), own.validation()) == ([("a", "b")], [("c", "d")])


def test_pairs_from_python_are_known_by_their_contents():
    one = ListPairs([("a", "b")]).identity()
    assert ListPairs(iter([["a", "b"]])).identity() == one
    assert ListPairs([("a", "c")]).identity() != one
    assert ListPairs([("a", "b")], []).identity() != one
    assert GrammarPairs(1).identity() != GrammarPairs(2).identity()


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ("ab", r"a pair must be \(source, target\): got 'a'"),
        ([("a",)], r"a pair must be \(source, target\): got \('a',\)"),
        ([("a", 3)], r"both sides of a pair must be strings: got \('a', 3\)"),
    ],
)
def test_refuses_what_is_no_pair(wrong, text, no_shape_checks):
    with pytest.raises(TypeError, match=f"^{text}$"):
        ListPairs(wrong)


def test_numbers_for_sources_are_told_but_not_a_sentence_among_them(tmp_path):
    path = tmp_path / "ids.tsv"
    lines = [f"{n}\tI have {n} cats.\t{n}\t我有 {n} 隻貓。\n" for n in range(40)]
    path.write_text("".join(lines), "utf-8")
    with pytest.raises(ValueError, match=r"ids.tsv: the sources are numbers, such as '0': column"):
        FilePairs(path).epoch(0)
    path.write_text("".join([*lines[:19], "a cat\t一隻貓\n", *lines[19:]]), "utf-8")
    assert len(list(FilePairs(path).epoch(0))) > 30
