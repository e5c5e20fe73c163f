"""The command line, as a shell sees it: what is printed where, and the exit code."""

import io
import json
import subprocess
import sys
from shutil import copyfile

import ctranslate2
import pytest
import torch

from transformer.data.tokenizer import Tokenizer
from transformer.inference.shipped import PRETRAINED, load_pretrained
from transformer.inference.translation import translate
from transformer.model_file import load_model, load_tokenizer
from transformer.training.log import read_log

MODEL = "model.safetensors"
README = "yesterday the old farmer did not buy the three fish that the cat saw ."
EVERYDAY = [
    ("good morning .", "早安。"),
    ("where is the station ?", "車站在哪裡？"),
    ("i would like a bowl of noodles .", "我想要一碗麵。"),
    ("see you tomorrow .", "明天見。"),
    ("it is raining again .", "又下雨了。"),
]
SMALL = ["--d-model", 16, "--num-heads", 2, "--num-layers", 1, "--d-ff", 32]
SMALL += ["--steps", 4, "--batch-tokens", 256, "--device", "cpu"]


@pytest.fixture
def pairs(tmp_path):
    """A file of a few hundred pairs, with three lines that cannot be used."""
    path = tmp_path / "pairs.tsv"
    lines = [f"{n} : {en}\t{n}：{zh}\tCC-BY" for n in range(60) for en, zh in EVERYDAY]
    lines[7], lines[9], lines[11] = "no tab", "\t空的", ""
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def refused(result, *parts):
    code, out, err = result
    assert code == 2
    assert out == ""
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    for part in parts:
        assert part in err


# translate


def test_translates_the_sentence_of_the_readme(run):
    code, out, err = run("translate", README)
    assert (code, err) == (0, "")
    assert out == "昨天那位老農夫沒有買那三條貓看見的魚。\n"


def test_reads_arguments_files_and_standard_input_alike(run, tmp_path, monkeypatch):
    sentences = ["the cat is sleeping .", "birds like tea .", "where are you ?"]
    model, tokenizer = load_pretrained()
    expected = "".join(line + "\n" for line in translate(model, tokenizer, sentences))
    assert run("translate", *sentences) == (0, expected, "")
    path = tmp_path / "sentences.txt"
    path.write_text("\n".join(sentences), "utf-8")
    assert run("translate", "--file", path) == (0, expected, "")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("\n".join(sentences).encode())))
    assert run("translate") == (0, expected, "")
    assert run("translate", "--beam", 4, *sentences) == (0, expected, "")


def test_an_empty_line_stays_an_empty_line(run, monkeypatch):
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(b"birds like tea .\n\nbirds like tea .\n"))
    )
    code, out, _ = run("translate")
    assert code == 0
    first, second, third = out.splitlines()
    assert first == third
    assert second == ""


def test_writes_capitals_and_marks_as_the_grammar_does(run):
    assert run("translate", "The cat is sleeping.") == run("translate", "the cat is sleeping .")


def test_names_the_words_that_the_shipped_model_has_never_seen(run):
    code, out, err = run("translate", "the cat bought a blockchain .")
    assert code == 0
    assert out.endswith("\n")
    assert err == "warning: sentence 1: words never seen in training: blockchain\n"


def test_shows_the_attention_of_the_bridge(run):
    code, out, _ = run("translate", "--attention", "birds like tea .")
    translation, head, *rows = out.splitlines()
    assert (code, translation) == (0, "鳥都喜歡茶。")
    assert head.split() == ["鳥", "都", "喜", "歡", "茶", "。", "<eos>"]
    assert [row.split()[0] for row in rows] == ["birds", "like", "tea", ".", "<eos>"]
    shares = [[int(cell.replace("·", "0")) for cell in row.split()[1:]] for row in rows]
    assert all(80 < total <= 102 for total in map(sum, zip(*shares)))


# evaluate


