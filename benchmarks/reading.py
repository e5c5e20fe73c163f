"""`python -m benchmarks.reading`: pairs from a file of ids, beside a stream; on Linux only."""

import sys
import time
from collections.abc import Iterable, Iterator
from itertools import chain, islice, repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.memory import kilobytes
from benchmarks.report import Row, run
from transformer import (
    Batch,
    EncodedBatches,
    EncodedPairs,
    Tokenizer,
    batches,
    encode_pairs,
    generate_pairs,
    load_pretrained,
)
from transformer.data.batching import fitting_pairs
from transformer.data.encoded_batches import RankBatch
from transformer.data.report import Report

DIFFERENT, MAX_TOKENS, TIMED = 20_000, 4096, 5_000_000


def reading(pairs: int) -> Iterator[Row]:
    """Yield rows: speed beside a stream that encodes, memory, and what two processes read."""
    _, tokenizer = load_pretrained()
    texts = [(pair.source, pair.target) for pair in islice(generate_pairs(0), DIFFERENT)]
    seconds = _seconds_for_a_million(batches(encode_pairs(texts, tokenizer), MAX_TOKENS))
    with TemporaryDirectory() as folder:
        encoded = _many(Path(folder), texts, tokenizer, pairs)
        before = kilobytes("RssAnon")
        made = EncodedBatches(encoded, MAX_TOKENS)
        own = made.rank_batches(epoch=0)
        first = next(own)
        early = (kilobytes("RssAnon") - before) / 1024
        mine = _seconds_for_a_million(chain([first], own), TIMED)
        what = f"reading and batching a million ids, {pairs:,} pairs"
        yield Row(what, None, "s", mine, "a stream that encodes", seconds)
        for batch in own:
            if batch.epoch:
                break
        late = (kilobytes("RssAnon") - before) / 1024
        yield Row("memory after an epoch", None, "MB", late, "after its first batch", early)
        one, other = (_read(made, rank) for rank in (0, 1))
        yield Row("ids read by process 1 of 2", None, "ids", one, "by process 2", other)


def _many(
    folder: Path, texts: list[tuple[str, str]], tokenizer: Tokenizer, count: int
) -> EncodedPairs:
    """Write the same pairs again and again."""
    few = list(fitting_pairs(encode_pairs(texts, tokenizer), MAX_TOKENS, Report()))
    return EncodedPairs.write(
        folder, islice(chain.from_iterable(repeat(few)), count), tokenizer.vocab_size
    )


def _seconds_for_a_million(
    made: Iterable[Batch | RankBatch], enough: float = float("inf")
) -> float:
    ids, start = 0, time.perf_counter()
    for batch in made:
        ids += _ids(batch)
        if ids >= enough:
            break
    return (time.perf_counter() - start) / ids * 1e6


def _read(made: EncodedBatches, rank: int) -> int:
    own = made.rank_batches(epoch=0, rank=rank, world_size=2)
    return sum(_ids(batch) for batch in islice(own, 1000))


def _ids(batch: Batch | RankBatch) -> int:
    """How many ids, padding among them."""
    return batch.src.numel() + batch.tgt.numel()


def measure(quick: bool) -> tuple[list[Row], dict[str, Any]]:
    """Read ten million pairs; quick: 50,000."""
    pairs = 50_000 if quick else 10_000_000
    return list(reading(pairs)), {"pairs": pairs, "max_tokens": MAX_TOKENS}


if __name__ == "__main__":
    run(sys.argv[1:], "benchmarks.reading", measure)
