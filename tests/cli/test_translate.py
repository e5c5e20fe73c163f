"""`transformer translate`: what each option does, what is refused, what is told."""

import gzip
import json
import os

import pytest
import torch
from rich.cells import cell_len

from transformer import load_pretrained
from transformer.cli import output_formats
from transformer.cli import translate as command
from transformer.inference.shipped import PRETRAINED
from transformer.inference.translation import translate_n_best

README = "yesterday the old farmer did not buy the three fish that the cat saw ."
CAT, BIRDS = "the cat is sleeping .", "birds like tea ."
SLEEPS, TEA = "那隻貓正在睡覺。", "鳥都喜歡茶。"
LONG = "the cat " * 200


def test_translates_the_sentence_of_the_readme(run):
    assert run("translate", README) == (0, "昨天那位老農夫沒有買那三條貓看見的魚。\n", "")
    assert run("translate", "--beam", 4, README) == run("translate", README)


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


def test_json_has_the_same_keys_on_every_line(run, stdin):
    stdin(f"{BIRDS}\n\n\xff\nthe blockchain <eos>\n".encode("latin-1"))
    code, out, err = run("translate", "--json", "--beam", 2, "--n-best", 2, "--quiet")
    first, second, third, fourth = map(json.loads, out.splitlines())
    assert (code, first["source"], first["translation"]) == (1, BIRDS, TEA)
    assert first["log_probability"] == first["n_best"][0]["log_probability"]
    assert first["n_best"][0]["translation"] == TEA
    assert len(first["n_best"]) == 2
    nothing = {"translation": "", "log_probability": None, "n_best": [], "warnings": []}
    assert second == {"source": "", **nothing, "problem": None}
    problem = "not UTF-8 (byte 0xFF at position 1)"
    assert third == {"source": None, **nothing, "problem": problem}
    assert fourth["warnings"][0] == "special tokens, read as text: <eos>"
    assert {tuple(line) for line in (first, second, third, fourth)} == {tuple(first)}
    assert "warning" not in err
    keys = ["source", "translation", "log_probability", "warnings", "problem"]
    for options in ([], ["--sample"]):
        out = run("translate", "--json", *options, CAT, "")[1]
        assert [list(json.loads(line)) for line in out.splitlines()] == [keys, keys]


def test_half_a_character_is_written_as_its_number(run, folder):
    assert run("translate", "--json", "--output", "out", "a \udce9")[0] == 1
    assert json.loads((folder / "out").read_text("utf-8"))["source"] == "a \udce9"


def test_samples_are_repeated_by_their_seed(run, small):
    def draw(*options):
        return run("translate", "--model", small, "--sample", *options, CAT, BIRDS)[1]

    assert draw("--seed", 1) == draw("--seed", 1) != draw("--seed", 2)
    assert draw() == draw("--seed", 0) == draw("--temperature", 1)
    greedy = run("translate", "--model", small, CAT, BIRDS)[1]
    assert draw("--temperature", 1e-6) == greedy != draw()


def test_decoding_is_told_how(run):
    boss = "who knows my mother 's boss ?"
    best = set()
    for penalty in 0.0, 5.0:
        options = "--beam", 4, "--length-penalty", penalty
        [found] = translate_n_best(
            *load_pretrained(), [boss], beam_size=4, num_best=4, length_penalty=penalty
        )
        lines = run("translate", *options, "--n-best", 4, boss)[1].splitlines()
        assert [line.split("\t")[2] for line in lines] == [one.text for one in found]
        assert run("translate", *options, boss)[1] == found[0].text + "\n"
        best.add(found[0].text)
    assert len(best) == 2
    for options in ([], ["--beam", 2], ["--scores"], ["--sample", "--top-k", 1]):
        out = run("translate", "--max-length", 3, *options, CAT)[1]
        assert out.split("\t")[-1] == SLEEPS[:3] + "\n"
    for choice in ("--top-k", 1), ("--top-p", 1e-9):
        assert run("translate", "--sample", *choice, CAT)[1] == SLEEPS + "\n"


def test_lines_are_sorted_far_ahead_and_written_in_order(run, folder, monkeypatch):
    sizes, real = [], command.translate
    monkeypatch.setattr(
        command, "translate", lambda *a, **b: sizes.append(len(a[2])) or real(*a, **b)
    )
    lines = [CAT, README, BIRDS, "", CAT]
    (folder / "in").write_text("\n".join(lines))
    expected = "".join(run("translate", line)[1] for line in lines)
    for ahead, largest, groups in (4096, 2**24, [5]), (2, 2**24, [2, 2, 1]), (4096, 50, [2, 3]):
        monkeypatch.setattr(command, "READ_AHEAD", ahead)
        monkeypatch.setattr(output_formats, "LARGEST", largest)
        sizes.clear()
        assert run("translate", "--file", "in", "--batch-size", 2) == (0, expected, "")
        assert sizes == groups


