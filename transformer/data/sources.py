"""Where training pairs come from: the grammar, files of one's own, or anything in Python."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, runtime_checkable
from zlib import crc32

from transformer.arguments import FilePath, check_integer
from transformer.data.corpus import generate_pairs
from transformer.data.files import TextPair, read_aligned, read_pairs
from transformer.data.left_out import Report

_HELD_OUT = 20  # one pair in so many validates
_VALIDATION = 1000  # and at most so many
_NEVER = 2**32  # above every checksum
_LOOK = 20  # first pairs that tell whether a column can be a source


@runtime_checkable
class TrainingPairs(Protocol):
    """Pairs to learn from, and others to validate with."""

    def epoch(self, number: int) -> Iterator[TextPair]:
        """Return the pairs of an epoch, from 0: the same ones each time it is asked."""

    def validation(self) -> list[TextPair]:
        """Return pairs that no epoch has; none if there are too few."""

    def identity(self) -> dict[str, Any]:
        """Return what tells these pairs from others, ready for JSON."""


@dataclass(frozen=True)
class GrammarPairs:
    """Pairs of the package's own grammar: every epoch has new ones.

    Attributes:
        seed: Which pairs.
        per_epoch: Pairs in an epoch.
        spelling: How their sources are spelled.

    Raises:
        TypeError: If a number is not an integer.
        ValueError: If `seed` is negative, or `per_epoch` below 1.

    Example:
        >>> pairs = GrammarPairs(per_epoch=2)
        >>> len(list(pairs.epoch(0))), len(pairs.validation())
        (2, 1000)
    """

    seed: int = 0
    per_epoch: int = 100_000
    spelling: str = field(default="grammar", init=False)

    def __post_init__(self) -> None:
        check_integer("seed", self.seed, 0)
        check_integer("per_epoch", self.per_epoch, 1)

    def epoch(self, number: int) -> Iterator[TextPair]:
        """Return the pairs of an epoch.

        Args:
            number: The number of the epoch, from 0.
        """
        return self._pairs(self.seed * 1_000_000 + number, "train", self.per_epoch)

    def validation(self) -> list[TextPair]:
        """Return 1,000 pairs of the grammar's validation split."""
        return list(self._pairs(self.seed, "validation", _VALIDATION))

    def identity(self) -> dict[str, Any]:
        """Return seed and number of pairs."""
        return {"grammar": {"seed": self.seed, "per_epoch": self.per_epoch}}

    def __str__(self) -> str:
        return f"the grammar, {self.per_epoch} an epoch, seed {self.seed}"

    def _pairs(self, seed: int, split: str, count: int) -> Iterator[TextPair]:
        return ((pair.source, pair.target) for pair in islice(generate_pairs(seed, split), count))


class FilePairs:
    r"""Pairs of one tab-separated file, or of two files aligned line by line.

    Without a file to validate with, one pair in twenty is kept out of training, 1,000 at most: the
    source sentence alone decides which, so all its translations go together. The files are read
    again for each epoch, a line at a time.

    Args:
        paths: One file for `read_pairs`, or two for `read_aligned`.
        validation: A tab-separated file of pairs to validate with, all of them.

    Attributes:
        paths: The one file, or the two.
        validation_path: The file to validate with, or None.
        report: What was left out, and why; filled by the first reading.
        validation_report: The same of `validation_path`.

    Raises:
        ValueError: If there are not one or two paths.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "pairs.tsv")
        >>> _ = path.write_text("".join(f"{n} cats .\t{n} 隻貓。\n" for n in range(100)), "utf-8")
        >>> pairs = FilePairs(path)
        >>> len(list(pairs.epoch(0))), len(pairs.validation())
        (96, 4)
    """

    def __init__(
        self, paths: FilePath | Sequence[FilePath], validation: FilePath | None = None
    ) -> None:
        several = [paths] if isinstance(paths, (str, PathLike)) else paths
        self.paths = tuple(Path(path) for path in several)
        if len(self.paths) not in (1, 2):
            raise ValueError(f"paths must be one file or two: got {len(self.paths)}")
        self.validation_path = None if validation is None else Path(validation)
        self.report, self.validation_report = Report(), Report()

    def epoch(self, number: int) -> Iterator[TextPair]:
        """Return the pairs of an epoch: those of every other one.

        Args:
            number: The number of the epoch, from 0.

        Raises:
            ValueError: If the first sources are nothing but numbers, as in an export with ids.
        """
        pairs = self._pairs()
        first = list(islice(pairs, _LOOK))
        if len(self.paths) == 1 and len(first) == _LOOK:
            _check_no_ids(self.paths[0], first)
        every = chain(first, pairs)
        return every if self.validation_path else self._held_out.others(every)

    def validation(self) -> list[TextPair]:
        """Return the pairs of the file to validate with, or those that were kept out."""
        if self.validation_path:
            report = Report() if self.validation_report.lines else self.validation_report
            return list(read_pairs(self.validation_path, report))
        return self._held_out.pairs

    def identity(self) -> dict[str, Any]:
        """Return size and checksum of each file: a name says nothing of what is in it."""
        own = self.validation_path
        return {
            "files": [fingerprint(path) for path in self.paths],
            "validation": None if own is None else fingerprint(own),
        }

    def __str__(self) -> str:
        return " + ".join(path.name for path in self.paths)

    @cached_property
    def _held_out(self) -> "HeldOut":
        return hold_out(self._pairs())

    def _pairs(self) -> Iterator[TextPair]:
        report = Report() if self.report.lines else self.report
        return read_files(self.paths, report)


