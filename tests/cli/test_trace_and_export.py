"""`transformer trace` and `transformer export`; what every command refuses in one line."""

from shutil import copyfile

import pytest
import torch

from transformer.inference.shipped import PRETRAINED


def refused(result, *parts):
    code, out, err = result
    assert code == 2
    assert out == ""
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    for part in parts:
        assert part in err


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


def test_exports_a_model_that_ctranslate2_reads(run, tmp_path):
    code, out, err = run("export", "shipped", tmp_path / "served", "--precision", "int8")
    assert (code, out, err) == (0, "", f"ctranslate2, int8: {tmp_path / 'served'}\n")
    assert (tmp_path / "served" / "model.bin").stat().st_size < 2_000_000
    refused(run("export", "shipped", tmp_path / "served"), "served: is there already")


def test_exports_the_finished_model_of_a_run(run, tmp_path):
    (tmp_path / "run").mkdir()
    refused(run("export", tmp_path / "run", tmp_path / "served"), "run/model.safetensors: No such")
    copyfile(PRETRAINED, tmp_path / "run" / "model.safetensors")
    code, _, _ = run("export", tmp_path / "run", tmp_path / "served")
    assert code == 0
    assert (tmp_path / "served" / "model.bin").stat().st_size > 4_000_000


def test_trace_takes_a_device(run, monkeypatch):
    seen = []
    monkeypatch.setattr(
        "transformer.cli.trace.find_device", lambda name: seen.append(name) or torch.device("cpu")
    )
    code, out, _ = run("trace", "step", "--device", "cpu", "--sentence", "Birds like tea.")
    assert (code, seen, out.startswith("Transformer.decode")) == (0, ["cpu"], True)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["nonsense"], ["nonsense"]),
        (["translate", "--nonsense"], ["--nonsense"]),
        (["translate", "--model", "missing.safetensors", "hello"], ["missing.safetensors"]),
        (["translate", "--file", "missing.txt"], ["missing.txt: No such file"]),
        (["evaluate", "--split", "train"], ["train", "test", "compositional"]),
        (["evaluate", "--pairs", "missing.tsv"], ["missing.tsv: No such file"]),
        (["evaluate", "--split", "test", "--pairs", "x.tsv"], ["--split", "test"]),
        (["train"], ["folder"]),
        (["train", "run", "--source", "a.en"], ["--source and --target", "a.en"]),
        (["train", "run", "--pairs", "a", "--source", "b"], ["--pairs a"]),
        (["train", "run", "--pairs", "missing.tsv"], ["missing.tsv: No such file"]),
        (["train", "run", "--dropout", "2"], ["--dropout", "2"]),
        (["train", "run", "--average", "0"], ["--average must be at least 1: got 0"]),
        (["train", "run", "--dtype", "float64"], ["float64", "bfloat16"]),
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
