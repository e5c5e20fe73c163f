"""Pairs of the grammar for all figures that one process makes: none is drawn twice."""

from collections.abc import Iterator
from functools import cache
from itertools import islice

from transformer.data.generator import Pair, generate_pairs


def sentences(count: int, split: str = "validation") -> list[Pair]:
    """Return the first pairs of a split."""
    drawn, more = _drawn(split)
    drawn += islice(more, max(0, count - len(drawn)))
    return drawn[:count]


@cache
def _drawn(split: str) -> tuple[list[Pair], Iterator[Pair]]:
    return [], generate_pairs(0, split)
