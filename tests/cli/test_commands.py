"""All commands: help, version, completion; what is said of errors, streams and terminals."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

import transformer
from transformer import cli
from transformer.arguments import ArgumentError, ArgumentTypeError

COMMANDS = get_command(cli.app).commands
PAGE = Path(__file__).parents[2] / "docs/en/reference/command-line.md"
CAT, SLEEPS = "the cat is sleeping .", "那隻貓正在睡覺。"


def test_version(run):
    assert run("--version") == (0, transformer.__version__ + "\n", "")


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help(run, command, option):
    code, out, err = run(*command, option)
    assert (code, err) == (0, "")
    assert "Usage: transformer" in out
    assert "[export]" in out or command != ("export",)


def test_the_shell_is_told_how_to_complete(monkeypatch, run):
    monkeypatch.setenv("_TRANSFORMER_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "transformer tr")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert run()[1].split() == ["train", "translate", "trace"]


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (ArgumentError("beam_size", "must be at most 2: got 3"), 2, "--beam must be at most 2: g"),
        (ArgumentError("num_best", "must be 1"), 2, "--n-best must be 1"),
        (ArgumentError("d_model", "must be 2"), 2, "d_model must be 2"),  # of another command
        (ArgumentError("sentences", "must be text"), 2, "sentences must be text"),  # no option
        (ArgumentTypeError("seed", "must be an integer"), 2, "--seed must be an integer"),
        (
            ValueError("out/batch_size: no\nmodel of seed=1"),
            2,
            "out/batch_size: no model of seed=1",
        ),
        (FloatingPointError("the loss is nan"), 2, "the loss is nan"),
        (FileNotFoundError(2, "No such file or directory", "x"), 2, "x: No such file or directory"),
        (OSError(28, "No space left on device"), 2, "[Errno 28] No space left on device"),
        (RuntimeError("shape"), 1, "RuntimeError: shape (TRANSFORMER_DEBUG=1 shows where)"),
        (MemoryError(), 1, "MemoryError:  (TRANSFORMER_DEBUG=1 shows where)"),
        (KeyboardInterrupt(), 130, None),
    ],
)
def test_an_error_is_one_line(run, monkeypatch, error, code, message):
    def fail(*_):
        raise error

    monkeypatch.setattr("transformer.cli.translate.load", fail)
    monkeypatch.delenv("TRANSFORMER_DEBUG", raising=False)
    result = run("translate", CAT)
    line = f"error: {' '.join(message.split())}" if message else "stopped"
    assert result[:2] == (code, "")
    assert result[2].startswith(line)
    assert result[2].count("\n") == 1
    if message:
        monkeypatch.setenv("TRANSFORMER_DEBUG", "1")
        result = run("translate", CAT)
        assert result[0] == code
        assert result[2].startswith("Traceback")


FULL, CLOSED = "standard output: No space left on device", "standard output is closed"
SAME = "must be another file than the input: got f"
DISK, PIPE, ITSELF = "/dev/full", "pipe", "f"
STREAMS = [  # the words of a command, a stream and what it is, exit code, part of standard error
    (["translate", CAT], "stdout", DISK, 2, f"error: {FULL}"),
    (["translate", CAT, "--attention"], "stdout", DISK, 2, f"error: {FULL}"),
    (["trace"], "stdout", DISK, 2, f"error: {FULL}"),
    (["train", "--help"], "stdout", DISK, 2, "No space left on device"),
    (["translate", CAT], "stdout", PIPE, 0, ""),
    (["train", "--help"], "stdout", PIPE, 0, ""),
    (["--version"], "stdout", PIPE, 0, ""),
    (["translate", CAT], "stdout", None, 2, f"error: {CLOSED}"),
    (["translate"], "stdin", None, 2, "error: standard input is closed"),
    (["translate", "cats"], "stderr", None, 0, None),
    (["translate", "cats"], "stderr", DISK, 0, None),
    (["translate", "cats"], "stderr", PIPE, 0, None),
    (["translate", "--file", "f"], "stdout", ITSELF, 2, f"standard output {SAME}"),
    (["translate", "--output", "f"], "stdin", ITSELF, 2, "input: got standard input"),
    (["translate", "--model", "f"], "stdout", ITSELF, 2, f"output {SAME}"),
    (["evaluate", "--pairs", "f"], "stdout", ITSELF, 2, f"output {SAME}"),
    (["trace", "--model", "f"], "stdout", ITSELF, 2, f"output {SAME}"),
]


@pytest.mark.parametrize(("words", "name", "kind", "code", "message"), STREAMS)
def test_streams_that_are_closed_full_or_an_input(
    capsys, folder, monkeypatch, words, name, kind, code, message
):
    (folder / "f").write_text(f"{CAT}\n")
    if kind == PIPE:
        reader, writer = os.pipe()
        os.close(reader)
        stream = os.fdopen(writer, "w")
    else:
        stream = kind and Path(kind).open("a+")  # noqa: SIM115
    monkeypatch.setattr(f"sys.{name}", stream)
    with pytest.raises(SystemExit) as exit:
        cli.main(words)
    assert exit.value.code == code
    if stream:
        stream.close()  # What could not be written was dropped: nothing fails here.
    monkeypatch.undo()
    out, err = capsys.readouterr()
    if message is None:  # Standard error cannot be written, and nothing goes elsewhere instead.
        assert (out.count("\n"), err) == (1, "")
    elif message == "":
        assert (out, err) == ("", "")
    else:
        assert message in err
        assert err.count("\n") == 1
    assert (folder / "f").read_text() == f"{CAT}\n"


@pytest.mark.process
def test_processes_end_quietly_and_write_utf_8_whatever_the_terminal_says():
    """Where their reader has left, their disk is full, or their locale is narrow."""
    run = f"{sys.executable} -m transformer translate"
    script = f"""
        yes '{CAT}' | head -n 500 | {run} | head -n 1; echo ${{PIPESTATUS[2]}}
        {run} '{CAT}' > /dev/full; echo $?
        printf '{CAT}\\n貓\\n' | {run} --attention"""
    narrow = {"LC_ALL": "C", "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    environment = {**os.environ, **narrow, "COLUMNS": "20", "TERM": "dumb"}
    finished = subprocess.run(
        ["bash", "-c", script.encode()], capture_output=True, env=environment, timeout=480
    )
    first, left, full, second, head, *_ = finished.stdout.decode().splitlines()
    assert [first, left, full, second] == [SLEEPS, "0", "2", SLEEPS]
    assert head.split() == [*SLEEPS, "<eos>"]
    assert finished.stderr.decode().startswith(f"error: {FULL}\nwarning: standard input, line 2: ")
    assert "words never seen in training: 貓" in finished.stderr.decode()


def test_help_fits_a_narrow_terminal(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("TERM", "dumb")
    code, out, _ = run("translate", "--help")
    assert (code, max(map(len, out.splitlines()))) == (0, 20)


def test_importing_the_package_imports_nothing_heavy():
    code = "import sys, transformer; print(sorted({'torch', 'numpy', 'rich'} & set(sys.modules)))"
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert finished.stdout == "[]\n"


@pytest.mark.parametrize("name", ["prepare", "translate", "evaluate", "trace"])
def test_every_option_is_taught(name):
    section = PAGE.read_text("utf-8").split(f"\n## {name} ")[1].split("\n## ")[0]
    for parameter in COMMANDS[name].params:
        option = parameter.opts[0]
        assert not option.startswith("--") or re.search(rf"[` ]{option}[` ]", section), option