def test_saves_the_scores_that_it_prints(run, tmp_path):
    path = tmp_path / "scores.json"
    code, out, _ = run("evaluate", "--split", "test", "--sentences", 20, "--json", path)
    record = json.loads(path.read_text("utf-8"))
    exact = record["scores"]["test"]["overall"]["exact_match"]
    assert (code, list(record["scores"])) == (0, ["test"])
    assert f"test: {exact:.2f}% exact match\n" in out
    assert record["model"] == PRETRAINED.name


def test_scores_pairs_of_ones_own(run, tmp_path):
    path = tmp_path / "test.tsv"
    path.write_text("birds like tea .\t鳥都喜歡茶。\nbirds like tea .\t鳥喝茶。\n", "utf-8")
    code, out, _ = run("evaluate", "--pairs", path)
    assert code == 0
    assert "test.tsv: 50.00% exact match" in out


# train


def test_trains_on_a_file_and_tells_what_it_left_out(run, pairs, tmp_path):
    folder = tmp_path / "run"
    code, out, err = run("train", folder, "--pairs", pairs, *SMALL)
    assert (code, out) == (0, "")
    assert "left out: 3 of 300 lines (2 empty, 1 malformed)" in err
    assert "line 8: malformed" in err
    tokenizer = load_tokenizer(folder / MODEL)
    assert tokenizer.pieces(tokenizer.encode("早")) == ["早"]
    assert load_model(folder / MODEL).config.d_model == 16
    assert [r["step"] for r in read_log(folder) if "validation_loss" in r] == [1, 2, 3, 4]
    code, out, _ = run("translate", "--model", folder / MODEL, "good morning .")
    assert code == 0


def test_goes_on_to_the_same_weights(run, pairs, tmp_path):
    arguments = ["--pairs", pairs, *SMALL, "--device", "cpu"]
    run("train", tmp_path / "whole", *arguments)
    run("train", tmp_path / "parts", *arguments, "--steps", 2)
    assert run("train", tmp_path / "parts", *arguments)[0] == 0
    assert len(read_log(tmp_path / "parts")) == len(read_log(tmp_path / "whole"))
    last = "step-00000004.safetensors"
    whole, parts = (load_model(tmp_path / name / last) for name in ("whole", "parts"))
    assert all(map(torch.equal, whole.parameters(), parts.parameters()))


def test_trains_on_aligned_files(run, tmp_path):
    for name, column in (("a.en", 0), ("a.zh", 1)):
        text = "".join(pair[column] + "\n" for pair in EVERYDAY * 10)
        (tmp_path / name).write_text(text, "utf-8")
    files = ["--source", tmp_path / "a.en", "--target", tmp_path / "a.zh"]
    assert run("train", tmp_path / "run", *files, *SMALL)[0] == 0


def test_refuses_to_go_on_with_other_pairs(run, pairs, tmp_path):
    assert run("train", tmp_path / "run", "--pairs", pairs, *SMALL)[0] == 0
    refused(run("train", tmp_path / "run", *SMALL), "run with pairs 'pairs.tsv': got 'the grammar")
    refused(
        run("train", tmp_path / "run", "--pairs", pairs, *SMALL, "--d-ff", 64),
        "--d-ff must stay 32",
    )


