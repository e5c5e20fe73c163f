"""Batches of pairs that are alike in length, from a stream of ids (§5.1)."""

import random
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import torch
from jaxtyping import Int, Integer
from torch import Tensor

from transformer.arguments import check_ids, check_integer
from transformer.data.report import Report, reporting
from transformer.data.tokenizer import PAD_ID

IdPair = tuple[Sequence[int], Sequence[int]]
PackedPair = tuple["array[int]", "array[int]"]


@dataclass(frozen=True, eq=False)
class Batch:
    """Several pairs as two tensors of ids, each row filled up with padding at its end.

    Attributes:
        src: Ids of the sources, shape `(batch, src_len)`.
        tgt: Ids of the targets, shape `(batch, tgt_len)`.
        pad_id: The id that is padding, as in the model's config.

    Raises:
        TypeError: If ids are not tensors of integers.
        ValueError: If a tensor does not have two dimensions, or one has more rows than the other.
    """

    src: Int[Tensor, "batch src_len"]
    tgt: Int[Tensor, "batch tgt_len"]
    pad_id: int = PAD_ID

    def __post_init__(self) -> None:
        check_ids("src", self.src)
        check_ids("tgt", self.tgt)
        check_integer("pad_id", self.pad_id, 0)
        if len(self.src) != len(self.tgt):
            raise ValueError(
                "src and tgt must have a row for each pair: "
                f"got {len(self.src)} and {len(self.tgt)}"
            )

    @property
    def num_tokens(self) -> int:
        """Number of ids on both sides that are not padding."""
        return int((self.src != self.pad_id).sum() + (self.tgt != self.pad_id).sum())

    def to(self, device: torch.device | str) -> "Batch":
        """Return the batch on a device.

        Args:
            device: The device.
        """
        return Batch(self.src.to(device), self.tgt.to(device), self.pad_id)


def collate(pairs: Sequence[IdPair], pad_id: int = PAD_ID) -> Batch:
    """Put pairs of ids into one batch, as wide as the longest of them.

    Args:
        pairs: Pairs (source ids, target ids).
        pad_id: The id to fill up with, as in the model's config.

    Raises:
        ValueError: If there are no pairs, or one is not as `batches` wants it.

    Example:
        >>> collate([([5, 2], [1, 6, 2]), ([7, 8, 2], [1, 9, 4, 2])]).tgt
        tensor([[1, 6, 2, 0],
                [1, 9, 4, 2]])
    """
    if not pairs:
        raise ValueError("a batch must hold at least one pair: got none")
    check_integer("pad_id", pad_id, 0)
    packed = (_packed(number, pair, pad_id) for number, pair in enumerate(pairs, start=1))
    sources, targets = zip(*packed)
    return Batch(_padded(sources, pad_id), _padded(targets, pad_id), pad_id)


