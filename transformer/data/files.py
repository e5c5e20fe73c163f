"""Sentence pairs from files: read line by line, cleaned, and turned into ids."""

import codecs
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike, fspath
from pathlib import Path

from transformer.arguments import check_integer
from transformer.data.left_out import Report, reporting
from transformer.data.tokenizer import Tokenizer

FilePath = str | PathLike[str]
TextPair = tuple[str, str]
LONGEST_LINE = 2**20  # bytes; what a file without line ends could take of the memory


def read_pairs(
    path: FilePath, report: Report | None = None, max_chars: int = 1000
) -> Iterator[TextPair]:
    r"""Read sentence pairs from a tab-separated file, one pair a line.

    The first column is the source, the second the target; more columns, such as a
    licence, are ignored. The file is UTF-8, with or without a byte order mark; lines end in LF or
    CRLF. Text is normalised to NFC, white space to single spaces. A line that is empty, malformed
    or too long is left out and reported. One line is in memory at a time.

    Args:
        path: The file.
        report: Collects what is left out; without one, a warning at the end of the file tells it.
        max_chars: Most characters of a sentence.

    Returns:
        An iterator of pairs (source, target).

    Raises:
        ValueError: If `max_chars` is below 1, or the file is UTF-16.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "pairs.tsv")
        >>> _ = path.write_text("hello .\t你好。\tCC-BY\nhello\n", "utf-8")
        >>> report = Report()
        >>> list(read_pairs(path, report))
        [('hello .', '你好。')]
        >>> print(report)
        left out: 1 of 2 lines (1 malformed)
          line 2: malformed (no tab between source and target)
    """
    check_integer("max_chars", max_chars, 1)
    return _read([path], report, max_chars)


def read_aligned(
    src_path: FilePath, tgt_path: FilePath, report: Report | None = None, max_chars: int = 1000
) -> Iterator[TextPair]:
    r"""Read sentence pairs from two files: line n of one is the translation of line n of the other.

    Both are read as `read_pairs` reads its file. Their lines are counted first, so a missing line
    is found before any pair is wrong.

    Args:
        src_path: The sources, one a line.
        tgt_path: The targets, one a line.
        report: Collects what is left out; without one, a warning at the end of the files tells it.
        max_chars: Most characters of a sentence.

    Returns:
        An iterator of pairs (source, target).

    Raises:
        ValueError: If the files differ in their number of lines, `max_chars` is below 1, or a file
            is UTF-16.

    Example:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "en.txt").write_text("hello .\nthank you .\n", "utf-8")
        >>> _ = (folder / "zh.txt").write_text("你好。\n謝謝你。\n", "utf-8")
        >>> list(read_aligned(folder / "en.txt", folder / "zh.txt"))
        [('hello .', '你好。'), ('thank you .', '謝謝你。')]
    """
    check_integer("max_chars", max_chars, 1)
    counts = [(sum(1 for _ in _lines(path)), fspath(path)) for path in (src_path, tgt_path)]
    (fewer, shorter), (more, longer) = sorted(counts)
    if fewer < more:
        raise ValueError(
            f"aligned files must have the same number of lines: {shorter} ends after line {fewer}, "
            f"{longer} has {more}"
        )
    return _read([src_path, tgt_path], report, max_chars)


def encode_pairs(
    pairs: Iterable[TextPair], tokenizer: Tokenizer
) -> Iterator[tuple[list[int], list[int]]]:
    """Turn each pair into ids: the source with `eos_id`, the target with `bos_id` and `eos_id`.

    Args:
        pairs: Pairs (source, target).
        tokenizer: The tokenizer.

    Example:
        >>> tokenizer = Tokenizer.train(["貓"], vocab_size=260)
        >>> [(source, target)] = encode_pairs([("a", "b")], tokenizer)
        >>> tokenizer.pieces(source), tokenizer.pieces(target)
        (['a', '<eos>'], ['<bos>', 'b', '<eos>'])
    """
    for source, target in pairs:
        yield tokenizer.encode_source(source), tokenizer.encode_target(target)


class _LeftOutError(Exception):
    """Carries kind and detail of a problem from where it is found to where lines are counted."""


def _lines(path: FilePath) -> Iterator[bytes]:
    """Yield the lines of a file, of a very long one only the first `LONGEST_LINE` bytes."""
    with Path(path).open("rb") as file:
        mark = file.read(3)
        if mark.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise ValueError(f"{fspath(path)} must be UTF-8: it is UTF-16 (save it as UTF-8)")
        if mark != codecs.BOM_UTF8:
            file.seek(0)
        while line := file.readline(LONGEST_LINE):
            yield line
            while len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                line = file.readline(LONGEST_LINE)


def _read(paths: Sequence[FilePath], report: Report | None, max_chars: int) -> Iterator[TextPair]:
    """Yield the pair of every line of one file with two columns, or of two files."""
    with reporting(report) as report:
        for number, row in enumerate(zip(*map(_lines, paths)), start=1):
            report.lines += 1
            try:
                pair = _pair(row, max_chars)
            except _LeftOutError as problem:
                report.add("line", number, *problem.args)
            else:
                yield pair


def _pair(row: tuple[bytes, ...], max_chars: int) -> TextPair:
    """Return the clean sentences of one line, or raise `_LeftOutError`."""
    names = ("line",) if len(row) == 1 else ("source", "target")
    columns = [_decoded(name, line) for name, line in zip(names, row)]
    if not any(column.strip() for column in columns):
        raise _LeftOutError("empty", "the whole line")
    if len(row) == 1:
        columns = columns[0].split("\t")
    if len(columns) < 2:
        raise _LeftOutError("malformed", "no tab between source and target")
    source, target = (" ".join(unicodedata.normalize("NFC", text).split()) for text in columns[:2])
    for name, text in (("source", source), ("target", target)):
        if not text:
            raise _LeftOutError("empty", f"the {name}")
        if len(text) > max_chars:
            raise _LeftOutError("too long", f"the {name}: {len(text)} characters, {max_chars=}")
    return source, target


def _decoded(name: str, line: bytes) -> str:
    """Return the text of a line, or raise `_LeftOutError`."""
    if len(line) == LONGEST_LINE:
        raise _LeftOutError("too long", f"the {name}: {LONGEST_LINE} bytes or more")
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        wrong = f"byte 0x{line[error.start]:02X} at position {error.start + 1}"
        raise _LeftOutError("not UTF-8", f"the {name}: {wrong}") from None
