"""Pairs of ids in files mapped into memory: only the part that is read takes any of it (§5.1)."""

import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain, islice
from operator import index
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from jaxtyping import Int, Integer
from numpy.lib import format as npy

from transformer.arguments import check_integer
from transformer.atomic_write import atomic_write, name_file_in_errors
from transformer.data.batching import IdPair, fitting_pairs
from transformer.data.report import Report, reporting
from transformer.data.tokenizer import LARGEST_VOCAB, PAD_ID

_AT_ONCE = 10_000  # pairs that are written together
_SMALL = 2**16  # ids that fit into two bytes
_BLOCK = 2**24  # numbers that are looked at together
_HEADER = "header.json"


class EncodedPairs:
    """Pairs of ids in a folder, as `EncodedPairs.write` left them, more than memory could hold.

    The ids of all sides lie one after the other in `ids-1.npy`, the source of a pair before its
    target; `offsets-1.npy` holds where each side begins, and the end. NumPy opens both with
    `np.load(..., mmap_mode="r")`, and the system reads in what is asked for. In another process,
    the object opens the same files again. Pairs that are written over them later lie in
    `ids-2.npy` and so on, and `header.json` says which count: an object that is open keeps its own.

    Args:
        folder: The folder.

    Attributes:
        folder: The same.
        vocab_size: Number of ids that there are.
        origin: What `write` was told of where the pairs come from.

    Raises:
        FileNotFoundError: If nothing was written there to its end.
        ValueError: If a file is damaged.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     written = [([5, 2], [1, 6, 2]), ([7, 8, 2], [1, 2])]
        ...     pairs = EncodedPairs.write(folder, written, vocab_size=9)
        ...     len(pairs), pairs[1], pairs.lengths(np.array([0, 1])).tolist()
        (2, ([7, 8, 2], [1, 2]), [[2, 3], [3, 2]])
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.folder = Path(folder)
        header = _read_header(self.folder / _HEADER)
        self.vocab_size, self.origin = header["vocab_size"], header["origin"]
        self._checksum = header["checksum"]
        ids, offsets = _names(header["generation"])
        self._ids = _mapped(self.folder / ids, (np.uint16, np.int32))
        self._offsets = _mapped(self.folder / offsets, (np.int64,))
        sides = len(self._offsets) - 1
        if sides < 2 or sides % 2 or self._offsets[0] != 0 or self._offsets[-1] != len(self._ids):
            raise _damaged(self.folder, f"{sides} sides and {len(self._ids)} ids do not fit")

    @classmethod
    def write(
        cls,
        folder: str | PathLike[str],
        pairs: Iterable[IdPair],
        vocab_size: int,
        *,
        max_len: int | None = None,
        pad_id: int = PAD_ID,
        origin: Mapping[str, object] | None = None,
        report: Report | None = None,
    ) -> "EncodedPairs":
        """Write pairs into a folder, two bytes an id, or four if there are more than 65,536 ids.

        Pairs that stand there are replaced when all new ones are written, and not before: they may
        be what the new ones are made of. What is refused, or stopped, leaves them as they are.

        Args:
            folder: The folder, made if it is not there.
            pairs: Pairs (source ids, target ids), such as `encode_pairs` makes them, read once.
            vocab_size: Number of ids that there are, up to 1,000,000.
            max_len: Most tokens of a sentence, special ones counted; any number when None. A
                longer one is left out and reported by its place among the pairs.
            pad_id: The id that no pair may hold.
            origin: Where the pairs come from, ready for JSON: kept with them.
            report: Collects what is left out; without one, a warning at the end tells it.

        Raises:
            TypeError: If a number is not an integer.
            ValueError: If `vocab_size` or `max_len` is below 1, a pair has no ids, has padding,
                what is no id or one outside the vocabulary among them, or no pair is left.
            OSError: If the files cannot be written, such as on a full disk; it names the file.
        """
        vocab_size = check_integer("vocab_size", vocab_size, 1, LARGEST_VOCAB)
        longest = 2**31 if max_len is None else check_integer("max_len", max_len, 1)
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        generation = 1 + max(map(_generation, folder.glob("*-*.npy")), default=0)
        paths = [folder / name for name in _names(generation)]
        try:
            with (
                reporting(report) as report,
                _Growing(paths[0], np.uint16 if vocab_size <= _SMALL else np.int32) as ids,
                _Growing(paths[1], np.int64) as offsets,
            ):
                offsets.append(np.zeros(1))
                fitting = fitting_pairs(pairs, longest, report, pad_id)
                while sides := list(chain.from_iterable(islice(fitting, _AT_ONCE))):
                    ends = ids.length + np.cumsum([len(side) for side in sides])
                    new = np.frombuffer(b"".join(sides), np.int32)
                    if (highest := new.max()) >= vocab_size:
                        raise ValueError(
                            f"ids must be from 0 to {vocab_size - 1} (vocab_size={vocab_size}): "
                            f"got {highest}"
                        )
                    ids.append(new)
                    offsets.append(ends)
                if offsets.length == 1:
                    raise ValueError(
                        f"pairs must hold at least one to be written: {report.left_out} left out"
                    )
            header = {
                "generation": generation,
                "vocab_size": vocab_size,
                "checksum": [ids.checksum, offsets.checksum],
                "origin": dict(origin or {}),
            }
            with atomic_write(folder / _HEADER) as unfinished:
                unfinished.write_text(json.dumps(header), "utf-8")
        except BaseException:
            _remove(paths)
            raise
        _remove([path for path in folder.glob("*-*.npy") if 0 < _generation(path) < generation])
        return cls(folder)

    def check(self) -> None:
        """Read all files once, and refuse them if they are not what was written.

        Raises:
            ValueError: If a byte changed.
        """
        if [_checksum(self._ids), _checksum(self._offsets)] != self._checksum:
            raise _damaged(self.folder, "ids or offsets do not have their checksum")

    def __len__(self) -> int:
        return len(self._offsets) // 2

    def __getitem__(self, number: int) -> tuple[list[int], list[int]]:
        try:
            number = index(number)
        except TypeError:
            raise TypeError(f"number must be an integer: got {number!r}") from None
        if not -len(self) <= number < len(self):
            raise IndexError(f"number must be below {len(self)}: got {number}")
        first = 2 * (number % len(self))
        start, middle, stop = self._offsets[first : first + 3]
        return self._ids[start:middle].tolist(), self._ids[middle:stop].tolist()

    def __iter__(self) -> Iterator[tuple[list[int], list[int]]]:
        return (self[number] for number in range(len(self)))

    def __reduce__(self) -> tuple[type["EncodedPairs"], tuple[Path]]:
        return EncodedPairs, (self.folder,)  # a map would be copied, number by number

    def lengths(self, numbers: Integer[np.ndarray, "pairs"]) -> Int[np.ndarray, "pairs 2"]:
        """Return how many ids each side of some pairs has, without reading them.

        Args:
            numbers: Numbers of the pairs, from 0, shape `(pairs,)`.

        Returns:
            Lengths of source and target, shape `(pairs, 2)`.
        """
        return np.diff(self._bounds(numbers))

    def target_tokens(self) -> int:
        """Return how many tokens of all targets are to be predicted: all but the first of each.

        Example:
            >>> from tempfile import TemporaryDirectory
            >>> with TemporaryDirectory() as folder:
            ...     written = [([5, 2], [1, 6, 2]), ([7, 8, 2], [1, 2])]
            ...     EncodedPairs.write(folder, written, vocab_size=9).target_tokens()
            3
        """
        starts, ends = self._offsets[1::2], self._offsets[2::2]
        return int(ends.sum() - starts.sum()) - len(self)

    def padded(
        self, numbers: Integer[np.ndarray, "pairs"], side: int, pad_id: int = PAD_ID
    ) -> Int[np.ndarray, "pairs seq_len"]:
        """Read one side of some pairs, filled up to the longest of them.

        Args:
            numbers: Numbers of the pairs, from 0, shape `(pairs,)`.
            side: 0 for the sources, 1 for the targets.
            pad_id: The id to fill up with.

        Returns:
            Ids, shape `(pairs, seq_len)`.

        Example:
            >>> from tempfile import TemporaryDirectory
            >>> with TemporaryDirectory() as folder:
            ...     written = [([5, 2], [1, 6, 2]), ([7, 8, 2], [1, 2])]
            ...     EncodedPairs.write(folder, written, vocab_size=9).padded(np.array([1, 0]), 1)
            array([[1, 2, 0],
                   [1, 6, 2]])
        """
        bounds = self._bounds(numbers)
        starts, lengths = bounds[:, side, None], np.diff(bounds)[:, side, None]
        columns = np.arange(lengths.max())
        real = columns < lengths  # (pairs, seq_len)
        ids = np.full(real.shape, pad_id, np.int64)
        ids[real] = self._ids[(starts + columns)[real]]
        return ids

    def _bounds(self, numbers: Integer[np.ndarray, "pairs"]) -> Int[np.ndarray, "pairs 3"]:
        """Return where each pair's source begins, where its target does, and where that ends."""
        places: Int[np.ndarray, "pairs 3"] = self._offsets[
            2 * numbers.astype(np.int64)[:, None] + np.arange(3)
        ]
        return places


