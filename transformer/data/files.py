"""Sentence pairs from files: read line by line, cleaned, and turned into ids."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from os import fspath

from transformer.arguments import FilePath, check_integer
from transformer.data.left_out import Report, reporting
from transformer.data.tokenizer import BOS_ID, EOS_ID, Tokenizer
from transformer.text_files import Unreadable, read_lines

TextPair = tuple[str, str]
_TOGETHER = 1000  # pairs that become ids at one time


def read_pairs(
    path: FilePath, report: Report | None = None, max_chars: int = 1000
) -> Iterator[TextPair]:
    r"""Read sentence pairs from a tab-separated file, one pair a line.

    The first column is the source, the second the target; more columns, such as a
    licence, are ignored. The file is UTF-8, with or without a byte order mark, gzipped or not;
    lines end in LF or CRLF. Text is normalized to NFC, white space to single spaces. A line that
    is empty, malformed or too long is left out and reported. One line is in memory at a time.

    Args:
        path: The file.
        report: Collects what is left out; without one, a warning at the end of the file tells it.
        max_chars: Most characters of a sentence.

    Returns:
        An iterator of pairs (source, target).

    Raises:
        ValueError: If `max_chars` is below 1, or the file is UTF-16.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "pairs.tsv")
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
        >>> import pathlib, tempfile
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "en.txt").write_text("hello .\nthank you .\n", "utf-8")
        >>> _ = (folder / "zh.txt").write_text("你好。\n謝謝你。\n", "utf-8")
        >>> list(read_aligned(folder / "en.txt", folder / "zh.txt"))
        [('hello .', '你好。'), ('thank you .', '謝謝你。')]
    """
    check_integer("max_chars", max_chars, 1)
    check_aligned(src_path, tgt_path)
    return _read([src_path, tgt_path], report, max_chars)


def check_aligned(*paths: FilePath) -> None:
    """Refuse files that do not all have the same number of lines.

    Args:
        paths: The files; line n of each belongs to line n of the others.

    Raises:
        ValueError: If they differ: names the shortest and the longest.
    """
    counts = sorted((sum(1 for _ in read_lines(path)), fspath(path)) for path in paths)
    (fewest, shortest), (most, longest) = counts[0], counts[-1]
    if fewest < most:
        raise ValueError(
            f"aligned files must have the same number of lines: {shortest} ends after line "
            f"{fewest}, {longest} has {most}"
        )


def numbered_pairs(
    paths: Sequence[FilePath], report: Report, max_chars: int = 1000
) -> Iterator[tuple[int, TextPair]]:
    r"""Read what `read_pairs` or `read_aligned` reads, each pair with the number of its line.

    Args:
        paths: One file with two columns, or two aligned files.
        report: Collects what is left out.
        max_chars: Most characters of a sentence.

    Returns:
        An iterator of numbers, from 1, and pairs.

    Raises:
        ValueError: As `read_aligned` does.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "pairs.tsv")
        >>> _ = path.write_text("hello\nhello .\t你好。\n", "utf-8")
        >>> list(numbered_pairs([path], Report()))
        [(2, ('hello .', '你好。'))]
    """
    check_aligned(*paths)
    return _numbered(paths, report, max_chars)


def encode_pairs(
    pairs: Iterable[TextPair], tokenizer: Tokenizer
) -> Iterator[tuple[list[int], list[int]]]:
    """Turn each pair into ids: the source with `eos_id`, the target with `bos_id` and `eos_id`.

    Pairs are read a thousand at a time, and shared out among the cores.

    Args:
        pairs: Pairs (source, target).
        tokenizer: The tokenizer.

    Example:
        >>> tokenizer = Tokenizer.train(["貓"], vocab_size=260)
        >>> [(source, target)] = encode_pairs([("a", "b")], tokenizer)
        >>> tokenizer.pieces(source), tokenizer.pieces(target)
        (['a', '<eos>'], ['<bos>', 'b', '<eos>'])
    """
    texts = iter(pairs)
    while together := list(islice(texts, _TOGETHER)):
        sources = tokenizer.encode_all([tokenizer.spelled(source) for source, _ in together])
        targets = tokenizer.encode_all([target for _, target in together])
        for source, target in zip(sources, targets):
            yield [*source, EOS_ID], [BOS_ID, *target, EOS_ID]


class _LeftOutError(Exception):
    """Carries kind and detail of a problem from where it is found to where lines are counted."""


def _numbered(
    paths: Sequence[FilePath], report: Report, max_chars: int
) -> Iterator[tuple[int, TextPair]]:
    """Yield the number and the pair of every line of one file with two columns, or of two files."""
    for number, row in enumerate(zip(*map(read_lines, paths)), start=1):
        report.lines += 1
        try:
            pair = _pair(row, max_chars)
        except _LeftOutError as problem:
            report.add("line", number, *problem.args)
        else:
            yield number, pair


def _read(paths: Sequence[FilePath], report: Report | None, max_chars: int) -> Iterator[TextPair]:
    """Yield the pair of every line of one file with two columns, or of two files."""
    with reporting(report) as report:
        for _, pair in _numbered(paths, report, max_chars):
            yield pair


def _pair(row: tuple[str | Unreadable, ...], max_chars: int) -> TextPair:
    """Return the clean sentences of one line, or raise `_LeftOutError`."""
    names = ("line",) if len(row) == 1 else ("source", "target")
    columns = []
    for name, line in zip(names, row):
        if isinstance(line, Unreadable):
            raise _LeftOutError(line.kind, f"the {name}: {line.detail}")
        columns.append(line)
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
