"""Pairs of ids in files mapped into memory: only the part that is read takes any of it (§5.1)."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from jaxtyping import Int, Integer
from numpy.lib import format as npy

from transformer.arguments import check_integer
from transformer.atomic_write import atomic_write, name_file_in_errors
from transformer.data.batching import IdPair, fitting_pairs
from transformer.data.left_out import Report, reporting
from transformer.data.tokenizer import LARGEST_VOCAB, PAD_ID

_AT_ONCE = 10_000  # pairs that are written together
_SMALL = 2**16  # ids that fit into two bytes


class EncodedPairs:
    """Pairs of ids in a folder, as `EncodedPairs.write` left them, more than memory could hold.

    The ids of all sides lie one after the other in `ids.npy`, the source of a pair before its
    target; `offsets.npy` holds where each side begins, and the end. NumPy opens both with
    `np.load(..., mmap_mode="r")`, and the system reads in what is asked for. In another process,
    the object opens the same files again.

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
        self.vocab_size, self.origin = _read_header(_header(self.folder))
        self._ids = _mapped(self.folder / "ids.npy", (np.uint16, np.int32))
        self._offsets = _mapped(self.folder / "offsets.npy", (np.int64,))
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
        origin: Mapping[str, Any] | None = None,
        report: Report | None = None,
    ) -> "EncodedPairs":
        """Write pairs into a folder, two bytes an id, or four if there are more than 65,536 ids.

        Until the end the folder counts as empty: what a killed process left is written anew.

        Args:
            folder: The folder, made if it is not there; pairs that stand there are replaced.
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
        check_integer("vocab_size", vocab_size, 1, LARGEST_VOCAB)
        longest = 2**31 if max_len is None else check_integer("max_len", max_len, 1)
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        _header(place).unlink(missing_ok=True)
        with (
            reporting(report) as told,
            _Growing(place / "ids.npy", np.uint16 if vocab_size <= _SMALL else np.int32) as ids,
            _Growing(place / "offsets.npy", np.int64) as offsets,
        ):
            offsets.append(np.zeros(1))
            fitting = fitting_pairs(pairs, longest, told, pad_id)
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
                    f"pairs must hold at least one to be written: {told.left_out} left out"
                )
        text = json.dumps({"vocab_size": vocab_size, "origin": dict(origin or {})})
        with atomic_write(_header(place)) as unfinished:
            unfinished.write_text(text, "utf-8")
        return cls(place)

    def __len__(self) -> int:
        return len(self._offsets) // 2

    def __getitem__(self, number: int) -> tuple[list[int], list[int]]:
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
        self._path, self._dtype, self.length = path, np.dtype(dtype), 0

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
        with name_file_in_errors(self._path):
            self._file.write(numbers.astype(self._dtype).data)
        self.length += len(numbers)

    def _write_header(self) -> None:
        dtype = npy.dtype_to_descr(self._dtype)
        header = {"descr": dtype, "fortran_order": False, "shape": (self.length,)}
        npy.write_array_header_1_0(self._file, header)


def _header(folder: Path) -> Path:
    return folder / "header.json"


def _read_header(path: Path) -> tuple[int, dict[str, Any]]:
    text = path.read_bytes()
    try:
        header = json.loads(text)
        vocab_size, origin = header["vocab_size"], header["origin"]
        check_integer("vocab_size", vocab_size, 1, LARGEST_VOCAB)
        return vocab_size, dict(origin)
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