def test_an_interrupt_leaves_what_is_done(run, folder, monkeypatch):
    real, calls = command.translate, iter([0, 0, KeyboardInterrupt])

    def translate(*arguments, **named):
        if error := next(calls):
            raise error
        return real(*arguments, **named)

    monkeypatch.setattr(command, "translate", translate)
    monkeypatch.setattr(command, "READ_AHEAD", 2)
    (folder / "in").write_text(f"{CAT}\n" * 9)
    assert run("translate", "--file", "in") == (130, f"{SLEEPS}\n" * 4, "stopped\n")


def test_a_paragraph_is_translated_by_sentences(run):
    three = "The cat is sleeping. Birds like tea. The cat is sleeping."
    assert run("translate", "--split-sentences", three) == (0, f"{SLEEPS}{TEA}{SLEEPS}\n", "")
    long = f"{CAT} {LONG}. {BIRDS}"
    code, out, err = run("translate", "--split-sentences", "--scores", long, "", three, CAT)
    scores = [line.split("\t")[0] for line in out.splitlines()]
    assert (code, scores[:2], out.splitlines()[:2]) == (1, ["", ""], ["", ""])
    alone = [float(run("translate", "--scores", text)[1].split("\t")[0]) for text in (CAT, BIRDS)]
    assert float(scores[2]) == pytest.approx(2 * alone[0] + alone[1], abs=1e-3)
    assert err.startswith("sentence 1: too long (402 tokens")
    record = json.loads(run("translate", "--split-sentences", "--json", f"{CAT} The qxj.")[1])
    assert record["translation"].startswith(SLEEPS)
    assert [warning[-3:] for warning in record["warnings"]] == ["qxj"]


GUESS, TOKENS = "the translation is a guess", "special tokens, read as text: "
WARNINGS = [
    ("—", [f"no word in it: {GUESS}", "marks never seen in training: —"]),
    (".", [f"no word in it: {GUESS}"]),
    ("🐈", [f"no word in it: {GUESS}", "marks never seen in training: 🐈"]),
    ("the\u200b cat", ["marks never seen in training: U+200B"]),
    ("blockchain", [f"no known word in it: {GUESS}", "never seen in training: blockchain"]),
    ("貓", [f"no known word in it: {GUESS}", "words never seen in training: 貓"]),
    ("the <eos> cat", [f"{TOKENS}<eos>", "training: eos", "training: <, >"]),
    ("I can't sleep", ["words never seen in training: can"]),
    ("the cat likes the dinosaur", ["words never seen in training: dinosaur"]),
    ("the dog's cat isn't sleeping.", []),
    ("I’m sleeping!", []),
    (f"{CAT} {BIRDS}", []),
    (f"{CAT} {BIRDS} {CAT}", ["3 sentences: in training there were at most two"]),
    ("the cat" + " likes the cat" * 6, ["20 words: in training there were at most 18"]),
    ("five o'clock; tea?", ["words never seen in training: o'clock", "in training: ;"]),
    ("If it rains, we will rest", []),
    (" ".join("qxj" + "z" * n for n in range(7)), [GUESS, ", qxjzzzz and 2 more"]),
    ("zzq" * 12, [GUESS, "zzqzzq…"]),
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


def test_of_another_model_no_words_are_known(run, small, folder):
    assert run("translate", "--model", small, "a blockchain!")[2] == ""
    (folder / "tuned").write_bytes(PRETRAINED.read_bytes())  # as after train --init
    assert run("translate", "--model", "tuned", "a blockchain!")[2] == ""
    err = run("translate", "--model", "tuned", "—", "<pad> cat")[2]
    assert f"1: no word in it: {GUESS}" in err
    assert f"2: {TOKENS}<pad>" in err


def test_a_line_that_nobody_can_see_is_empty(run):
    for blank in ("\u200b", " \u3000", "\ufeff\u200d"):
        assert run("translate", blank, CAT) == (0, f"\n{SLEEPS}\n", "")


def test_attention_has_all_its_columns_and_rows(run, folder):
    long = "the dog that the boy saw is black . yesterday the farmer did not see the old cat ."
    assert run("translate", "--attention", "--output", "wide", long)[0] == 0
    text, head, *_ = (folder / "wide").read_text("utf-8").splitlines()
    assert cell_len(head) > 80
    assert head.split() == [*text, "<eos>"]
    code, out, _ = run("translate", "--attention", BIRDS)
    translation, _, *rows = out.splitlines()
    assert (code, translation) == (0, TEA)
    assert [row.split()[0] for row in rows] == [*BIRDS.split(), "<eos>"]
    shares = [[int(cell.replace("·", "0")) for cell in row.split()[1:]] for row in rows]
    assert all(80 < total <= 102 for total in map(sum, zip(*shares)))


REFUSED = [
    ("--beam 0", "--beam"),
    ("--beam 101", "--beam"),
    ("--batch-size 0", "--batch-size"),
    ("--n-best 0", "--n-best"),
    ("--n-best 3 --beam 2", "--n-best must be at most --beam: got 3, and --beam 2"),
    ("--temperature 2", "--temperature, --top-k, --top-p and --seed go with --sample"),
    ("--top-k 2", "--temperature, --top-k, --top-p and --seed go with --sample"),
    ("--sample --top-k 0", "--top-k"),
    ("--sample --top-p 1.5", "--top-p must be above 0 and at most 1: got 1.5"),
    ("--length-penalty 1", "--length-penalty compares beams: give --beam 2 or more"),
    (
        "--beam 2 --length-penalty 11",
        "--length-penalty must be at least 0 and at most 10.0: got 11.0",
    ),
    ("--max-length 256", "--max-length must be from 1 to 255 (max_len=256): got 256"),
    ("--split-sentences --n-best 1", "--split-sentences joins one translation of each"),
    ("--sample --seed 18446744073709551616", "--seed"),
    ("--sample --seed -1", "--seed"),
    ("--sample --temperature 0", "--temperature must be above 0 and finite: got 0.0"),
    ("--sample --temperature nan", "--temperature must be above 0 and finite: got nan"),
    ("--sample --beam 2", "--beam"),
    ("--sample --n-best 1", "--n-best"),
    ("--sample --scores", "--scores"),
    ("--attention --json", "--attention"),
    ("--json --scores", "--json"),
    ("--device cuda", "--device"),
    ("--device tpu", "--device"),
    ("--output missing/out.txt", "--output must be in a folder that exists: got missing/out.txt"),
    ("--output .", "--output must be a file"),
    ("--file in.txt", "give sentences or --file"),
    ("--model in.txt", "in.txt: no complete safetensors"),
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


def test_an_input_is_not_written_over(run, folder, small):
    (folder / "in.txt").write_text(CAT)
    (folder / "link.txt").symlink_to("in.txt")
    (folder / "m").write_bytes(small.read_bytes())
    for words, path in (
        (["--file", "in.txt", "--output", "in.txt"], "in.txt"),
        (["--file", "in.txt", "--output", "link.txt"], "in.txt"),
        (["--model", "m", CAT, "--output", "m"], "m"),
        ([CAT, "--output", PRETRAINED], PRETRAINED),
    ):
        said = f"error: --output must be another file than the input: got {path}\n"
        assert run("translate", *words) == (2, "", said)
    assert (folder / "in.txt").read_text() == CAT
    assert (folder / "m").read_bytes() == small.read_bytes()


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (CAT.encode("utf-16"), []),
        (gzip.compress(b"the cat " * 1000, mtime=0)[:-9], []),
        (CAT.encode(), ["--sample", "--temperature", "-1"]),
        (CAT.encode(), ["--model", "missing"]),
    ],
)
def test_an_old_output_stays_until_the_new_one_is_complete(run, folder, content, options):
    (folder / "in").write_bytes(content)
    (folder / "out").write_text("old")
    assert run("translate", "--file", "in", "--output", "out", *options)[0] == 2
    assert (folder / "out").read_text() == "old"
    assert {path.name for path in folder.iterdir()} == {"in", "out"}