@pytest.mark.process
def test_two_processes_train_one_model(tmp_path, pairs):
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node=2"]
    command += ["--standalone", "-m", "transformer", "train", str(tmp_path / "run")]
    finished = subprocess.run(
        [*command, "--pairs", str(pairs), *map(str, SMALL)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stderr.count("the model is in") == 1
    assert load_model(tmp_path / "run" / MODEL).config.d_model == 16


# trace


@pytest.mark.parametrize(
    ("what", "first"),
    [
        ("construction", "Transformer  config=TransformerConfig"),
        ("forward", "Transformer.forward  src (1, 6), tgt (1, 9) → (1, 9, "),
        ("step", "Transformer.decode  tgt (1, 1), memory (1, 6, 128)"),
    ],
)
def test_traces_the_shipped_model(what, first, run):
    code, out, _ = run("trace", what)
    assert code == 0
    assert out.startswith(first)
    assert "cross_attention" in out


# export


def test_exports_a_model_that_ctranslate2_reads(run, tmp_path):
    code, out, err = run("export", "shipped", tmp_path / "served", "--precision", "int8")
    assert (code, out, err) == (0, "", f"ctranslate2, int8: {tmp_path / 'served'}\n")
    tokenizer = Tokenizer.load(tmp_path / "served" / "tokenizer.json")
    tokens = [tokenizer.vocabulary[i] for i in tokenizer.encode_source("the cat is sleeping .")]
    [found] = ctranslate2.Translator(str(tmp_path / "served")).translate_batch([tokens])
    assert (
        tokenizer.decode(map(tokenizer.vocabulary.index, found.hypotheses[0])) == "那隻貓正在睡覺。"
    )
    refused(run("export", "shipped", tmp_path / "served"), "served: is there already")


def test_exports_the_finished_model_of_a_run(run, tmp_path):
    (tmp_path / "run").mkdir()
    refused(run("export", tmp_path / "run", tmp_path / "served"), "run/model.safetensors: No such")
    copyfile(PRETRAINED, tmp_path / "run" / "model.safetensors")
    code, _, _ = run("export", tmp_path / "run", tmp_path / "served")
    assert code == 0
    assert (tmp_path / "served" / "model.bin").stat().st_size > 4_000_000
    run("export", "shipped", tmp_path / "small", "--precision", "int8")
    assert (tmp_path / "small" / "model.bin").stat().st_size < 2_000_000


# What is wrong is told in one line


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["nonsense"], ["nonsense"]),
        (["translate", "--nonsense"], ["--nonsense"]),
        (["translate", "--beam", "0", "hello"], ["--beam", "greater than or equal to 1"]),
        (["translate", "--model", "missing.safetensors", "hello"], ["missing.safetensors"]),
        (["translate", "--model", "README.md", "hello"], ["README.md: no complete safetensors"]),
        (["translate", "--file", "missing.txt"], ["missing.txt: No such file"]),
        (["translate", "--file", "README.md", "hello"], ["--file", "README.md"]),
        (["evaluate", "--split", "train"], ["train", "test", "compositional"]),
        (["evaluate", "--pairs", "missing.tsv"], ["missing.tsv: No such file"]),
        (["evaluate", "--split", "test", "--pairs", "x.tsv"], ["--split", "test"]),
        (["train"], ["folder"]),
        (["train", "run", "--source", "a.en"], ["--source and --target", "a.en"]),
        (["train", "run", "--pairs", "a", "--source", "b"], ["--pairs a"]),
        (["train", "run", "--pairs", "missing.tsv"], ["missing.tsv: No such file"]),
        (["train", "run", "--steps", "0"], ["--steps must be at least 1: got 0"]),
        (["train", "run", "--num-heads", "3"], ["must divide d_model", "num_heads=3"]),
        (["train", "run", "--dropout", "2"], ["--dropout", "2"]),
        (["train", "run", "--average", "0"], ["--average must be at least 1: got 0"]),
        (["train", "run", "--dtype", "float16"], ["float16", "bfloat16"]),
        (["train", "README.md"], ["README.md"]),
        (["trace", "everything"], ["everything", "construction"]),
        (["export", "missing.safetensors", "out"], ["missing.safetensors: No such file"]),
        (["export", "README.md", "out"], ["README.md: no complete safetensors"]),
        (["export", "shipped", "README.md"], ["README.md: is there already"]),
        (["export", "shipped", "missing/out"], ["missing", "No such file"]),
        (["export", "shipped", "out", "--precision", "int4"], ["int4", "int8"]),
    ],
)
def test_nonsense_is_refused_in_one_line(arguments, parts, run, tmp_path, monkeypatch):
    (tmp_path / "README.md").write_text("# not a model\n")
    monkeypatch.chdir(tmp_path)
    refused(run(*arguments), *parts)
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


def test_no_command_shows_the_help(run):
    code, out, err = run()
    assert code == 2
    for command in ("train", "translate", "evaluate", "trace", "export"):
        assert command in out + err
