"""Sentence pairs: from files to ids to batches, as a stream."""

import codecs
import random
import unicodedata
import warnings
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from os import PathLike, fspath
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from transformer.tokenizer import PAD_ID, Tokenizer

FilePath = str | PathLike[str]
TextPair = tuple[str, str]
IdPair = tuple[Sequence[int], Sequence[int]]
LONGEST_LINE = 2**20  # bytes; what a file without line ends could take of the memory


class Problem(NamedTuple):
    """One pair that was left out.

    Attributes:
        place: What is counted, `"line"` of a file or `"pair"` of a stream.
        number: Its number, from 1.
        kind: The reason in two words, the same for all pairs left out for it.
        detail: What was found, and what was expected.
    """

    place: str
    number: int
    kind: str
    detail: str

    def __str__(self) -> str:
        return f"{self.place} {self.number}: {self.kind} ({self.detail})"


@dataclass
class Report:
    """What was left out, and why: every pair is counted, the first ones are kept to be shown.

    Attributes:
        cap: Most problems to keep.
        lines: Lines read so far.
        counts: Pairs left out for each kind of problem.
        problems: The first problems, at most `cap`.

    Example:
        >>> report = Report(cap=1)
        >>> report.add("line", 3, "malformed", "no tab between source and target")
        >>> report.add("line", 7, "empty", "the target")
        >>> print(report)
        left out: 2 (1 malformed, 1 empty)
          line 3: malformed (no tab between source and target)
          and 1 more
    """

    cap: int = 20
    lines: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)

    @property
    def left_out(self) -> int:
        """Number of pairs left out."""
        return self.counts.total()

    def add(self, place: str, number: int, kind: str, detail: str) -> None:
        """Count one pair that is left out.

        Args:
            place: What is counted, `"line"` or `"pair"`.
            number: Its number, from 1.
            kind: The reason in two words.
            detail: What was found, and what was expected.
        """
        self.counts[kind] += 1
        if len(self.problems) < self.cap:
            self.problems.append(Problem(place, number, kind, detail))

    def __str__(self) -> str:
        of = f" of {self.lines} lines" if self.lines else ""
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.counts.most_common())
        shown = [f"left out: {self.left_out}{of}" + (f" ({kinds})" if kinds else "")]
        shown += [f"  {problem}" for problem in self.problems]
        if more := self.left_out - len(self.problems):
            shown.append(f"  and {more} more")
        return "\n".join(shown)


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
    _at_least_1(max_chars=max_chars)
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
    _at_least_1(max_chars=max_chars)
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


@dataclass(frozen=True, eq=False)
class Batch:
    """Several pairs as two tensors of ids, each row filled up with padding (id 0) at its end.

    Attributes:
        src: Ids of the sources, shape `(batch, src_len)`.
        tgt: Ids of the targets, shape `(batch, tgt_len)`.
    """

    src: Int[Tensor, "batch src_len"]
    tgt: Int[Tensor, "batch tgt_len"]

    @property
    def num_tokens(self) -> int:
        """Number of ids on both sides that are not padding."""
        return int(torch.count_nonzero(self.src) + torch.count_nonzero(self.tgt))

    def to(self, device: torch.device | str) -> "Batch":
        """Return the batch on a device.

        Args:
            device: The device.
        """
        return Batch(self.src.to(device), self.tgt.to(device))


def collate(pairs: Sequence[IdPair]) -> Batch:
    """Put pairs of ids into one batch, as wide as the longest of them.

    Args:
        pairs: Pairs (source ids, target ids).

    Raises:
        ValueError: If there are no pairs.

    Example:
        >>> collate([([5, 2], [1, 6, 2]), ([7, 8, 2], [1, 9, 4, 2])]).tgt
        tensor([[1, 6, 2, 0],
                [1, 9, 4, 2]])
    """
    if not pairs:
        raise ValueError("a batch must hold at least one pair: got none")
    sources, targets = zip(*pairs)
    return Batch(_padded(sources), _padded(targets))