def test_a_link_to_the_output_stays_a_link(run, folder):
    (folder / "link").symlink_to("out")
    assert run("translate", "--output", "link", CAT)[0] == 0
    assert (folder / "link").is_symlink()
    assert (folder / "out").read_text("utf-8") == SLEEPS + "\n"


def test_a_pipe_is_written_and_stays_a_pipe(run, folder):
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDWR)
    assert run("translate", "--output", "pipe", CAT) == (0, "", "")
    assert os.read(reader, 99).decode() == SLEEPS + "\n"
    os.close(reader)


def test_the_hand_made_model_is_known_by_its_name(run):
    assert run("translate", "--model", "hand-made", "cats beat dogs")[:2] == (0, "貓贏狗\n")


@pytest.mark.parametrize(
    ("option", "value", "function", "expected"),
    [
        ("--model", "m.safetensors", "load", "m.safetensors"),
        ("--device", "cpu", "find_device", "cpu"),
        ("--batch-size", 7, "translate", ("batch_size", 7)),
        ("--beam", 3, "decoder", "3"),
    ],
)
def test_the_option_arrives(run, monkeypatch, option, value, function, expected):
    real, seen = getattr(command, function), []

    def spy(*arguments, **named):
        seen.extend([*map(str, arguments), *named.items()])
        return real(*(None,) if function == "load" else arguments, **named)

    monkeypatch.setattr(command, function, spy)
    assert run("translate", option, value, BIRDS)[:2] == (0, TEA + "\n")
    assert expected in seen


def test_the_batch_size_arrives_where_scores_are_computed(run, monkeypatch):
    seen = {}
    monkeypatch.setattr(command, "translate_n_best", lambda *_, **named: seen.update(named) or [[]])
    run("translate", "--batch-size", 5, "--beam", 4, "--n-best", 2, CAT)
    assert (seen["batch_size"], seen["beam_size"], seen["num_best"]) == (5, 4, 2)