class ListPairs:
    """Pairs from anything in Python that can be gone through: a list, a generator, a data set.

    They are kept in memory. Without others to validate with, one in twenty is kept out of
    training, 1,000 at most, as in `FilePairs`.

    Args:
        pairs: Pairs (source, target), read once.
        validation: Pairs to validate with, all of them.

    Raises:
        TypeError: If a pair is not two strings.

    Example:
        >>> pairs = ListPairs((f"{n} cats .", f"{n} 隻貓。") for n in range(100))
        >>> len(list(pairs.epoch(0))), len(pairs.validation())
        (96, 4)
    """

    def __init__(
        self, pairs: Iterable[TextPair], validation: Iterable[TextPair] | None = None
    ) -> None:
        self._pairs = list(map(_checked, pairs))
        self._validation = None if validation is None else list(map(_checked, validation))
        own = self._validation
        self._held_out = hold_out(self._pairs) if own is None else HeldOut(own, limit=0)

    def epoch(self, number: int) -> Iterator[TextPair]:
        """Return the pairs of an epoch: those of every other one.

        Args:
            number: The number of the epoch, from 0.
        """
        return self._held_out.others(self._pairs)

    def validation(self) -> list[TextPair]:
        """Return the pairs to validate with, or those that were kept out."""
        return self._held_out.pairs

    def identity(self) -> dict[str, Any]:
        """Return the number of pairs and a checksum over them."""
        digest = sha256(repr((self._pairs, self._validation)).encode("utf-8", "surrogatepass"))
        return {"pairs": len(self._pairs), "sha256": digest.hexdigest()}

    def __str__(self) -> str:
        return f"{len(self._pairs)} pairs from Python"


def read_files(paths: Sequence[FilePath], report: Report) -> Iterator[TextPair]:
    """Read pairs from one tab-separated file, or from two files aligned line by line.

    Args:
        paths: One file for `read_pairs`, or two for `read_aligned`.
        report: Collects what is left out.
    """
    if len(paths) == 1:
        return read_pairs(paths[0], report)
    return read_aligned(paths[0], paths[1], report)


@dataclass(frozen=True)
class HeldOut:
    """Pairs that are kept out of training, and how to know them among others.

    Attributes:
        pairs: The pairs, in the order in which they came.
        limit: A source is kept out if its CRC-32 is a multiple of 20 and lower than this.
    """

    pairs: list[TextPair]
    limit: int

    def others(self, pairs: Iterable[TextPair]) -> Iterator[TextPair]:
        """Yield the pairs that are not kept out.

        Args:
            pairs: All pairs.
        """
        return (pair for pair in pairs if _draw(pair) >= self.limit)


def hold_out(pairs: Iterable[TextPair]) -> HeldOut:
    """Keep one pair in twenty out of training, and of many those with the lowest checksums.

    At most 1,000 are kept out, from everywhere in a long file; all others train.

    Args:
        pairs: All pairs, read once.

    Example:
        >>> pairs = [(f"{n} cats .", f"{n} 隻貓。") for n in range(30_000)]
        >>> held_out = hold_out(pairs)
        >>> len(held_out.pairs), len(list(held_out.others(pairs)))
        (1000, 29000)
    """
    limit = _NEVER
    kept: list[tuple[int, TextPair]] = []
    for pair in pairs:
        if (number := _draw(pair)) < limit:
            kept.append((number, pair))
            if len(kept) > _VALIDATION:  # all translations of the last source leave together
                limit = max(number for number, _ in kept)
                kept = [one for one in kept if one[0] < limit]
    return HeldOut([pair for _, pair in kept], limit)


def _draw(pair: TextPair) -> int:
    """Return the checksum of a pair's source, or for 19 sources in 20, one that is too high."""
    number = crc32(pair[0].encode())
    return _NEVER if number % _HELD_OUT else number


def _check_no_ids(path: Path, pairs: list[TextPair]) -> None:
    if all(source.isdecimal() for source, _ in pairs):
        raise ValueError(
            f"{path}: the sources are numbers, such as {pairs[0][0]!r}: column 1 must be "
            "the source and column 2 its translation (an export of Tatoeba has ids in column 1: "
            "keep its texts with `cut -f 2,4`)"
        )


def _checked(pair: object) -> TextPair:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise TypeError(f"a pair must be (source, target): got {pair!r}")
    if not all(isinstance(text, str) for text in pair):
        raise TypeError(f"both sides of a pair must be strings: got {pair!r}")
    return pair[0], pair[1]


def fingerprint(path: FilePath) -> dict[str, Any]:
    """Return what tells a file from others of its name: size and checksum.

    Args:
        path: The file.
    """
    digest = sha256()
    with Path(path).open("rb") as file:
        while block := file.read(2**20):
            digest.update(block)
    return {"bytes": Path(path).stat().st_size, "sha256": digest.hexdigest()}
