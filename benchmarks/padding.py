"""Padding that batching by length saves, on the grammar's pairs."""

from collections.abc import Iterator
from itertools import islice

from benchmarks.report import Row
from transformer import (
    Batch,
    Tokenizer,
    batches,
    collate,
    encode_pairs,
    generate_pairs,
    load_pretrained,
    padding_share,
)

PAIRS, TOGETHER, MAX_TOKENS = 20_000, 128, 2048


def padding() -> Iterator[Row]:
    """Yield one row; ratio: padding in batches of random pairs over padding in ours."""
    _, tokenizer = load_pretrained()
    pairs = _encoded(tokenizer)
    groups = (pairs[start : start + TOGETHER] for start in range(0, len(pairs), TOGETHER))
    random = 100 * padding_share(map(collate, groups))
    by_length: Iterator[Batch] = batches(pairs, MAX_TOKENS)
    mine = 100 * padding_share(by_length)
    yield Row("padding", None, "%", mine, "random batches", random)


def _encoded(tokenizer: Tokenizer) -> list[tuple[list[int], list[int]]]:
    texts = ((pair.source, pair.target) for pair in islice(generate_pairs(0), PAIRS))
    return list(encode_pairs(texts, tokenizer))
