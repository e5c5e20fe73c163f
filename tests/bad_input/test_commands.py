"""All commands: help, version, completion; what is told of errors, interrupts and closed pipes."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from typer.main import get_command

import transformer
import transformer.cli as cli
from transformer.cli import app

COMMANDS = get_command(app).commands
PAGE = Path(__file__).parents[2] / "docs/en/reference/command-line.md"
CAT = "the cat is sleeping ."


def test_version(run):
    assert run("--version") == (0, transformer.__version__ + "\n", "")


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help(run, command, option):
    code, out, err = run(*command, option)
    assert (code, err) == (0, "")
    assert "Usage: transformer" in out


def test_the_shell_is_told_how_to_complete(monkeypatch, run):
    monkeypatch.setenv("_TRANSFORMER_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "transformer tr")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert run()[1].split() == ["train", "translate", "trace"]


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (ValueError("beam_size must be at most 2: got 3"), 2, "--beam must be at most 2: got 3"),
        (ValueError("m.bin: no\nmodel"), 2, "m.bin: no model"),
        (FloatingPointError("the loss is nan"), 2, "the loss is nan"),
        (FileNotFoundError(2, "No such file or directory", "x"), 2, "x: No such file or directory"),
        (OSError(28, "No space left on device"), 2, "[Errno 28] No space left on device"),
        (RuntimeError("shape"), 1, "RuntimeError: shape (TRANSFORMER_DEBUG=1 shows where)"),
        (MemoryError(), 1, "MemoryError:  (TRANSFORMER_DEBUG=1 shows where)"),
    ],
)
def test_an_error_is_one_line(run, monkeypatch, error, code, said):
    def fail(*_):
        raise error

    monkeypatch.setattr("transformer.cli.translating.load", fail)
    monkeypatch.delenv("TRANSFORMER_DEBUG", raising=False)
    result = run("translate", CAT)
    assert result == (code, "", f"error: {' '.join(said.split())}\n")
    monkeypatch.setenv("TRANSFORMER_DEBUG", "1")
    result = run("translate", CAT)
    assert result[0] == code
    assert result[2].startswith("Traceback")


def test_a_fault_inside_pytorch_is_not_called_wrong_input(run, monkeypatch):
    def fail(*_):
        torch.manual_seed("a")  # its ValueError comes from torch's own code

    monkeypatch.setattr("transformer.cli.translating.load", fail)
    code, _, err = run("translate", CAT)
    assert (code, "TRANSFORMER_DEBUG=1 shows where" in err) == (1, True)


@pytest.mark.parametrize(
    ("words", "message", "said"),
    [
        ("train x", "seed must be at least 0", "--seed must be at least 0"),
        (
            "train x",
            "num_heads must divide d_model: got d_model=8",
            "--num-heads must divide --d-model: got --d-model=8",
        ),
        (
            "train x",
            "the file runs/d_model.bin of num_heads",
            "the file runs/d_model.bin of --num-heads",
        ),
        ("train x", "a seed is planted", "a seed is planted"),
        ("train x", "seed must stay 0 to go on", "--seed must stay 0 to go on"),
        ("train x", "d_ff: got d_ff=3, steps", "--d-ff: got --d-ff=3, steps"),
        ("train x", "a/pairs must be UTF-8", "a/pairs must be UTF-8"),
        ("translate x", "seed must be at least 0", "--seed must be at least 0"),
        ("translate x", "num_heads must be 2", "num_heads must be 2"),
        (
            "translate x",
            "num_best must be from 1 to beam_size=2",
            "--n-best must be from 1 to --beam=2",
        ),
        ("", "d_model must be 2", "d_model must be 2"),
    ],
)
def test_arguments_are_named_as_options(words, message, said):
    assert cli._with_options(message, words.split()) == said


def test_an_interrupt_is_one_line(run, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("transformer.cli.translating.load", stop)
    assert run("translate", CAT) == (130, "", "stopped\n")


@pytest.mark.process
@pytest.mark.parametrize("seconds", [0.05, 0.5, 1, 2, 4])
def test_an_interrupt_at_any_moment_is_one_line(seconds):
    code = (  # a shell may have told its background processes to ignore the signal
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from transformer.__main__ import main; print(); sys.stdout.flush(); main()"
    )
    command = [sys.executable, "-c", code, "translate"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdout.readline() == b"\n"  # Python has started
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"stopped\n")


@pytest.mark.process
def test_a_closed_pipe_ends_quietly(tmp_path):
    (tmp_path / "many.txt").write_text(f"{CAT}\n" * 500, "utf-8")
    run = f"{sys.executable} -m transformer translate --file {tmp_path}/many.txt"
    shell = ["bash", "-c", f"{run} | head -n 1; echo ${{PIPESTATUS[0]}}"]
    finished = subprocess.run(shell, capture_output=True, text=True, timeout=120)
    assert (finished.stdout, finished.stderr) == ("那隻貓正在睡覺。\n0\n", "")


@pytest.mark.process
def test_utf_8_whatever_the_locale_says():
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "transformer", "translate"]
    finished = subprocess.run(
        command, input=f"{CAT}\n貓\n".encode(), capture_output=True, env=environment, timeout=120
    )
    assert finished.returncode == 0
    assert finished.stdout.decode().startswith("那隻貓正在睡覺。\n")
    assert "貓" in finished.stderr.decode()


def test_importing_the_package_imports_nothing_heavy():
    code = "import sys, transformer; print(sorted({'torch', 'numpy', 'rich'} & set(sys.modules)))"
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert finished.stdout == "[]\n"


def test_trace_takes_a_device(run, monkeypatch):
    seen = []
    monkeypatch.setattr(
        "transformer.cli.tracing.place", lambda name: seen.append(name) or torch.device("cpu")
    )
    code, out, _ = run("trace", "step", "--device", "cpu", "--sentence", "Birds like tea.")
    assert (code, seen, out.startswith("Transformer.decode")) == (0, ["cpu"], True)


@pytest.mark.parametrize("name", ["translate", "evaluate", "trace"])
def test_every_option_is_taught(name):
    section = PAGE.read_text("utf-8").split(f"\n## {name} ")[1].split("\n## ")[0]
    for parameter in COMMANDS[name].params:
        option = parameter.opts[0]
        assert not option.startswith("--") or re.search(rf"[` ]{option}[` ]", section), option
