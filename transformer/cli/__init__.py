"""The command line: train, translate, evaluate, trace; a file a command."""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import typer
from typer.exceptions import Abort, TyperException

from transformer.cli.evaluating import evaluate
from transformer.cli.options import tell
from transformer.cli.tracing import trace
from transformer.cli.training import train
from transformer.cli.translating import translate_sentences

app = typer.Typer(
    name="transformer",
    help="Train a Transformer, translate with it, measure it, look inside.",
    no_args_is_help=True,
    add_completion=False,
)
app.command()(train)
app.command("translate")(translate_sentences)
app.command()(evaluate)
app.command()(trace)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command; what is wrong with the input is told in one line, with exit code 2.

    Args:
        arguments: The words after `transformer`; those of the process when None.
    """
    try:
        code = app(arguments, prog_name="transformer", standalone_mode=False)
    except TyperException as error:
        _fail(error.format_message())  # empty where the help was shown
    except OSError as error:
        if isinstance(error, BrokenPipeError):  # as in `transformer translate … | head -1`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (ValueError, FloatingPointError) as error:
        _fail(str(error))
    except (Abort, KeyboardInterrupt):
        tell("stopped")
        sys.exit(130)
    sys.exit(code or 0)


def _fail(message: str) -> NoReturn:
    if message:
        tell("error: " + " ".join(message.split()))
    sys.exit(2)
