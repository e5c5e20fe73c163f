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
ENDLESS = 2**28  # bytes after which a line counts as one that never ends
_GZIP = b"\x1f\x8b"  # begins a gzipped file, and no text in UTF-8
_OTHER_MARKS = {  # UTF-32 comes first: its mark in little-endian begins with that of UTF-16
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


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
        Every line without its end. One that is not UTF-8, has a NUL byte, or has 2**20 bytes or
            more, is an `Unreadable`, so that line n of the file is always the n-th.

    Raises:
        OSError: If the file cannot be opened.
        ValueError: If the file is UTF-16, UTF-32 or no text, its lines end in CR alone, a line
            does not end within 2**28 bytes, or the file is gzipped and damaged.

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
        ValueError: As `read_lines` does.

    Example:
        >>> from io import BytesIO
        >>> list(read_stream(BytesIO("你好\n".encode()), "standard input"))
        ['你好']
    """
    number, mark = 0, codecs.BOM_UTF8  # only the first line may begin with a mark
    while line := stream.readline(LONGEST_LINE):
        number += 1
        if number == 1:
            _check_encoding(line, name)
        if line == mark:
            return
        yield _text(line, mark)
        mark, length = b"", len(line)
        while len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            line = stream.readline(LONGEST_LINE)
            length += len(line)
            if length > ENDLESS:
                raise ValueError(f"{name}: line {number} does not end within {ENDLESS:,} bytes")


def _check_encoding(line: bytes, name: str) -> None:
    """Refuse a file whose first line shows that it is no text in UTF-8, or has other line ends."""
    for mark, encoding in _OTHER_MARKS.items():
        if line.startswith(mark):
            raise ValueError(f"{name} must be UTF-8: it is {encoding} (save it as UTF-8)")
    if b"\0" in line:
        raise ValueError(
            f"{name} must be UTF-8: line 1 has a NUL byte at position {line.index(0) + 1}, as in "
            "UTF-16, UTF-32 or a file that is no text (save it as UTF-8)"
        )
    if not line.endswith(b"\n") and b"\r" in line.rstrip(b"\r"):
        raise ValueError(
            f"{name} must have lines that end in LF or CRLF: they end in CR, as on a Mac of the "
            "last century (tr '\\r' '\\n' changes them)"
        )


def _text(line: bytes, mark: bytes) -> str | Unreadable:
    """Return the text of a line, without byte order mark and end."""
    if len(line) == LONGEST_LINE:
        return Unreadable("too long", f"{LONGEST_LINE} bytes or more")
    line = line.removeprefix(mark)
    if b"\0" in line:
        return Unreadable("not text", f"NUL byte at position {line.index(0) + 1}")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        wrong = f"byte 0x{line[error.start]:02X} at position {error.start + 1}"
        return Unreadable("not UTF-8", wrong)
    return text.removesuffix("\n").removesuffix("\r") if text.endswith("\n") else text
