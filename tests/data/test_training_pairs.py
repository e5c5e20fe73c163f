"""Training pairs: the same each time, and none of them also validates."""

import os
from itertools import islice

import pytest

from tests.refused import refused
from transformer.data.training_pairs import FilePairs, GrammarPairs, ListPairs, hold_out


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "pairs.tsv"
    lines = [f"{n % 500} cats .\t{n} 隻貓。\n" for n in range(1000)]
    path.write_text("".join([*lines, "no tab\n"]), "utf-8")
    return path


@pytest.mark.usefixtures("no_shape_checks")  # they take most of the time of the grammar
@pytest.mark.parametrize("kind", ["grammar", "file", "list"])
def test_an_epoch_is_the_same_each_time_and_what_validates_never_trains(kind, path):
    made = {"grammar": lambda: GrammarPairs(per_epoch=300), "file": lambda: FilePairs([path])}
    pairs = made.get(kind, lambda: ListPairs(FilePairs(path).epoch(0)))()
    assert list(pairs.epoch(2)) == list(pairs.epoch(2))
    assert pairs.validation() == pairs.validation()
    sources = {source for source, _ in pairs.epoch(0)}
    assert sources.isdisjoint(source for source, _ in pairs.validation())


@pytest.mark.usefixtures("no_shape_checks")
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


def test_a_reading_reports_when_it_came_to_the_end(path, tmp_path):
    """A reading that stops early has not seen what is left out; the next one has."""
    own = tmp_path / "own.tsv"
    own.write_text("no tab\n" + "".join(f"{n} dogs .\tx\n" for n in range(1500)), "utf-8")
    pairs = FilePairs(path, own)
    next(pairs.epoch(0))
    assert pairs.report.lines == 0
    for _ in range(2):
        assert len(list(pairs.epoch(0))) == 1000  # nothing is kept out
        assert len(pairs.validation()) == 1500
        reports = {name: (one.lines, one.left_out) for name, one in pairs.reports().items()}
        assert reports == {"pairs.tsv": (1001, 1), str(own): (1501, 1)}


def test_two_files_are_read_line_by_line(tmp_path):
    for name, text in (("a", "x .\ny .\n"), ("b", "甲。\n乙。\n")):
        (tmp_path / name).write_text(text, "utf-8")
    pairs = FilePairs((tmp_path / "a", str(tmp_path / "b")))
    assert list(pairs.epoch(0)) == [("x .", "甲。"), ("y .", "乙。")]
    assert str(pairs) == "a + b"


@pytest.mark.usefixtures("no_shape_checks")
def test_at_most_a_thousand_pairs_of_a_long_file_are_kept_out_from_all_of_it(tmp_path):
    many = [(f"{n} cats .", "x") for n in range(21_000)]
    path = tmp_path / "many.tsv"
    path.write_text("".join(f"{source}\tx\n" for source, _ in many), "utf-8")
    pairs = FilePairs(path)
    kept = set(pairs.validation())
    assert len(kept) == 1000
    assert [pair for pair in many if pair not in kept] == list(pairs.epoch(0))
    assert 400 < sum(pair in kept for pair in many[10_500:]) < 600
    assert ListPairs(many).validation() == pairs.validation()


def test_all_translations_of_a_source_are_kept_out_or_none():
    often = [(f"{n} cats .", str(copy)) for copy in range(3) for n in range(12_000)]
    kept = hold_out(often)
    assert 990 < len(kept) <= 1000
    assert len({source for source, _ in kept}) == len(kept) / 3
    assert len(list(ListPairs(often).epoch(0))) == len(often) - len(kept)


def test_pairs_from_python(path):
    lines = path.read_text("utf-8").splitlines()[:-1]
    pairs = ListPairs(line.split("\t") for line in lines)
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
    ("make", "error", "text"),
    [
        (lambda: ListPairs("ab"), TypeError, "pair 1 must be (source, target): got 'a'"),
        (lambda: ListPairs([("a",)]), TypeError, "pair 1 must be (source, target): got ('a',)"),
        (
            lambda: ListPairs([("a", "b"), ("a", 3)]),
            TypeError,
            "the target of pair 2 must be a string: got 3",
        ),
        (
            lambda: ListPairs([("x \ud83d", "嗨")]),
            ValueError,
            "the source of pair 1 must be characters: got half of one, '\\ud83d', at position 3 of",
        ),
        (lambda: FilePairs([]), ValueError, "paths must be one file or two: got 0"),
        (lambda: FilePairs(["p"] * 3), ValueError, "paths must be one file or two: got 3"),
        (lambda: FilePairs(b"p"), TypeError, "paths must be files, by their names: got b'p'"),
        (lambda: FilePairs([3]), TypeError, "paths must be files, by their names: got 3"),
        (lambda: FilePairs("pipe"), ValueError, "pipe: pairs to be read more than once must be in"),
        (lambda: FilePairs("p", "pipe"), ValueError, "pipe: pairs to be read more than once must"),
        (lambda: FilePairs("."), ValueError, ".: pairs to be read more than once must be in a fil"),
        (lambda: GrammarPairs(-1), ValueError, "seed must be at least 0: got -1"),
        (lambda: GrammarPairs(per_epoch=0), ValueError, "per_epoch must be at least 1: got 0"),
    ],
)
def test_refuses_what_is_no_pairs(make, error, text, no_shape_checks, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    with refused(error, f"{text}…"):
        make()
