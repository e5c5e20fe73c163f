"""`transformer evaluate`: ready output, another system, what is left out, what is refused."""

import gzip
import json
import os

import pytest

from transformer import cli
from transformer.cli import evaluate as command
from transformer.inference.evaluation import score
from transformer.inference.shipped import PRETRAINED

PAIRS = [("The cat is sleeping.", "那隻貓正在睡覺。"), ("birds like tea .", "鳥都喜歡茶。")]
RIGHT = [target for _, target in PAIRS]


@pytest.fixture
def pairs(folder):
    """Two pairs, and a line without one between them."""
    lines = ["\t".join(PAIRS[0]), "no tab", "\t".join(PAIRS[1])]
    (folder / "pairs.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "pairs.tsv.gz").write_bytes(gzip.compress((folder / "pairs.tsv").read_bytes()))
    (folder / "right.txt").write_text(f"{RIGHT[0]}\n\n{RIGHT[1]}\n", "utf-8")
    (folder / "wrong.txt").write_text(f"{RIGHT[0]}\nanything\n鳥喝茶。\n", "utf-8")
    return folder


@pytest.mark.parametrize("name", ["pairs.tsv", "pairs.tsv.gz"])
def test_pairs_are_spelled_as_translate_spells_them(run, pairs, name):
    code, out, err = run("evaluate", "--pairs", name)
    last = f"{name}: BLEU 100.00, chrF 100.00, 100.00% exact match\n"
    assert (code, out.endswith(last)) == (0, True)
    assert "left out: 1 of 3 lines" in err
    assert "line 2: malformed" in err


def test_ready_output_is_scored_line_by_line(run, pairs):
    for name, said in (("right.txt", RIGHT), ("wrong.txt", [RIGHT[0], "鳥喝茶。"])):
        code, out, _ = run("evaluate", "--pairs", "pairs.tsv", "--hypotheses", name, "--json", "-")
        record = json.loads(out)
        sources = [source for source, _ in PAIRS]
        expected = score(said, RIGHT, sources=sources)
        assert (code, record["hypotheses"]) == (0, name)
        assert record["scores"]["pairs.tsv"] == expected.to_dict()


def test_ready_output_that_cannot_be_read_is_told_and_scored_as_empty(run, pairs):
    (pairs / "bad.txt").write_bytes(b"\xff\n\n" + RIGHT[1].encode())
    code, out, err = run("evaluate", "--pairs", "pairs.tsv", "--hypotheses", "bad.txt")
    assert (code, ", 50.00% exact match" in out) == (0, True)
    assert "bad.txt, line 1: not UTF-8 (byte 0xFF at position 1); scored as empty" in err


def test_a_split_is_scored_and_saved_with_ready_output_too(run, folder):
    split = ("evaluate", "--split", "test", "--sentences", 5, "--json", "a.json")
    (folder / "out.txt").write_text("貓。\n" * 5, "utf-8")
    ready = ["--hypotheses", "out.txt"], "hypotheses", "out.txt"
    for options, key, value in (([], "model", PRETRAINED.name), ready):
        code, out, _ = run(*split, *options)
        record = json.loads((folder / "a.json").read_text("utf-8"))
        overall = record["scores"]["test"]["overall"]
        assert (code, record[key], overall["sentences"]) == (0, value, 5)
        assert f"test: {overall['exact_match']:.2f}% exact match\n" in out
    assert overall["exact_match"] == 0


def test_another_system_is_compared(run, pairs):
    code, out, _ = run(
        "evaluate", "--pairs", "pairs.tsv", "--hypotheses", "right.txt", "--baseline", "wrong.txt"
    )
    rows = [line.split() for line in out.splitlines()]
    at = rows.index(["against", "wrong.txt"])
    assert code == 0
    assert rows[at + 1] == ["baseline", "system", "p"]
    assert [row[0] for row in rows[at + 2 : at + 4]] == ["BLEU", "chrF2"]
    assert rows[at + 2][2] == "100.00"
    code, out, _ = run("evaluate", "--pairs", "pairs.tsv", "--baseline", "right.txt", "--json", "-")
    assert json.loads(out)["comparisons"]["pairs.tsv"]["BLEU"]["p_value"] == 1.0


def test_what_cannot_be_translated_is_told_and_scored_as_empty(run, folder):
    text = f"{'ж' * 300}\t貓。\nbirds like tea .\t鳥都喜歡茶。\n"
    (folder / "long.tsv").write_text(text, "utf-8")
    code, out, err = run("evaluate", "--pairs", "long.tsv")
    assert (code, ", 50.00% exact match" in out) == (0, True)
    assert err.startswith("long.tsv, line 1: too long (6")
    assert err.endswith("scored as empty\n")


ONE_SET = "--hypotheses and --baseline belong to one set: give --split or pairs"
OTHER_FILE = "--json must be another file than the input: got"
REFUSED = [
    ("--pairs pairs.tsv --json missing/a.json", "--json must be in a folder that exists"),
    ("--pairs pairs.tsv --json .", "--json must be a file: got the folder ."),
    ("--hypotheses right.txt", ONE_SET),
    ("--pairs pairs.tsv --hypotheses right.txt --beam 2", "leave out --model and --beam"),
    ("--pairs pairs.tsv --hypotheses right.txt --model m", "leave out --model and --beam"),
    ("--pairs pairs.tsv --hypotheses right.txt --max-length 3", "and --max-length"),
    ("--pairs pairs.tsv --length-penalty 1", "--length-penalty compares beams: give --beam 2"),
    ("--pairs pairs.tsv --hypotheses short.txt", "a line for each of pairs.tsv, 3: got 1"),
    ("--pairs pairs.tsv --baseline short.txt", "short.txt must have a line for each"),
    ("--pairs pairs.tsv --tokenize spm", "--tokenize"),
    ("--pairs pairs.tsv --device tpu", "--device"),
    ("--pairs pairs.tsv --batch-size 0", "--batch-size"),
    ("--pairs empty.tsv", "empty.tsv: no pair to score in 0 lines"),
    ("--pairs bad.tsv", "bad.tsv: no pair to score in 2 lines"),
    ("--source short.txt --target right.txt", "number of lines: short.txt ends after line 1"),
    ("--split test --sentences 0", "--sentences"),
    ("--pairs pairs.tsv --json pairs.tsv", f"{OTHER_FILE} pairs.tsv"),
    ("--pairs pairs.tsv --hypotheses right.txt --json right.txt", f"{OTHER_FILE} right.txt"),
    ("--pairs pairs.tsv --baseline wrong.txt --json wrong.txt", f"{OTHER_FILE} wrong.txt"),
    ("--pairs pairs.tsv --model wrong.txt --json wrong.txt", f"{OTHER_FILE} wrong.txt"),
]


@pytest.mark.parametrize(("options", "said"), REFUSED)
def test_refused_before_any_work(run, pairs, monkeypatch, options, said):
    (pairs / "short.txt").write_text("鳥。\n", "utf-8")
    (pairs / "empty.tsv").write_text("")
    (pairs / "bad.tsv").write_text("no tab\n\tempty\n")
    monkeypatch.setattr(command, "translate", None)
    code, out, err = run("evaluate", *options.split())
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].startswith("error: ")
    assert said in err.splitlines()[-1]
    if "bad.tsv" in options:
        assert "line 1: malformed" in err