def batches(
    pairs: Iterable[IdPair],
    max_tokens: int,
    *,
    max_len: int | None = None,
    seed: int = 0,
    epoch: int = 0,
    window: int = 20_000,
    report: Report | None = None,
    pad_id: int = PAD_ID,
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
        pad_id: The id to fill up with, as in the model's config.

    Returns:
        An iterator of batches; every pair that is not left out is in exactly one.

    Raises:
        TypeError: If a number is not an integer.
        ValueError: If `max_tokens`, `max_len` or `window` is below 1, `seed` or `epoch` below 0,
            `max_tokens` below `max_len`, a pair has no ids, has padding or what is no id among
            them, or no pair is left.

    Example:
        >>> pairs = [([9] * n, [1, *[9] * n, 2]) for n in (1, 8, 2, 7)]
        >>> for batch in batches(pairs, max_tokens=20):
        ...     print(tuple(batch.src.shape), tuple(batch.tgt.shape))
        (2, 2) (2, 4)
        (2, 8) (2, 10)
    """
    check_integer("max_tokens", max_tokens, 1)
    check_integer("window", window, 1)
    seed, epoch = check_integer("seed", seed, 0), check_integer("epoch", epoch, 0)
    check_integer("pad_id", pad_id, 0)
    if max_len is not None:
        check_integer("max_len", max_len, 1)
        if max_tokens < max_len:
            raise ValueError(
                "max_tokens must be at least max_len, so that each sentence fits into a batch: "
                f"got max_tokens={max_tokens}, max_len={max_len}"
            )
    rng = random.Random(f"{seed} {epoch}")
    return _batches(pairs, max_tokens, max_len or max_tokens, rng, window, report, pad_id)


def fitting_pairs(
    pairs: Iterable[IdPair], max_len: int, report: Report, pad_id: int = PAD_ID
) -> Iterator[PackedPair]:
    """Yield the pairs that are short enough, each side as an array of 4 bytes an id.

    Args:
        pairs: Pairs (source ids, target ids), each as `batches` wants it.
        max_len: Most tokens of a sentence.
        report: Collects what is left out, by its place among the pairs.
        pad_id: The id that no pair may hold.

    Raises:
        ValueError: If a pair has no ids, or has padding or what is no id among them.

    Example:
        >>> report = Report()
        >>> list(fitting_pairs([([5, 2], [1, 2]), ([5] * 9, [1, 2])], 8, report))
        [(array('i', [5, 2]), array('i', [1, 2]))]
        >>> print(report.problems[0])
        pair 2: too long (9 tokens, at most 8)
    """
    for number, pair in enumerate(pairs, start=1):
        src, tgt = _packed(number, pair, pad_id)
        if (longest := max(len(src), len(tgt))) > max_len:
            report.add("pair", number, "too long", f"{longest} tokens, at most {max_len}")
        else:
            yield src, tgt


def cut(lengths: Iterable[tuple[int, int]], max_tokens: int) -> Iterator[tuple[int, int]]:
    """Cut a row of pairs into batches, each as long as `max_tokens` allows.

    Args:
        lengths: Numbers of ids of each pair, of its source and of its target.
        max_tokens: Most tokens of a batch on each side, padding counted.

    Yields:
        Where each batch begins, and where it ends: the beginning of the next.

    Example:
        >>> list(cut([(2, 3), (3, 3), (4, 4), (5, 2)], max_tokens=9))
        [(0, 2), (2, 3), (3, 4)]
    """
    start = stop = width = 0
    for number, pair in enumerate(lengths):
        width = max(width, *pair)
        if number > start and (number + 1 - start) * width > max_tokens:
            yield start, number
            start, width = number, max(pair)
        stop = number + 1
    if stop:
        yield start, stop


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


def serpentine(lengths: Integer[np.ndarray, "pairs 2"]) -> Integer[np.ndarray, " pairs"]:
    """Return an order of pairs in which neighbours are alike on both sides.

    By the length of the source; among sources of one length targets grow, among those of the
    next they shrink. Pairs of the same lengths stay in the order that they have.

    Args:
        lengths: Of the source and the target of each pair, shape `(pairs, 2)`.

    Returns:
        The numbers of the pairs in that order, shape `(pairs,)`.

    Example:
        >>> serpentine(np.array([[2, 5], [1, 3], [2, 9], [1, 7]])).tolist()
        [1, 3, 2, 0]
    """
    src_len, tgt_len = lengths.T
    return np.lexsort((np.where(src_len % 2, tgt_len, -tgt_len), src_len))


def rank_rows(rows: int, rank: int, world_size: int) -> slice:
    """Say which rows of a batch a process takes: every `world_size`-th one.

    A process that would get none takes the first. With a target of padding alone that row costs
    0, and the process still takes part in summing gradients.

    Args:
        rows: Rows of the batch.
        rank: Number of the process, from 0.
        world_size: How many processes there are.

    Example:
        >>> rank_rows(5, rank=1, world_size=2)
        slice(1, None, 2)
        >>> rank_rows(1, rank=1, world_size=2)
        slice(0, 1, None)
    """
    return slice(rank, None, world_size) if rank < rows else slice(0, 1)


def _batches(
    pairs: Iterable[IdPair],
    max_tokens: int,
    max_len: int,
    rng: random.Random,
    window: int,
    report: Report | None,
    pad_id: int,
) -> Iterator[Batch]:
    empty = True
    with reporting(report) as report:
        fitting = fitting_pairs(pairs, max_len, report, pad_id)
        while pool := list(islice(fitting, window)):
            empty = False
            rng.shuffle(pool)  # sorting is stable: pairs of one length stay shuffled
            order = serpentine(np.array([(len(src), len(tgt)) for src, tgt in pool]))
            pool = [pool[i] for i in order]
            lengths = ((len(src), len(tgt)) for src, tgt in pool)
            groups = [pool[start:stop] for start, stop in cut(lengths, max_tokens)]
            rng.shuffle(groups)
            yield from (collate(group, pad_id) for group in groups)
        if empty:
            raise ValueError(
                f"pairs must hold at least one that fits into a batch: {report.left_out} left out "
                "(an iterator gives its pairs only once: make a new one for each epoch)"
            )


def _packed(number: int, pair: IdPair, pad_id: int) -> PackedPair:
    """Return both sides of a pair, 4 bytes an id; what is packed already has been checked."""
    try:
        src, tgt = pair
    except (TypeError, ValueError):
        raise ValueError(f"pair {number} must be (source ids, target ids): got {pair!r}") from None
    if isinstance(src, array) and isinstance(tgt, array):
        return src, tgt
    try:
        ids = [*src], [*tgt]
        packed = array("i", ids[0]), array("i", ids[1])
        wrong = any(not side or min(side) < 0 or pad_id in side for side in packed)
        wrong = wrong or any(isinstance(i, bool) for side in ids for i in side)
    except (TypeError, ValueError, OverflowError):
        wrong = True
    if wrong:
        raise ValueError(
            f"both sides of pair {number} must hold ids, none of them {pad_id} (padding): "
            f"got {src}, {tgt}"
        )
    return packed


def _padded(rows: Sequence["array[int]"], pad_id: int) -> Int[Tensor, "batch seq_len"]:
    lengths = torch.tensor([len(row) for row in rows])
    real = torch.arange(int(lengths.max())) < lengths.unsqueeze(1)  # (batch, seq_len)
    ids = torch.frombuffer(bytearray().join(rows), dtype=torch.int32)
    return torch.full(real.shape, pad_id).masked_scatter_(real, ids.long())
