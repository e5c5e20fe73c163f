"""Where the commands write: standard output, a file, and messages on standard error."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISREG
from typing import Protocol, TextIO, runtime_checkable

from transformer.atomic_write import atomic_write, name_file_in_errors


@runtime_checkable
class Stream(Protocol):
    """A stream that the operating system knows by a number."""

    def fileno(self) -> int:
        """Return the number."""


def print_message(text: str) -> None:
    """Print a line for people on standard error; where it cannot be written, the work goes on."""
    if sys.stderr is None:  # The caller closed it: print would take standard output instead.
        return
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


@contextmanager
def open_output(path: Path | None = None) -> Iterator[TextIO]:
    """Open a file, or standard output when None, to print to.

    A file is replaced when the block has ended without an error, and not before. What is no file,
    such as `/dev/stdout` or a pipe, is written at once.

    Raises:
        OSError: If it cannot be written, such as on a full disk; it names the output.
        ValueError: If standard output is closed.
    """
    if path is None:
        if sys.stdout is None:
            raise ValueError("standard output is closed: nothing can be printed there")
        with name_file_in_errors(Path("standard output")):
            yield sys.stdout
            sys.stdout.flush()
    elif path.exists() and not path.is_file():
        with name_file_in_errors(path), path.open("w", encoding="utf-8") as file:
            yield file
    else:
        with (
            atomic_write(path) as unfinished,
            unfinished.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file,
        ):
            yield file


def check_output(option: str, path: Path | None, *inputs: Path | None) -> None:
    """Refuse an output that cannot be written or is an input, before any work is done for it.

    Args:
        option: What the output is called.
        path: The file; standard output when None.
        *inputs: The files that are read; standard input is compared too. None is no file.

    Raises:
        ValueError: If the folder of the file is missing or may not be written to, the file is a
            folder, or the output is one of the inputs.
    """
    if path:
        if path.is_dir():
            raise ValueError(f"{option} must be a file: got the folder {path}")
        folder = path.resolve().parent
        if not folder.is_dir():
            raise ValueError(f"{option} must be in a folder that exists: got {path}")
        if not os.access(path if path.exists() and not path.is_file() else folder, os.W_OK):
            raise ValueError(f"{option} must be a file that may be written: got {path}")
    output = _status(path or sys.stdout)
    for name, source in [("standard input", sys.stdin), *((str(one), one) for one in inputs)]:
        status = _status(source)
        if output and status and S_ISREG(output.st_mode) and os.path.samestat(output, status):
            output_name = option if path else "standard output"
            raise ValueError(f"{output_name} must be another file than the input: got {name}")


def discard(stream: Stream) -> None:
    """Let what is still to be written to a stream vanish: its reader has left, or its disk is full.

    Otherwise Python tries again when it ends, and fails once more.
    """
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
    except (OSError, ValueError):  # The stream is none of the operating system.
        pass


def _status(file: Path | Stream | None) -> os.stat_result | None:
    """Return what the system knows of a file or a stream; None where there is none."""
    try:
        return file.stat() if isinstance(file, Path) else os.fstat(file.fileno()) if file else None
    except (OSError, ValueError):
        return None