class _Growing:
    """A file of NumPy's own format whose length is known only at its end."""

    def __init__(self, path: Path, dtype: type[np.generic]) -> None:
        self._path, self._dtype = path, np.dtype(dtype)
        self.length = self.checksum = 0

    def __enter__(self) -> "_Growing":
        with name_file_in_errors(self._path):
            self._file: BinaryIO = self._path.open("wb")
            self._write_header()
        return self

    def __exit__(self, *error: object) -> None:
        with name_file_in_errors(self._path), self._file:
            self._file.seek(0)
            self._write_header()  # NumPy leaves room for a longer number
            self._file.flush()
            os.fsync(self._file.fileno())  # before the header says that all is there

    def append(self, numbers: np.ndarray) -> None:
        numbers = numbers.astype(self._dtype)
        with name_file_in_errors(self._path):
            self._file.write(numbers.data)
        self.length += len(numbers)
        self.checksum = zlib.crc32(numbers.data, self.checksum)

    def _write_header(self) -> None:
        dtype = npy.dtype_to_descr(self._dtype)
        header = {"descr": dtype, "fortran_order": False, "shape": (self.length,)}
        npy.write_array_header_1_0(self._file, header)


def _names(generation: int) -> tuple[str, str]:
    return f"ids-{generation}.npy", f"offsets-{generation}.npy"


