"""Where training pairs come from: the grammar, or files of one's own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Protocol, runtime_checkable
from zlib import crc32

from transformer.data.corpus import generate_pairs
from transformer.data.files import TextPair, read_aligned, read_pairs
from transformer.data.left_out import Report

_HELD_OUT = 20  # one pair of a file in so many validates
_VALIDATION = 1000  # most pairs to look at during training


@runtime_checkable
class TrainingPairs(Protocol):
    """Pairs to learn from, and others to validate with."""

    def epoch(self, number: int) -> Iterator[TextPair]:
        """Return the pairs of an epoch, from 0: the same ones each time it is asked."""

    def validation(self) -> list[TextPair]:
        """Return pairs that no epoch has; none if there are too few."""


@dataclass(frozen=True)
class GrammarPairs:
    """Pairs of the package's own grammar: every epoch has new ones.

    Attributes:
        seed: Which pairs.
        per_epoch: Pairs in an epoch.

    Example:
        >>> pairs = GrammarPairs(per_epoch=2)
        >>> len(list(pairs.epoch(0))), len(pairs.validation())
        (2, 1000)
    """

    seed: int = 0
    per_epoch: int = 100_000

    def epoch(self, number: int) -> Iterator[TextPair]:
        """Return the pairs of an epoch.

        Args:
            number: The number of the epoch, from 0.
        """
        return self._pairs(self.seed * 1_000_000 + number, "train", self.per_epoch)

    def validation(self) -> list[TextPair]:
        """Return 1,000 pairs of the grammar's validation split."""
        return list(self._pairs(self.seed, "validation", _VALIDATION))

    def __str__(self) -> str:
        return f"the grammar, {self.per_epoch} an epoch, seed {self.seed}"

    def _pairs(self, seed: int, split: str, count: int) -> Iterator[TextPair]:
        return ((pair.source, pair.target) for pair in islice(generate_pairs(seed, split), count))


@dataclass(frozen=True)
class FilePairs:
    r"""Pairs of one tab-separated file, or of two files aligned line by line.

    One in twenty is kept out of training: the source sentence alone decides which, so all its
    translations go together. The files are read again for each epoch, a line at a time.

    Attributes:
        paths: One file for `read_pairs`, or two for `read_aligned`.
        report: What was left out, and why; filled by the first reading.

    Raises:
        ValueError: If there are not one or two paths.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "pairs.tsv")
        >>> _ = path.write_text("".join(f"{n} cats .\t{n} 隻貓。\n" for n in range(100)), "utf-8")
        >>> pairs = FilePairs((path,))
        >>> len(list(pairs.epoch(0))), len(pairs.validation())
        (96, 4)
    """

    paths: tuple[Path, ...]
    report: Report = field(default_factory=Report, compare=False)

    def __post_init__(self) -> None:
        if len(self.paths) not in (1, 2):
            raise ValueError(f"paths must be one file or two: got {len(self.paths)}")

    def epoch(self, number: int) -> Iterator[TextPair]:
        """Return the pairs of an epoch: those of every other one.

        Args:
            number: The number of the epoch, from 0.
        """
        return (pair for pair in self._pairs() if not _is_held_out(pair))

    def validation(self) -> list[TextPair]:
        """Return the pairs kept out, the first 1,000 of them."""
        return list(islice(filter(_is_held_out, self._pairs()), _VALIDATION))

    def __str__(self) -> str:
        return " + ".join(path.name for path in self.paths)

    def _pairs(self) -> Iterator[TextPair]:
        report = Report() if self.report.lines else self.report
        return read_files(self.paths, report)


def read_files(paths: Sequence[Path], report: Report) -> Iterator[TextPair]:
    """Read pairs from one tab-separated file, or from two files aligned line by line.

    Args:
        paths: One file for `read_pairs`, or two for `read_aligned`.
        report: Collects what is left out.
    """
    if len(paths) == 1:
        return read_pairs(paths[0], report)
    return read_aligned(paths[0], paths[1], report)


def _is_held_out(pair: TextPair) -> bool:
    return crc32(pair[0].encode()) % _HELD_OUT == 0
