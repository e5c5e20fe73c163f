"""Where training pairs come from: the grammar, files of one's own, or anything in Python."""

import heapq
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import ClassVar
from zlib import crc32

from transformer.arguments import FilePath, check_integer
from transformer.data.generator import generate_pairs
from transformer.data.pair_files import PairReader, TextPair, check_rereadable, is_memory
from transformer.data.report import Report
from transformer.data.tokenizer import check_characters

_HELD_OUT = 20  # one source in so many is held out to validate
_VALIDATION = 1000  # pairs that validate, at most


class TrainingPairs(ABC):
    """Pairs to learn from, and others to validate with: what all sources of pairs have in common.

    A source of your own is a subclass with the three methods that are abstract here.

    Attributes:
        spelling: How the sources are spelled, `"plain"` or `"grammar"`.
        encode_once: Whether a run writes the pairs as ids into its folder, once. They must be the
            same in every epoch, then, and may be more than memory could hold.
    """

    spelling: ClassVar[str] = "plain"
    encode_once: ClassVar[bool] = False

    @abstractmethod
    def epoch(self, number: int) -> Iterator[TextPair]:
        """Return the pairs of an epoch: the same ones each time it is asked.

        Args:
            number: The number of the epoch, from 0.
        """

    @abstractmethod
    def validation(self) -> list[TextPair]:
        """Return pairs that no epoch has; none if there are too few."""

    @abstractmethod
    def identity(self) -> dict[str, object]:
        """Return what tells these pairs from others, ready for JSON."""

    def reports(self) -> dict[str, Report]:
        """Return what was left out when the pairs were last read to their end, by file."""
        return {}


@dataclass(frozen=True)
class GrammarPairs(TrainingPairs):
    """Pairs of the package's own grammar: every epoch has new ones.

    Attributes:
        seed: Which pairs.
        per_epoch: Pairs in an epoch.

    Raises:
        TypeError: If a number is not an integer.
        ValueError: If `seed` is negative, or `per_epoch` below 1.

    Example:
        >>> pairs = GrammarPairs(per_epoch=2)
        >>> len(list(pairs.epoch(0))), len(pairs.validation())
        (2, 1000)
    """

    spelling = "grammar"

    seed: int = 0
    per_epoch: int = 100_000

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", check_integer("seed", self.seed, 0))
        object.__setattr__(self, "per_epoch", check_integer("per_epoch", self.per_epoch, 1))

    def epoch(self, number: int) -> Iterator[TextPair]:
        """Return the pairs of an epoch.

        Args:
            number: The number of the epoch, from 0.
        """
        return self._pairs(self.seed * 1_000_000 + number, "train", self.per_epoch)

    def validation(self) -> list[TextPair]:
        """Return 1,000 pairs of the grammar's validation split."""
        return list(self._pairs(self.seed, "validation", _VALIDATION))

    def identity(self) -> dict[str, object]:
        """Return seed and number of pairs."""
        return {"grammar": {"seed": self.seed, "per_epoch": self.per_epoch}}

    def __str__(self) -> str:
        return f"the grammar, {self.per_epoch} an epoch, seed {self.seed}"

    def _pairs(self, seed: int, split: str, count: int) -> Iterator[TextPair]:
        return ((pair.source, pair.target) for pair in islice(generate_pairs(seed, split), count))


class FilePairs(TrainingPairs):
    r"""Pairs of one tab-separated file, or of two files aligned line by line.

    Without a file to validate with, one pair in twenty is kept out of training, 1,000 at most: the
    source sentence alone decides which, so all its translations go together. The files are read
    again for each epoch, a line at a time.

    Args:
        paths: One file for `read_pairs`, or two for `read_aligned`.
        validation: A file of pairs to validate with, all of them.
        languages: Source and target of a translation memory, as in `PairReader`.

    Attributes:
        paths: The one file, or the two.
        validation_path: The file to validate with, or None.
        report: What was left out, and why; filled by each reading to the end.
        validation_report: The same of `validation_path`.

    Raises:
        TypeError: If a path is none.
        ValueError: If there are not one or two paths, or one is a pipe.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "pairs.tsv")
        >>> _ = path.write_text("".join(f"{n} cats .\t{n} 隻貓。\n" for n in range(100)), "utf-8")
        >>> pairs = FilePairs(path)
        >>> len(list(pairs.epoch(0))), len(pairs.validation())
        (96, 4)
    """

    encode_once = True

    def __init__(
        self,
        paths: FilePath | Sequence[FilePath],
        validation: FilePath | None = None,
        languages: tuple[str, str] | None = None,
    ) -> None:
        self._reader = PairReader(paths, languages=languages)
        self.paths = self._reader.paths
        self._languages = languages
        self._validation: PairReader | None = None
        if validation is not None:
            chosen = languages if is_memory(validation) else None
            self._validation = PairReader(validation, languages=chosen)
        self.validation_path = own = self._validation.paths[0] if self._validation else None
        check_rereadable(self.paths if own is None else (*self.paths, own))
        self.report, self.validation_report = Report(), Report()

    def epoch(self, number: int) -> Iterator[TextPair]:
        """Return the pairs of an epoch: those of every other one.

        Args:
            number: The number of the epoch, from 0.

        Raises:
            ValueError: As `PairReader.numbered` does.
        """
        if self.validation_path:
            return self._pairs()
        return _without(self._pairs(), self._held_out)

    def validation(self) -> list[TextPair]:
        """Return the pairs of the file to validate with, or those that were kept out."""
        if self._validation is None:
            return list(self._held_out)
        report = Report()
        pairs = list(self._validation.pairs(report))
        self.validation_report = report
        return pairs

    def identity(self) -> dict[str, object]:
        """Return size and checksum of each file: a name says nothing of what is in it."""
        own = self.validation_path
        chosen = {"languages": [*self._languages]} if self._languages else {}
        return {
            "files": [fingerprint(path) for path in self.paths],
            "validation": None if own is None else fingerprint(own),
            **chosen,
        }

    def reports(self) -> dict[str, Report]:
        """Return what was left out when the files were last read to their end, by file."""
        reports = {str(self): self.report}
        if self.validation_path:
            reports[str(self.validation_path)] = self.validation_report
        return reports

    def __str__(self) -> str:
        return str(self._reader)

    @cached_property
    def _held_out(self) -> list[TextPair]:
        return hold_out(self._pairs())

    def _pairs(self) -> Iterator[TextPair]:
        self._reader.check_aligned()
        return self._read()

    def _read(self) -> Iterator[TextPair]:
        report = Report()
        yield from self._reader.pairs(report)
        self.report = report  # not before: a reading that stops early has not seen all


