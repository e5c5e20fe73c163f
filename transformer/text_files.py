"""Lines of text files and streams: UTF-8, one in memory at a time, none lost or made up.

Every command and every reader of pairs reads text here. What another encoding would turn into
nonsense is refused by its name at the first line, or by the first byte that cannot be text.
"""

import codecs
import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from itertools import count
from os import fspath
from pathlib import Path
from typing import NamedTuple

from transformer.arguments import FilePath

LONGEST_LINE = 2**20  # bytes: what a file without line ends may take of the memory
MOST_SKIPPED = 2**26  # bytes: a line that has not ended after so many has no end at all
_GZIP = b"\x1f\x8b"  # begins a gzipped file, and no text in UTF-8
_MARKS = [  # The mark of UTF-32 begins with that of UTF-16, so it is looked for first.
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
]


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
        Every line without its end. One that is not UTF-8, holds a NUL byte or a CR, or has 2**20
            bytes or more, is an `Unreadable`, so that line n of the file is always the n-th.

    Raises:
        OSError: If the file cannot be opened.
        ValueError: If the first line is UTF-16, UTF-32, or ends in CR alone; if a line does not
            end within 2**26 bytes; or if the file is gzipped and damaged.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "text.txt")
        >>> _ = path.write_bytes(b"one\x0cline\r\n\xff\nthree")
        >>> list(read_lines(path))
        ['one\x0cline', Unreadable(kind='not UTF-8', detail='byte 0xFF at position 1'), 'three']
    """
    with open_unpacked(path) as stream:
        yield from read_stream(stream, fspath(path))


@contextmanager
def open_unpacked(path: FilePath) -> Iterator[BufferedIOBase]:
    """Open a file of bytes; a gzipped one is unpacked on the way.

    Args:
        path: The file.

    Yields:
        The bytes, to be read once.

    Raises:
        OSError: If the file cannot be opened.
        ValueError: If the file is gzipped and damaged.
    """
    with Path(path).open("rb") as file:
        if not file.peek(2).startswith(_GZIP):
            yield file
            return
        try:
            with gzip.GzipFile(fileobj=file) as unpacked:
                yield unpacked
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise ValueError(f"{fspath(path)}: a damaged gzip file: {error}") from error


def read_stream(stream: BufferedIOBase, name: str) -> Iterator[str | Unreadable]:
    r"""Read the lines of an open stream, such as standard input, as `read_lines` does.

    Args:
        stream: The bytes.
        name: What to call it when something is wrong.

    Yields:
        Every line, or an `Unreadable` in its place.

    Raises:
        ValueError: If the first line is UTF-16, UTF-32, or ends in CR alone, or a line does not
            end within 2**26 bytes.

    Example:
        >>> from io import BytesIO
        >>> list(read_stream(BytesIO("你好\n".encode()), "standard input"))
        ['你好']
        >>> list(read_stream(BytesIO("hello\n".encode("utf-16-le")), "standard input"))
        Traceback (most recent call last):
        ...
        ValueError: standard input must be UTF-8: it is UTF-16 (save it as UTF-8)
    """
    for number in count(1):
        line = stream.readline(LONGEST_LINE)
        if number == 1:
            if problem := _problem_of_all(line):
                raise ValueError(f"{name} must {problem}")
            if line == codecs.BOM_UTF8:
                return
        if not line:
            return
        if len(line) < LONGEST_LINE:
            yield _text(line.removeprefix(codecs.BOM_UTF8) if number == 1 else line)
        else:
            yield Unreadable("too long", f"{LONGEST_LINE} bytes or more")
            if not line.endswith(b"\n"):
                _skip_line(stream, f"{name}, line {number}")


def _problem_of_all(line: bytes) -> str | None:
    """Return what a text must be, if its first line shows that all of it is something else."""
    encoding = next((name for mark, name in _MARKS if line.startswith(mark)), None)
    if encoding := encoding or _wide_encoding(line):
        return f"be UTF-8: it is {encoding} (save it as UTF-8)"
    if b"\r" in line.rstrip(b"\r\n"):
        return "have lines that end in LF or CRLF: a CR alone ends its first, as on an old Mac"
    return None


def _wide_encoding(line: bytes) -> str | None:
    """Return the name of an encoding without a mark whose NUL bytes stand in a pattern."""
    if not line.strip(b"\0\r\n"):
        return None
    columns = [any(line[start::4]) for start in range(4)]  # which of four bytes are ever used
    if len(line) > 3 and columns in ([True, True, False, False], [True, False, False, False]):
        return "UTF-32"
    if len(line) > 3 and columns in ([False, False, True, True], [False, False, False, True]):
        return "UTF-32"
    even, odd = line[::2].count(0), line[1::2].count(0)
    of_ascii = 4 * max(even, odd) >= len(line)  # half the bytes, or fewer beside other letters
    return "UTF-16" if of_ascii and min(even, odd) == 0 else None


def _skip_line(stream: BufferedIOBase, line: str) -> None:
    """Read the rest of a line, and nothing of it into memory at once."""
    for _ in range(MOST_SKIPPED // LONGEST_LINE):
        rest = stream.readline(LONGEST_LINE)
        if not rest or rest.endswith(b"\n"):
            return
    raise ValueError(f"{line}: no end of the line within {MOST_SKIPPED} bytes: is this a text?")


def _text(line: bytes) -> str | Unreadable:
    """Return the text of a line without its end."""
    if (index := line.find(0)) >= 0:
        return Unreadable("not text", f"byte 0x00 at position {index + 1}")
    try:
        text = line.decode("utf-8").removesuffix("\n").rstrip("\r")
    except UnicodeDecodeError as error:
        wrong = f"byte 0x{line[error.start]:02X} at position {error.start + 1}"
        return Unreadable("not UTF-8", wrong)
    if (index := text.find("\r")) >= 0:
        return Unreadable("wrong end", f"a CR alone at position {index + 1}, not LF or CRLF")
    return text
