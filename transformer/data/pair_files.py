"""Sentence pairs from files: read line by line, cleaned, and turned into ids."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from os import PathLike
from pathlib import Path

from transformer.arguments import ArgumentError, ArgumentTypeError, FilePath, check_integer
from transformer.data.report import Report, reporting
from transformer.data.spelling import is_visible
from transformer.data.tokenizer import BOS_ID, EOS_ID, Tokenizer
from transformer.text_files import Unreadable, read_lines

TextPair = tuple[str, str]
_TOGETHER = 1000  # pairs that become ids at one time
_LOOK = 20  # first pairs that show whether a column holds ids
_ENOUGH = 3  # fewer pairs show nothing
_SENTENCE_ENDS = tuple(".?!。？！")
_HEADERS = (  # what first lines of exports call their columns, in one language
    {"source", "target", "src", "tgt", "sentence", "translation", "text"},
    {"en", "eng", "english", "zh", "zh-tw", "cmn", "chinese"},
    {"英文", "中文", "原文", "譯文", "翻譯"},
)


class PairReader:
    r"""Reads sentence pairs from one tab-separated file, or from two files aligned line by line.

    In one file the first column is the source, the second the target; more columns, such as a
    licence, are ignored. Of two files, line n of one is the translation of line n of the other.
    Files are UTF-8, with or without a byte order mark, gzipped or not; lines end in LF or CRLF.
    Text is normalized to NFC, white space to single spaces. A column with quotes doubled as
    spreadsheets write them loses its outer quotes. What is empty, malformed, too long or a header
    is left out and reported. One line is in memory at a time.

    Args:
        paths: One file, or two.
        max_chars: Most characters of a sentence.

    Attributes:
        paths: The files.

    Raises:
        TypeError: If a path is none.
        ValueError: If there are not one or two, or `max_chars` is below 1.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "pairs.tsv")
        >>> _ = path.write_text("hello\nhello .\t你好。\n", "utf-8")
        >>> list(PairReader(path).numbered(Report()))
        [(2, ('hello .', '你好。'))]
    """

    def __init__(self, paths: FilePath | Sequence[FilePath], max_chars: int = 1000) -> None:
        several = [paths] if isinstance(paths, str | bytes | PathLike) else paths
        for path in several:
            if not isinstance(path, str | PathLike):
                raise ArgumentTypeError("paths", f"must be files, by their names: got {path!r}")
        self.paths = tuple(Path(path) for path in several)
        if len(self.paths) not in (1, 2):
            raise ArgumentError("paths", f"must be one file or two: got {len(self.paths)}")
        self._max_chars = check_integer("max_chars", max_chars, 1)

    def __str__(self) -> str:
        return " + ".join(path.name for path in self.paths)

    def check_aligned(self) -> None:
        """Refuse two files that do not have the same number of lines.

        Raises:
            ValueError: If they differ, or one is a pipe, which can be read only once.
        """
        if len(self.paths) == 1:
            return
        check_rereadable(self.paths)
        counts = sorted((sum(1 for _ in read_lines(path)), path) for path in self.paths)
        (fewest, shorter), (most, longer) = counts
        if fewest < most:
            raise ValueError(
                f"aligned files must have the same number of lines: {shorter} ends after line "
                f"{fewest}, {longer} has {most}"
            )

    def numbered(self, report: Report) -> Iterator[tuple[int, TextPair]]:
        """Yield the pairs, each with the number of its line, from 1.

        Args:
            report: Collects what is left out.

        Raises:
            ValueError: If a file is no text in UTF-8, or column 1 of the file holds ids.
        """
        rows = self._rows(report)
        if len(self.paths) == 1:
            first = list(islice(rows, _LOOK))
            _check_no_ids(self.paths[0], [columns for _, columns in first])
            rows = chain(first, rows)
        for number, (source, target, *_) in rows:
            yield number, (source, target)

    def pairs(self, report: Report | None) -> Iterator[TextPair]:
        """Yield the pairs.

        Args:
            report: Collects what is left out; without one, a warning at the end tells it.

        Raises:
            ValueError: As `numbered` does.
        """
        with reporting(report) as report:
            for _, pair in self.numbered(report):
                yield pair

    def _rows(self, report: Report) -> Iterator[tuple[int, list[str]]]:
        """Yield number and columns of every line that is good, the first two of them clean."""
        for number, lines in enumerate(zip(*map(read_lines, self.paths)), start=1):
            report.lines += 1
            try:
                columns = _columns(lines, self._max_chars)
                if number == 1:
                    _check_no_header(columns[:2])
            except _LeftOutError as problem:
                report.add("line", number, *problem.args)
            else:
                yield number, columns


def read_pairs(
    path: FilePath, report: Report | None = None, max_chars: int = 1000
) -> Iterator[TextPair]:
    r"""Read sentence pairs from a tab-separated file, one pair a line, as `PairReader` does.

    Args:
        path: The file.
        report: Collects what is left out; without one, a warning at the end of the file tells it.
        max_chars: Most characters of a sentence.

    Returns:
        An iterator of pairs (source, target).

    Raises:
        ValueError: If `max_chars` is below 1, the file is no text in UTF-8, or column 1 holds ids.

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
    return PairReader(path, max_chars).pairs(report)


