"""The command line: prepare, train, translate, evaluate, trace, export; a file a command."""

import os
import sys
import traceback
from collections.abc import Sequence
from importlib import metadata
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from typer.exceptions import Abort, TyperException

from transformer.arguments import ArgumentError, ArgumentTypeError
from transformer.atomic_write import name_file_in_errors
from transformer.cli import evaluate, export, prepare, trace, training, translate
from transformer.cli.output import discard, print_message

DEBUG = "TRANSFORMER_DEBUG"

# Arguments of the package that an option sets under another name.
OPTIONS = {
    "beam_size": "--beam",
    "num_best": "--n-best",
    "max_new_tokens": "--max-length",
    "max_tokens": "--batch-tokens",
}

# What the package raises when its input is at fault, or when something is not installed.
_WRONG_INPUT = (OSError, ValueError, ArgumentTypeError, FloatingPointError, ModuleNotFoundError)

app = typer.Typer(
    name="transformer",
    help="Train a Transformer, translate with it, measure it, look inside.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="markdown",  # In Rich's own markup, [export] would be a style.
)
app.command("prepare")(prepare.prepare)
app.command("train")(training.train)
app.command("translate")(translate.translate_sentences)
app.command("evaluate")(evaluate.evaluate)
app.command("trace")(trace.trace)
app.command("export")(export.export)


def _show_version(wanted: bool) -> bool:
    if wanted:
        print(metadata.version("transformer-book"))
        raise typer.Exit
    return wanted


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Train a Transformer, translate with it, measure it, look inside."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and end the process; what is wrong is told in one line.

    The exit code is 0 when all is done, 1 when something was left out or the package is at fault,
    2 when the input is wrong, 130 when the command was interrupted. With `TRANSFORMER_DEBUG=1` in
    the environment an error shows where it comes from.

    Args:
        arguments: The words after `transformer`; those of the process when None.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # UTF-8, whatever the locale says.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    code, message = _run(words)
    if message:
        print_message(message)
    sys.exit(code)


def _run(words: list[str]) -> tuple[int, str]:
    """Run a command; return its exit code and what to say at the end, if anything."""
    output = sys.stdout  # typer exchanges sys.stdout when the reader of a pipe has left.
    try:
        code = app(words, prog_name="transformer", standalone_mode=False) or 0
        if output:
            with name_file_in_errors(Path("standard output")):
                output.flush()
    except TyperException as error:
        message = error.format_message()  # It is empty where the help was shown.
        return 2, message and f"error: {' '.join(message.split())}"
    except (Abort, KeyboardInterrupt):
        code = 130
    except BrokenPipeError:
        return 0, ""
    except SystemExit as exit:  # What typer makes of a broken pipe.
        if not isinstance(exit.__context__, BrokenPipeError):
            raise
        return 0, ""
    except Exception as error:
        if os.environ.get(DEBUG):
            traceback.print_exc()
        code, message = _describe(error, words)
        return code, f"error: {' '.join(message.split())}"
    finally:
        try:
            if output:
                output.flush()
        except OSError:  # Python would fail at its own end, and say so.
            discard(output)
    return code, "stopped" if code == 130 else ""


def _describe(error: Exception, words: list[str]) -> tuple[int, str]:
    """Return the exit code of an error, and what to say of it."""
    if isinstance(error, OSError) and error.filename:
        return 2, f"{error.filename}: {error.strerror}"
    if isinstance(error, ArgumentError | ArgumentTypeError):
        return 2, f"{_option(error.argument, words)} {error.message}"
    if isinstance(error, _WRONG_INPUT):
        return 2, str(error)
    return 1, f"{type(error).__name__}: {error} ({DEBUG}=1 shows where)"


def _option(argument: str, words: list[str]) -> str:
    """Return the option of the command that sets an argument of the package, or its own name."""
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    command = next((commands[word] for word in words if word in commands), None)
    options = {parameter.name: parameter.opts[0] for parameter in command.params} if command else {}
    option = options.get(argument, "")
    if not option.startswith("--"):
        option = OPTIONS.get(argument, "")
    return option if option in options.values() else argument