def batches(
    pairs: Iterable[IdPair],
    max_tokens: int,
    *,
    max_len: int | None = None,
    seed: int = 0,
    epoch: int = 0,
    window: int = 20_000,
    report: Report | None = None,
) -> Iterator[Batch]:
    """Batch one epoch of pairs by length and by number of tokens, in a random order (§5.1).

    `window` pairs at a time are shuffled, sorted by length, cut into batches, and the batches
    shuffled: neighbours in length need little padding. Only about two windows are in memory. Pairs
    far apart in a long stream never meet, so shuffle a file once if it is sorted.

    Args:
        pairs: Pairs (source ids, target ids), read once; each has at least one id on both sides,
            and none is padding.
        max_tokens: Most tokens of a batch on each side, padding counted.
        max_len: Most tokens of a sentence, special ones counted; `max_tokens` when None. A longer
            one is left out and reported by its place among the pairs.
        seed: Seed of the order.
        epoch: Number of the epoch; another epoch has another order.
        window: Pairs to sort together.
        report: Collects what is left out; without one, a warning at the end of the epoch tells it.

    Returns:
        An iterator of batches; every pair that is not left out is in exactly one.

    Raises:
        ValueError: If `max_tokens`, `max_len` or `window` is below 1, `max_tokens` is below
            `max_len`, a pair has no ids or has padding among them, or no pair is left.

    Example:
        >>> pairs = [([9] * n, [1, *[9] * n, 2]) for n in (1, 8, 2, 7)]
        >>> for batch in batches(pairs, max_tokens=20):
        ...     print(tuple(batch.src.shape), tuple(batch.tgt.shape))
        (2, 2) (2, 4)
        (2, 8) (2, 10)
    """
    _at_least_1(max_tokens=max_tokens, window=window)
    if max_len is not None:
        _at_least_1(max_len=max_len)
        if max_tokens < max_len:
            raise ValueError(
                "max_tokens must be at least max_len, so that each sentence fits into a batch: "
                f"got max_tokens={max_tokens}, max_len={max_len}"
            )
    rng = random.Random(f"{seed} {epoch}")
    return _batches(pairs, max_tokens, max_len or max_tokens, rng, window, report)


def padding_share(batches: Iterable[Batch]) -> float:
    """Return the share of all positions, on both sides, that hold padding: work for nothing.

    Args:
        batches: The batches, read once.

    Raises:
        ValueError: If there are no batches.

    Example:
        >>> padding_share([collate([([5, 2], [1, 2]), ([7, 6, 8, 2], [1, 2])])])
        0.16666666666666666
    """
    positions = tokens = 0
    for batch in batches:
        positions += batch.src.numel() + batch.tgt.numel()
        tokens += batch.num_tokens
    if not positions:
        raise ValueError("batches must hold at least one batch: got none")
    return (positions - tokens) / positions


class _LeftOutError(Exception):
    """Carries kind and detail of a problem from where it is found to where lines are counted."""


@contextmanager
def _reporting(report: Report | None) -> Iterator[Report]:
    """Give the report, or a new one that ends in a warning if something was left out."""
    own = Report() if report is None else report
    yield own
    if report is None and own.left_out:
        warnings.warn(str(own), stacklevel=4)  # the caller's line: this, contextlib, the iterator


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
    with _reporting(report) as report:
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


def _batches(
    pairs: Iterable[IdPair],
    max_tokens: int,
    max_len: int,
    rng: random.Random,
    window: int,
    report: Report | None,
) -> Iterator[Batch]:
    empty = True
    with _reporting(report) as report:
        fitting = _fitting(pairs, max_len, report)
        while pool := list(islice(fitting, window)):
            empty = False
            rng.shuffle(pool)  # sorting is stable: pairs of one length stay shuffled
            pool.sort(key=_serpentine)
            groups = list(_cut(pool, max_tokens))
            rng.shuffle(groups)
            yield from map(collate, groups)
        if empty:
            raise ValueError(
                f"pairs must hold at least one that fits into a batch: {report.left_out} left out "
                "(an iterator gives its pairs only once: make a new one for each epoch)"
            )


def _fitting(pairs: Iterable[IdPair], max_len: int, report: Report) -> Iterator[IdPair]:
    """Yield the pairs that are short enough, packed into 4 bytes an id."""
    for number, (src, tgt) in enumerate(pairs, start=1):
        if not len(src) or not len(tgt) or PAD_ID in src or PAD_ID in tgt:
            raise ValueError(
                f"both sides of pair {number} must hold ids, none of them {PAD_ID} (padding): "
                f"got {src}, {tgt}"
            )
        if (longest := max(len(src), len(tgt))) > max_len:
            report.add("pair", number, "too long", f"{longest} tokens, at most {max_len}")
        else:
            yield array("i", src), array("i", tgt)


def _serpentine(pair: IdPair) -> tuple[int, int]:
    """Sort by source; targets grow, then shrink, so that neighbours are alike on both sides."""
    src_len, tgt_len = map(len, pair)
    return src_len, tgt_len if src_len % 2 else -tgt_len


def _cut(pairs: Iterable[IdPair], max_tokens: int) -> Iterator[list[IdPair]]:
    """Cut the pairs into batches, each as long as `max_tokens` allows."""
    group: list[IdPair] = []
    width = 0
    for pair in pairs:
        width = max(width, *map(len, pair))
        if group and (len(group) + 1) * width > max_tokens:
            yield group
            group, width = [], max(map(len, pair))
        group.append(pair)
    if group:
        yield group


def _padded(rows: Sequence[Sequence[int]]) -> Int[Tensor, "batch seq_len"]:
    width = max(map(len, rows))
    return torch.tensor([[*row, *[PAD_ID] * (width - len(row))] for row in rows])


def _at_least_1(**values: int) -> None:
    for name, value in values.items():
        if value < 1:
            raise ValueError(f"{name} must be at least 1: got {value}")
