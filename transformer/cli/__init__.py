"""The command line: train, translate, evaluate, trace, export; a file a command."""

import os
import re
import sys
import traceback
from collections.abc import Sequence
from importlib import metadata
from io import TextIOWrapper
from typing import Annotated, NoReturn

import typer
from typer.exceptions import Abort, TyperException

from transformer.cli.evaluating import evaluate
from transformer.cli.exporting import export
from transformer.cli.options import tell
from transformer.cli.tracing import trace
from transformer.cli.training import train
from transformer.cli.translating import translate_sentences

DEBUG = "TRANSFORMER_DEBUG"

# Arguments of the package that an option sets under another name
OPTIONS = {
    "beam_size": "--beam",
    "num_best": "--n-best",
    "max_tokens": "--batch-tokens",
}

# What the package raises when its input is at fault, or something is not installed
_WRONG_INPUT = (OSError, ValueError, FloatingPointError, ModuleNotFoundError)

app = typer.Typer(
    name="transformer",
    help="Train a Transformer, translate with it, measure it, look inside.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(train)
app.command("translate")(translate_sentences)
app.command()(evaluate)
app.command()(trace)
app.command()(export)


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
        if isinstance(stream, TextIOWrapper):  # UTF-8 whatever the terminal or the locale says
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code = app(words, prog_name="transformer", standalone_mode=False)
    except TyperException as error:
        _fail(error.format_message(), 2)  # empty where the help was shown
    except (Abort, KeyboardInterrupt):
        code = 130
    except Exception as error:
        if os.environ.get(DEBUG):
            traceback.print_exc()
        _fail(*_told(error, words))
    if code == 130:  # what typer makes of Ctrl-C
        tell("stopped")
    sys.exit(code or 0)


def _told(error: Exception, words: list[str]) -> tuple[str, int]:
    """Return what to say of an error, and the exit code."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}", 2
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    inside = frame.f_globals.get("__name__", "").startswith("torch")
    if isinstance(error, _WRONG_INPUT) and not inside:
        return _with_options(str(error), words), 2
    return f"{type(error).__name__}: {error} ({DEBUG}=1 shows where)", 1


def _with_options(message: str, words: list[str]) -> str:
    """Name arguments as the options that set them: `--num-heads`, not `num_heads`."""
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    command = next((commands[word] for word in words if word in commands), None)
    own = {parameter.name: parameter.opts[0] for parameter in command.params} if command else {}
    known = {name: option for name, option in own.items() if option.startswith("--")}
    known |= {name: option for name, option in OPTIONS.items() if option in known.values()}

    def option(match: re.Match[str]) -> str:
        return known.get(match[0], match[0])

    # Words such as "seed" are English too: an argument must be something or has an underscore
    return re.sub(r"(?<![\w./\\-])\w+(?= must )|\b[a-z]+_\w+\b(?!\.)|\b\w+(?==)", option, message)


def _fail(message: str, code: int) -> NoReturn:
    if message:
        tell("error: " + " ".join(message.split()))
    sys.exit(code)
