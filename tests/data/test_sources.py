"""Training pairs: the same each time, and none of them also validates."""

from itertools import islice

import pytest

from transformer.data.left_out import Report
from transformer.data.sources import FilePairs, GrammarPairs, TrainingPairs, read_files


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
