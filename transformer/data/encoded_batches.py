"""Batches of encoded pairs: an order of the whole file for each epoch, ids read on time (§5.1)."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Int, Integer
from torch import Tensor
from typing_extensions import deprecated

from transformer.arguments import check_integer
from transformer.data.batching import Batch, cut, rank_rows, serpentine
from transformer.data.encoded_pairs import EncodedPairs
from transformer.data.tokenizer import PAD_ID


class RankBatch(NamedTuple):
    """The rows of a batch that one process takes.

    Attributes:
        epoch: Number of the epoch, from 0.
        number: Number of the batch in it, from 1.
        tokens: Target tokens to be predicted in all rows of the batch, those of other processes
            too.
        src: Ids of the sources, shape `(rows, src_len)`.
        tgt: Ids of the targets, shape `(rows, tgt_len)`.
    """

    epoch: int
    number: int
    tokens: int
    src: Int[Tensor, "rows src_len"]
    tgt: Int[Tensor, "rows tgt_len"]


class EncodedBatches:
    """Batches of encoded pairs by length and by number of tokens, each epoch in another order.

    The whole file is shuffled; then `window` pairs at a time are sorted by length, cut into
    batches, and the batches shuffled, as `batches` does it with a stream. All this is known from
    the lengths, so ids are read only of the rows that are used. Memory: 4 bytes a pair.

    Args:
        pairs: The pairs.
        max_tokens: Most tokens of a batch on each side, padding counted; a longer pair is a batch
            of its own.
        seed: Seed of the order.
        window: Pairs to sort together.
        pad_id: The id to fill up with, as in the model's config.

    Attributes:
        pairs: The same.
        pad_id: The same.

    Raises:
        TypeError: If a number is not an integer.
        ValueError: If one is out of range.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> written = [([9] * n, [1, *[9] * n, 2]) for n in (1, 8, 2, 7)]
        >>> with TemporaryDirectory() as folder:
        ...     pairs = EncodedPairs.write(folder, written, vocab_size=10)
        ...     for batch in EncodedBatches(pairs, max_tokens=20)(epoch=0):
        ...         print(tuple(batch.src.shape), tuple(batch.tgt.shape))
        (2, 8) (2, 10)
        (2, 2) (2, 4)
    """

    def __init__(
        self,
        pairs: EncodedPairs,
        max_tokens: int,
        *,
        seed: int = 0,
        window: int = 20_000,
        pad_id: int = PAD_ID,
    ) -> None:
        self.pairs = pairs
        self._max_tokens = check_integer("max_tokens", max_tokens, 1)
        self._seed = check_integer("seed", seed, 0)
        self._window = check_integer("window", window, 1)
        self.pad_id = check_integer("pad_id", pad_id, 0)

    def __call__(self, epoch: int) -> Iterator[Batch]:
        """Yield the batches of an epoch, whole.

        Args:
            epoch: The number of the epoch, from 0.
        """
        check_integer("epoch", epoch, 0)
        for numbers in self._plan(epoch):
            yield Batch(self._side(numbers, 0), self._side(numbers, 1), self.pad_id)

    def rank_batches(
        self, epoch: int, done: int = 0, rank: int = 0, world_size: int = 1
    ) -> Iterator[RankBatch]:
        """Yield this process's rows of batch after batch, epoch after epoch, without end.

        A thread reads one batch ahead, beside the step that the model takes with the last one. Of
        batches that are done, and of other processes' rows, no id is read.

        Args:
            epoch: The epoch to begin in, from 0.
            done: How many of its batches are done.
            rank: Number of this process, from 0. It takes every `world_size`-th row; if there is
                none for it, the first, with a target of padding: it costs 0.
            world_size: How many processes there are.

        Example:
            >>> from tempfile import TemporaryDirectory
            >>> written = [([9] * n, [1, *[9] * n, 2]) for n in (1, 8, 2, 7)]
            >>> with TemporaryDirectory() as folder:
            ...     pairs = EncodedPairs.write(folder, written, vocab_size=10)
            ...     batches = EncodedBatches(pairs, max_tokens=20)
            ...     batch = next(batches.rank_batches(epoch=0, done=1, rank=1, world_size=2))
            >>> batch.epoch, batch.number, batch.tokens, batch.src.shape
            (0, 2, 5, torch.Size([1, 2]))
        """
        batches = self._rank_batches(epoch, done, rank, world_size)
        with ThreadPoolExecutor(1) as reader:
            ahead = reader.submit(next, batches)
            while True:
                batch = ahead.result()
                ahead = reader.submit(next, batches)
                yield batch

    def batches_per_epoch(self) -> int:
        """Return about how many batches an epoch has: those of one window, times the windows.

        Example:
            >>> from tempfile import TemporaryDirectory
            >>> written = [([9] * n, [1, *[9] * n, 2]) for n in (1, 8, 2, 7)]
            >>> with TemporaryDirectory() as folder:
            ...     pairs = EncodedPairs.write(folder, written, vocab_size=10)
            ...     EncodedBatches(pairs, max_tokens=20).batches_per_epoch()
            2
        """
        first = next(self._windows(0))
        return round(len(first) * max(1, len(self.pairs) / self._window))

    @deprecated("shares is now called rank_batches")
    def shares(
        self, epoch: int, done: int = 0, rank: int = 0, world_size: int = 1
    ) -> Iterator[RankBatch]:
        """Return what `rank_batches` returns, under the old name.

        Args:
            epoch: The epoch to begin in, from 0.
            done: How many of its batches are done.
            rank: Number of this process, from 0.
            world_size: How many processes there are.
        """
        return self.rank_batches(epoch, done, rank, world_size)

    def _rank_batches(
        self, epoch: int, done: int, rank: int, world_size: int
    ) -> Iterator[RankBatch]:
        for now in count(epoch):
            for number, numbers in enumerate(self._plan(now), start=1):
                if now > epoch or number > done:
                    tokens = int((self.pairs.lengths(numbers)[:, 1] - 1).sum())
                    rows = numbers[rank_rows(len(numbers), rank, world_size)]
                    src, tgt = (self._side(rows, side) for side in (0, 1))
                    if rank >= len(numbers):
                        tgt = torch.full_like(tgt, self.pad_id)
                    yield RankBatch(now, number, tokens, src, tgt)

    def _plan(self, epoch: int) -> Iterator[Integer[np.ndarray, "pairs"]]:
        """Yield the numbers of the pairs of each batch of an epoch."""
        for groups in self._windows(epoch):
            yield from groups

    def _windows(self, epoch: int) -> Iterator[list[Integer[np.ndarray, "pairs"]]]:
        """Yield the batches of each window of an epoch, as the numbers of their pairs."""
        random = np.random.default_rng([self._seed, epoch])
        order = np.arange(len(self.pairs), dtype=np.min_scalar_type(len(self.pairs)))
        random.shuffle(order)
        for start in range(0, len(order), self._window):
            numbers = order[start : start + self._window]
            lengths = self.pairs.lengths(numbers)
            by_length = serpentine(lengths)
            numbers, sides = numbers[by_length], zip(*lengths[by_length].T.tolist())
            groups = [numbers[begin:end] for begin, end in cut(sides, self._max_tokens)]
            random.shuffle(groups)
            yield groups

    def _side(
        self, numbers: Integer[np.ndarray, "pairs"], side: int
    ) -> Int[Tensor, "rows seq_len"]:
        return torch.from_numpy(self.pairs.padded(numbers, side, self.pad_id))