def read_aligned(
    src_path: FilePath, tgt_path: FilePath, report: Report | None = None, max_chars: int = 1000
) -> Iterator[TextPair]:
    r"""Read sentence pairs from two files: line n of one is the translation of line n of the other.

    Both are read as `PairReader` does it. Their lines are counted first, so a missing line is
    found before any pair is wrong.

    Args:
        src_path: The sources, one a line.
        tgt_path: The targets, one a line.
        report: Collects what is left out; without one, a warning at the end of the files tells it.
        max_chars: Most characters of a sentence.

    Returns:
        An iterator of pairs (source, target).

    Raises:
        ValueError: If the files differ in their number of lines, `max_chars` is below 1, or a file
            is no text in UTF-8, or a pipe.

    Example:
        >>> import pathlib, tempfile
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "en.txt").write_text("hello .\nthank you .\n", "utf-8")
        >>> _ = (folder / "zh.txt").write_text("你好。\n謝謝你。\n", "utf-8")
        >>> list(read_aligned(folder / "en.txt", folder / "zh.txt"))
        [('hello .', '你好。'), ('thank you .', '謝謝你。')]
    """
    reader = PairReader([src_path, tgt_path], max_chars)
    reader.check_aligned()
    return reader.pairs(report)


def check_rereadable(paths: Iterable[Path]) -> None:
    """Refuse a pipe, which gives its lines only once, and a folder.

    Args:
        paths: The files; one that is missing is refused when it is read.

    Raises:
        ValueError: If one is there and is no ordinary file.
    """
    for path in paths:
        if path.exists() and not path.is_file():
            raise ValueError(
                f"{path}: pairs to be read more than once must be in a file, not in a "
                f"{'folder' if path.is_dir() else 'pipe (write what it gives to a file first)'}"
            )


def encode_pairs(
    pairs: Iterable[TextPair], tokenizer: Tokenizer
) -> Iterator[tuple[list[int], list[int]]]:
    """Turn each pair into ids: the source with `eos_id`, the target with `bos_id` and `eos_id`.

    Pairs are read a thousand at a time, and shared out among the cores.

    Args:
        pairs: Pairs (source, target).
        tokenizer: The tokenizer.

    Example:
        >>> tokenizer = Tokenizer.train(["a a", "b b"], vocab_size=262)
        >>> [(source, target)] = encode_pairs([("a", "b")], tokenizer)
        >>> tokenizer.pieces(source), tokenizer.pieces(target)
        (['a ', '<eos>'], ['<bos>', 'b ', '<eos>'])
    """
    texts = iter(pairs)
    while together := list(islice(texts, _TOGETHER)):
        sources = tokenizer.source.encode_all([tokenizer.spelled(source) for source, _ in together])
        targets = tokenizer.encode_all([target for _, target in together])
        for source, target in zip(sources, targets):
            yield [*source, EOS_ID], [BOS_ID, *target, EOS_ID]


class _LeftOutError(Exception):
    """Carries kind and detail of a problem from where it is found to where lines are counted."""


def _columns(lines: tuple[str | Unreadable, ...], max_chars: int) -> list[str]:
    """Return the columns of one line, source and target clean, or raise `_LeftOutError`."""
    one_file = len(lines) == 1
    columns = []
    for name, line in zip(("line",) if one_file else ("source", "target"), lines):
        if isinstance(line, Unreadable):
            raise _LeftOutError(line.kind, f"the {name}: {line.detail}")
        columns.append(line)
    if not any(map(is_visible, columns)):
        raise _LeftOutError("empty", "the whole line")
    if one_file:
        columns = columns[0].split("\t")
    if len(columns) < 2:
        raise _LeftOutError("malformed", "no tab between source and target")
    for column, name in enumerate(("source", "target")):
        text = " ".join(unicodedata.normalize("NFC", columns[column]).split())
        if one_file and text.startswith('"'):
            text = _unquoted(name, text)
        if not is_visible(text):
            raise _LeftOutError("empty", f"the {name}")
        if len(text) > max_chars:
            raise _LeftOutError("too long", f"the {name}: {len(text)} characters, {max_chars=}")
        columns[column] = text
    return columns


def _unquoted(name: str, text: str) -> str:
    """Return a cell as it stood in the spreadsheet, if its quotes are certainly the export's."""
    if text.count('"') % 2:
        detail = f"the {name}: a quote that does not close, as of a cell with several lines"
        raise _LeftOutError("open quote", detail)
    inner = text[1:-1]
    doubled = '""' in inner and '"' not in inner.replace('""', "")
    return inner.replace('""', '"') if text == '""' or (doubled and text[-1] == '"') else text


def _check_no_header(columns: list[str]) -> None:
    words = {word.lower() for word in columns}
    if len(words) == 2 and any(words <= header for header in _HEADERS):
        raise _LeftOutError("header", "names of columns: " + ", ".join(columns))


def _check_no_ids(path: Path, rows: list[list[str]]) -> None:
    """Refuse ids for sources: nothing but numbers, beside sentences or beside further columns."""
    if len(rows) < _ENOUGH or not all(columns[0].isdecimal() for columns in rows):
        return
    if all(len(row) > 2 or row[1].endswith(_SENTENCE_ENDS) for row in rows):
        raise ValueError(
            f"{path}: the sources are numbers, such as {rows[0][0]!r}: column 1 must be "
            "the source and column 2 its translation (an export of Tatoeba has ids in column 1: "
            "keep its texts with `cut -f 2,4`)"
        )
