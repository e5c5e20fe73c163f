"""`transformer translate`: what each option does, what is refused, what is told."""

import json

import pytest
import torch

import transformer.cli.translating as translating
from transformer import load_pretrained
from transformer.inference.translation import translate_n_best

CAT, BIRDS = "the cat is sleeping .", "birds like tea ."
SLEEPS, TEA = "那隻貓正在睡覺。", "鳥都喜歡茶。"
LONG = "the cat " * 200


def test_scores_are_log_probabilities(run):
    [[best]] = translate_n_best(*load_pretrained(), [BIRDS], beam_size=1)
    code, out, _ = run("translate", "--scores", BIRDS, "", LONG)
    score, text = out.splitlines()[0].split("\t")
    assert (code, text, out.splitlines()[1:]) == (1, TEA, ["", ""])
    assert float(score) == pytest.approx(best.log_probability, abs=1e-3)


def test_the_best_few_are_numbered(run):
    code, out, _ = run("translate", "--beam", 3, "--n-best", 2, BIRDS, "", CAT)
    rows = [line.split("\t") for line in out.splitlines()]
    assert (code, [row[0] for row in rows]) == (0, ["1", "1", "2", "3", "3"])
    assert [rows[0][2], rows[2][1:], rows[3][2]] == [TEA, ["", ""], SLEEPS]
    assert float(rows[0][1]) > float(rows[1][1])


def test_json_is_one_object_a_line(run, stdin):
    stdin(f"{BIRDS}\n\n\xff\n".encode("latin-1"))
    code, out, _ = run("translate", "--json", "--beam", 2, "--n-best", 2)
    first, second, third = map(json.loads, out.splitlines())
    assert (code, first["source"], first["translation"]) == (1, BIRDS, TEA)
    assert first["log_probability"] == first["n_best"][0]["log_probability"]
    assert first["n_best"][0]["translation"] == TEA
    assert len(first["n_best"]) == 2
    assert second == {"source": "", "translation": ""}
    problem = "not UTF-8 (byte 0xFF at position 1)"
    assert third == {"source": None, "translation": "", "problem": problem}


def test_samples_are_repeated_by_their_seed(run, small):
    def draw(*options):
        return run("translate", "--model", small, "--sample", *options, CAT, BIRDS)[1]

    assert draw("--seed", 1) == draw("--seed", 1) != draw("--seed", 2)
    assert draw() == draw("--seed", 0) == draw("--temperature", 1)
    greedy = run("translate", "--model", small, CAT, BIRDS)[1]
    assert draw("--temperature", 1e-6) == greedy != draw()


def test_output_goes_to_a_file_in_utf_8(run, folder):
    assert run("translate", "--output", "out.txt", CAT, BIRDS) == (0, "", "")
    assert (folder / "out.txt").read_bytes() == f"{SLEEPS}\n{TEA}\n".encode()


WARNINGS = [
    ("the cat likes the dinosaur", ["words never seen in training: dinosaur"]),
    ("the dog's cat isn't sleeping.", []),
    ("I’m sleeping!", []),
    (f"{CAT} {BIRDS}", []),
    (f"{CAT} {BIRDS} {CAT}", ["3 sentences: in training there were at most two"]),
    ("the cat" + " likes the cat" * 6, ["20 words: in training there were at most 18"]),
    ("five o'clock; tea?", ["words never seen in training: o'clock", "in training: ;"]),
    ("If it rains, we will rest", []),
    (" ".join("qxj" + "z" * n for n in range(7)), [", qxjzzzz and 2 more"]),
    ("zzq" * 12, ["zzqzzq…"]),
]


@pytest.mark.parametrize(("text", "told"), WARNINGS)
def test_what_the_shipped_model_cannot_know_is_told(run, text, told):
    code, out, err = run("translate", text)
    lines = err.splitlines()
    assert (code, out.count("\n"), len(lines)) == (0, 1, len(told))
    for line, part in zip(lines, told):
        assert line.startswith("warning: sentence 1: ")
        assert line.endswith(part)
    assert run("translate", "--quiet", text) == (0, out, "")


def test_of_another_model_nothing_is_known(run, small):
    assert run("translate", "--model", small, "a blockchain!")[2] == ""


REFUSED = [
    ("--beam 0", "--beam"),
    ("--beam 101", "--beam"),
    ("--batch-size 0", "--batch-size"),
    ("--n-best 0", "--n-best"),
    ("--n-best 3 --beam 2", "--n-best must be at most --beam: got 3, and --beam 2"),
    ("--seed 1", "--temperature and --seed go with --sample"),
    ("--temperature 2", "--temperature and --seed go with --sample"),
    ("--sample --seed 18446744073709551616", "--seed"),
    ("--sample --seed -1", "--seed"),
    ("--sample --temperature 0", "--temperature must be above 0 and finite: got 0.0"),
    ("--sample --temperature nan", "--temperature must be above 0 and finite: got nan"),
    ("--sample --beam 2", "--beam"),
    ("--sample --scores", "--scores"),
    ("--attention --json", "--attention"),
    ("--json --scores", "--json"),
    ("--device cuda", "--device"),
    ("--device tpu", "--device"),
    ("--output missing/out.txt", "--output must be in a folder that is there: got missing/out.txt"),
    ("--output .", "--output must be a file"),
    ("--file in.txt", "give sentences or --file"),
    ("--model in.txt", "in.txt"),
    ("--bem 2", "--beam"),
]


@pytest.mark.parametrize(("options", "said"), REFUSED)
def test_refused_in_one_line(run, folder, monkeypatch, options, said):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    (folder / "in.txt").write_text(CAT)
    code, out, err = run("translate", *options.split(), CAT)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("error: ")
    assert said in err
    assert [path.name for path in folder.iterdir()] == ["in.txt"]


def test_a_file_is_not_written_over_while_it_is_read(run, folder):
    (folder / "in.txt").write_text(CAT)
    (folder / "link.txt").symlink_to("in.txt")
    for name in ("in.txt", "link.txt"):
        code, _, err = run("translate", "--file", "in.txt", "--output", name)
        assert (code, "--output must be another file than --file" in err) == (2, True)
    assert (folder / "in.txt").read_text() == CAT


ARRIVES = {
    "--model": ("m.safetensors", "load", ("m.safetensors",)),
    "--device": ("cpu", "place", ("cpu",)),
    "--batch-size": (7, "translate", {"batch_size": 7}),
    "--beam": (3, "decoder", (3,)),
}


@pytest.mark.parametrize("option", ARRIVES)
def test_the_option_arrives(run, monkeypatch, option):
    value, function, expected = ARRIVES[option]
    real, seen = getattr(translating, function), []

    def spy(*arguments, **named):
        seen.extend([*map(str, arguments), *named.items()])
        return real(*(None,) if function == "load" else arguments, **named)

    monkeypatch.setattr(translating, function, spy)
    assert run("translate", option, value, BIRDS)[:2] == (0, TEA + "\n")
    wanted = expected.items() if isinstance(expected, dict) else map(str, expected)
    assert all(one in seen for one in wanted)


def test_the_batch_size_arrives_where_scores_are_computed(run, monkeypatch):
    seen = {}
    monkeypatch.setattr(
        translating, "translate_n_best", lambda *_, **named: seen.update(named) or [[]]
    )
    run("translate", "--batch-size", 5, "--beam", 4, "--n-best", 2, CAT)
    assert (seen["batch_size"], seen["beam_size"], seen["num_best"]) == (5, 4, 2)