def test_options_arrive(run, pairs, monkeypatch):
    seen = []

    def spy(name, result):
        def record(*arguments, **named):
            seen.append((name, *(one for one in arguments if isinstance(one, (str, int)))))
            seen.extend((name, *one) for one in named.items())
            return result

        monkeypatch.setattr(command, name, record)

    real = command.load_translator(command.PRETRAINED)
    spy("translate", RIGHT)
    spy("decoder", print)
    spy("find_device", "cpu")
    monkeypatch.setattr(command, "load_translator", lambda path: seen.append(path) or real)
    options = "--model m --beam 3 --device cpu --batch-size 7 --tokenize char --baseline wrong.txt"
    options += " --length-penalty 0 --max-length 9"
    code, out, _ = run("evaluate", "--pairs", "pairs.tsv", *options.split())
    assert (code, out.count("tok:char")) == (0, 2)  # of the scores, and of the comparison
    expected = [("decoder", 3, 9), ("find_device", "cpu"), ("translate", "batch_size", 7)]
    assert all(one in seen for one in expected)
    assert "m" in map(str, (one for one in seen if not isinstance(one, tuple)))


def test_the_scores_are_saved_when_the_reader_of_the_text_leaves(folder, monkeypatch):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as stream:
        monkeypatch.setattr("sys.stdout", stream)
        with pytest.raises(SystemExit) as exit:
            cli.main(["evaluate", "--split", "test", "--sentences", "1", "--json", "scores"])
    monkeypatch.undo()
    assert exit.value.code == 0
    assert json.loads((folder / "scores").read_text("utf-8"))["scores"].keys() == {"test"}