class ListPairs(TrainingPairs):
    """Pairs from anything in Python that can be gone through: a list, a generator, a data set.

    They are kept in memory. Without others to validate with, one in twenty is kept out of
    training, 1,000 at most, as in `FilePairs`.

    Args:
        pairs: Pairs (source, target), read once.
        validation: Pairs to validate with, all of them.

    Raises:
        TypeError: If a pair is not two strings.
        ValueError: If a text holds half a surrogate pair, which is not a character.

    Example:
        >>> pairs = ListPairs((f"{n} cats .", f"{n} 隻貓。") for n in range(100))
        >>> len(list(pairs.epoch(0))), len(pairs.validation())
        (96, 4)
    """

    def __init__(
        self, pairs: Iterable[TextPair], validation: Iterable[TextPair] | None = None
    ) -> None:
        self._pairs = _checked(pairs)
        self._own = None if validation is None else _checked(validation)
        self._held_out = hold_out(self._pairs) if self._own is None else []

    def epoch(self, number: int) -> Iterator[TextPair]:
        """Return the pairs of an epoch: those of every other one.

        Args:
            number: The number of the epoch, from 0.
        """
        return _without(self._pairs, self._held_out)

    def validation(self) -> list[TextPair]:
        """Return the pairs to validate with, or those that were kept out."""
        return list(self._held_out if self._own is None else self._own)

    def identity(self) -> dict[str, object]:
        """Return the number of pairs and a checksum over them."""
        digest = sha256(repr((self._pairs, self._own)).encode())
        return {"pairs": len(self._pairs), "sha256": digest.hexdigest()}

    def __str__(self) -> str:
        return f"{len(self._pairs)} pairs from Python"


def hold_out(pairs: Iterable[TextPair]) -> list[TextPair]:
    """Return the pairs to keep out of training, in the order in which they come.

    A checksum of the source makes it one pair in twenty, and of many those with the lowest
    checksums: at most 1,000 from everywhere in a long file, and of a source all its translations
    or none.

    Args:
        pairs: All pairs, read once.

    Example:
        >>> pairs = [(f"{n} cats .", f"{n} 隻貓。") for n in range(30_000)]
        >>> len(hold_out(pairs))
        1000
    """
    numbered = ((crc32(pair[0].encode()), number, pair) for number, pair in enumerate(pairs))
    candidates = (one for one in numbered if one[0] % _HELD_OUT == 0)
    lowest = heapq.nsmallest(_VALIDATION + 1, candidates)
    if len(lowest) > _VALIDATION:  # the source of the last one may have more translations
        lowest = [one for one in lowest if one[0] < lowest[-1][0]]
    return [pair for _, _, pair in sorted(lowest, key=lambda one: one[1])]


def _without(pairs: Iterable[TextPair], held_out: list[TextPair]) -> Iterator[TextPair]:
    """Return the pairs whose sources are not kept out."""
    sources = {source for source, _ in held_out}
    return (pair for pair in pairs if pair[0] not in sources)


def _checked(pairs: Iterable[object]) -> list[TextPair]:
    """Return the pairs, each known to be two texts."""
    checked = []
    for number, pair in enumerate(pairs, start=1):
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise TypeError(f"pair {number} must be (source, target): got {pair!r}")
        for name, text in zip(("source", "target"), pair):
            check_characters(f"the {name} of pair {number}", text)
        checked.append((pair[0], pair[1]))
    return checked


def fingerprint(path: FilePath) -> dict[str, object]:
    """Return what tells a file from others of its name: size and checksum.

    Args:
        path: The file.
    """
    digest = sha256()
    with Path(path).open("rb") as file:
        while block := file.read(2**20):
            digest.update(block)
    return {"bytes": Path(path).stat().st_size, "sha256": digest.hexdigest()}
