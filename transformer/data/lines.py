"""Lines of files and streams: UTF-8, one in memory at a time, none lost or made up."""

import codecs
import gzip
import zlib
from collections.abc import Iterator
from io import BufferedIOBase
from os import fspath
from pathlib import Path
from typing import NamedTuple

from transformer.arguments import FilePath

LONGEST_LINE = 2**20  # bytes: what a file without line ends may take of the memory
_GZIP = b"\x1f\x8b"  # begins a gzipped file, and no text in UTF-8


class Unreadable(NamedTuple):
    """What stands in the place of a line that cannot be read.

    Attributes:
        kind: The reason in two words.
        detail: What was found.
    """

    kind: str
    detail: str


def read_lines(path: FilePath) -> Iterator[str | Unreadable]:
    r"""Read a file of text line by line.

    A line ends in LF or CRLF, and nowhere else: not at a form feed, nor at the other characters
    that `str.splitlines` cuts at. A byte order mark is dropped. A gzipped file is unpacked on the
    way.

    Args:
        path: The file, in UTF-8.

    Yields:
        Every line without its end. One that is not UTF-8, or has 2**20 bytes or more, is an
            `Unreadable`, so that line n of the file is always the n-th.

    Raises:
        OSError: If the file cannot be opened.
        ValueError: If the file is UTF-16, or gzipped and damaged.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "text.txt")
        >>> _ = path.write_bytes(b"one\x0cline\r\n\xff\nthree")
        >>> list(read_lines(path))
        ['one\x0cline', Unreadable(kind='not UTF-8', detail='byte 0xFF at position 1'), 'three']
    """
    with Path(path).open("rb") as file:
        if file.peek(2).startswith(_GZIP):
            try:
                with gzip.GzipFile(fileobj=file) as unpacked:
                    yield from read_stream(unpacked, fspath(path))
            except (gzip.BadGzipFile, EOFError, zlib.error) as error:
                raise ValueError(f"{fspath(path)}: a damaged gzip file: {error}") from error
        else:
            yield from read_stream(file, fspath(path))


def read_stream(stream: BufferedIOBase, name: str) -> Iterator[str | Unreadable]:
    r"""Read the lines of an open stream, such as standard input, as `read_lines` does.

    Args:
        stream: The bytes.
        name: What to call it when something is wrong.

    Yields:
        Every line, or an `Unreadable` in its place.

    Raises:
        ValueError: If the stream is UTF-16.

    Example:
        >>> from io import BytesIO
        >>> list(read_stream(BytesIO("你好\n".encode()), "standard input"))
        ['你好']
    """
    mark = codecs.BOM_UTF8  # on the first line only
    while line := stream.readline(LONGEST_LINE):
        if mark and line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise ValueError(f"{name} must be UTF-8: it is UTF-16 (save it as UTF-8)")
        if line == mark:
            return
        yield _text(line, mark)
        mark = b""
        while len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            line = stream.readline(LONGEST_LINE)


def _text(line: bytes, mark: bytes) -> str | Unreadable:
    """Return the text of a line, without byte order mark and end."""
    if len(line) == LONGEST_LINE:
        return Unreadable("too long", f"{LONGEST_LINE} bytes or more")
    line = line.removeprefix(mark)
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        wrong = f"byte 0x{line[error.start]:02X} at position {error.start + 1}"
        return Unreadable("not UTF-8", wrong)
    return text.removesuffix("\n").removesuffix("\r") if text.endswith("\n") else text