def _generation(path: Path) -> int:
    """Return which writing a file of ids or offsets belongs to, from 1; 0 for another file."""
    name, _, number = path.stem.partition("-")
    return int(number) if name in ("ids", "offsets") and number.isdecimal() else 0


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        with suppress(OSError):  # Windows keeps a mapped file: the next writing removes it
            path.unlink(missing_ok=True)


def _checksum(numbers: np.ndarray) -> int:
    checksum = 0
    for start in range(0, len(numbers), _BLOCK):
        checksum = zlib.crc32(numbers[start : start + _BLOCK].data, checksum)
    return checksum


def _read_header(path: Path) -> dict[str, Any]:
    text = path.read_bytes()
    try:
        header = json.loads(text)
        check_integer("generation", header["generation"], 1)
        check_integer("vocab_size", header["vocab_size"], 1, LARGEST_VOCAB)
        return {**header, "origin": dict(header["origin"]), "checksum": list(header["checksum"])}
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise _damaged(path, repr(error)) from error


def _mapped(path: Path, dtypes: tuple[type[np.generic], ...]) -> np.ndarray:
    try:
        numbers = np.load(path, mmap_mode="r")
    except (EOFError, ValueError) as error:
        raise _damaged(path, str(error)) from error
    if numbers.dtype not in dtypes or numbers.ndim != 1:
        raise _damaged(path, f"{numbers.dtype} of shape {numbers.shape}")
    return np.asarray(numbers)  # the same map, without the class that slows each look


def _damaged(path: Path, what: str) -> ValueError:
    return ValueError(f"{path}: damaged: {what} (delete the folder and encode again)")
