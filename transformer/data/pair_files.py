"""Sentence pairs from files: read line by line, cleaned, and turned into ids."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from transformer.arguments import ArgumentError, ArgumentTypeError, FilePath, check_integer
from transformer.data.report import Report, reporting
from transformer.data.spelling import is_visible
from transformer.data.tab_separated import Row, read_rows
from transformer.data.tmx import read_units
from transformer.data.tokenizer import BOS_ID, EOS_ID, Tokenizer
from transformer.text_files import Unreadable, open_unpacked, read_lines

TextPair = tuple[str, str]
_TOGETHER = 1000  # pairs that become ids at one time
_HEADERS = (  # what first lines of exports call their columns, in one language
    {"source", "target", "src", "tgt", "sentence", "translation", "text"},
    {"en", "eng", "english", "zh", "zh-tw", "cmn", "chinese"},
    {"英文", "中文", "原文", "譯文", "翻譯"},
)


class Reading(NamedTuple):
    """One line of a file of pairs, or one unit of a translation memory.

    Attributes:
        number: Its number, from 1.
        pair: Source and target, clean; as they stand where there is a problem.
        problem: Kind and detail of why it cannot be used, or None.
    """

    number: int
    pair: TextPair
    problem: tuple[str, str] | None


class PairReader:
    r"""Reads sentence pairs from one file, or from two files aligned line by line.

    A file whose name ends in `.tmx` or `.tmx.gz` is a translation memory. Any other is
    tab-separated: the first column is the source, the second the target; more columns, such as a
    licence, are ignored (`read_rows` tells the exceptions: Tatoeba's export, and what spreadsheets
    write). Of two files, line n of one is the translation of line n of the other. Files are UTF-8,
    with or without a byte order mark, gzipped or not; lines end in LF or CRLF. Text is normalized
    to NFC, white space to single spaces. What is empty, malformed, too long or a header is left out
    and reported. A thousand lines are in memory at a time.

    Args:
        paths: One file, or two.
        max_chars: Most characters of a sentence.
        languages: Codes of the source's and the target's language in a translation memory, such as
            `("en", "zh_TW")`; not needed where it has two.

    Attributes:
        paths: The files.

    Raises:
        TypeError: If a path is none.
        ValueError: If there are not one or two, `max_chars` is below 1, or languages are named for
            files that do not name theirs.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "pairs.tsv")
        >>> _ = path.write_text("hello\nhello .\t你好。\n", "utf-8")
        >>> list(PairReader(path).numbered(Report()))
        [(2, ('hello .', '你好。'))]
    """

    def __init__(
        self,
        paths: FilePath | Sequence[FilePath],
        max_chars: int = 1000,
        languages: tuple[str, str] | None = None,
    ) -> None:
        several = [paths] if isinstance(paths, str | bytes | PathLike) else paths
        for path in several:
            if not isinstance(path, str | PathLike):
                raise ArgumentTypeError("paths", f"must be files, by their names: got {path!r}")
        self.paths = tuple(Path(path) for path in several)
        if len(self.paths) not in (1, 2):
            raise ArgumentError("paths", f"must be one file or two: got {len(self.paths)}")
        self._max_chars = check_integer("max_chars", max_chars, 1)
        self._languages = languages
        self._memory = len(self.paths) == 1 and is_memory(self.paths[0])
        if languages and not self._memory:
            raise ArgumentError(
                "languages", f"are chosen in a .tmx file: got {', '.join(languages)} for {self}"
            )

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

    def readings(self) -> Iterator[Reading]:
        """Yield what stands on every line, good or not.

        Raises:
            ValueError: If a file is no text in UTF-8, column 1 of the file holds ids alone, or a
                translation memory is damaged or lacks a language.
        """
        for number, row in self._rows():
            columns = [] if isinstance(row, Unreadable) else row
            try:
                source, target = _pair(row, self._max_chars)
                if number == 1:
                    _check_no_header([source, target])
                yield Reading(number, (source, target), None)
            except _LeftOutError as problem:
                source, target = [*columns[:2], "", ""][:2]
                yield Reading(number, (source, target), problem.args)

    def numbered(self, report: Report) -> Iterator[tuple[int, TextPair]]:
        """Yield the pairs, each with the number of its line, from 1.

        Args:
            report: Collects what is left out.

        Raises:
            ValueError: As `readings` does.
        """
        place, before = ("unit" if self._memory else "line"), report.lines
        for number, pair, problem in self.readings():
            report.lines = before + number
            if problem is None:
                yield number, pair
            else:
                report.add(place, number, *problem)

    def pairs(self, report: Report | None) -> Iterator[TextPair]:
        """Yield the pairs.

        Args:
            report: Collects what is left out; without one, a warning at the end tells it.

        Raises:
            ValueError: As `readings` does.
        """
        with reporting(report) as report:
            for _, pair in self.numbered(report):
                yield pair

    def _rows(self) -> Iterator[tuple[int, Row]]:
        """Yield number and columns of every line."""
        if self._memory:
            with open_unpacked(self.paths[0]) as stream:
                yield from read_units(stream, str(self.paths[0]), self._languages)
        elif len(self.paths) == 1:
            yield from read_rows(read_lines(self.paths[0]), str(self.paths[0]))
        else:
            for number, (source, target) in enumerate(zip(*map(read_lines, self.paths)), start=1):
                bad = source if isinstance(source, Unreadable) else target
                if isinstance(source, str) and isinstance(target, str):
                    yield number, [source, target]
                elif isinstance(bad, Unreadable):
                    side = "source" if bad is source else "target"
                    yield number, Unreadable(bad.kind, f"the {side}: {bad.detail}")


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


def is_memory(path: FilePath) -> bool:
    """Say whether a file is a translation memory, by its name.

    Args:
        path: The file.

    Example:
        >>> is_memory("en-zh_TW.tmx.gz"), is_memory("pairs.tsv")
        (True, False)
    """
    return Path(path).name.lower().removesuffix(".gz").endswith(".tmx")


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


def _pair(row: Row, max_chars: int) -> TextPair:
    """Return source and target, clean, or raise `_LeftOutError`."""
    if isinstance(row, Unreadable):
        raise _LeftOutError(*row)
    if not any(map(is_visible, row)):
        raise _LeftOutError("empty", "the whole line")
    if len(row) < 2:
        raise _LeftOutError("malformed", "no tab between source and target")
    for column, name in zip(row, ("source", "target")):
        if not is_visible(column):
            raise _LeftOutError("empty", f"the {name}")
    source, target = (" ".join(unicodedata.normalize("NFC", text).split()) for text in row[:2])
    for text, name in ((source, "source"), (target, "target")):
        if len(text) > max_chars:
            raise _LeftOutError("too long", f"the {name}: {len(text)} characters, {max_chars=}")
    return source, target


def _check_no_header(columns: list[str]) -> None:
    words = {word.lower() for word in columns}
    if len(words) == 2 and any(words <= header for header in _HEADERS):
        raise _LeftOutError("header", "names of columns: " + ", ".join(columns))
