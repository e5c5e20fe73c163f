"""Train with sinusoidal and with learned positions, and translate sentences longer than any seen.

`python -m docs.figures._positions` writes docs/measured/positions.json, which the figure
`evaluation_longer` draws: six runs of the shipped model's recipe at half its steps, three seeds for
each kind of positions, one on each core: about half an hour on two. What is scored is the mean of
the last checkpoints, as shipped; `last` says how much of validation the last one alone gets right.
"""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import islice, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from transformer import (
    Batch,
    GrammarPairs,
    Recipe,
    Tokenizer,
    TrainingConfig,
    Transformer,
    average_models,
    batches,
    encode_pairs,
    generate_pairs,
    load_pretrained,
    train,
    translate,
)
from transformer.training.run_folder import RunFolder

RESULT = Path(__file__).parents[1] / "measured" / "positions.json"
KINDS = ("sinusoidal", "learned")
SEEDS = (0, 1, 2)
STEPS = 2000
SENTENCES = 1000  # of each split


def run(positional: str, seed: int) -> dict[str, Any]:
    """Train, and return for each split and each number of words: sentences, and how many right."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    recipe, pairs = Recipe(), GrammarPairs()
    tokenizer = load_pretrained()[1]
    config = replace(recipe.config(tokenizer.vocab_size), positional=positional)
    model = Transformer(config)

    def epoch(number: int) -> Iterator[Batch]:
        ids = encode_pairs(pairs.epoch(number), tokenizer)
        return batches(ids, recipe.batch_tokens, seed=seed, epoch=number)

    with TemporaryDirectory() as folder:
        train(model, epoch, TrainingConfig(steps=STEPS, seed=seed), folder, bar=False)
        mean = average_models(RunFolder(folder).checkpoints()[-recipe.average :])
    last = by_words(model, tokenizer, "validation")
    return {
        "last": sum(right for _, right in last.values()),
        **{split: by_words(mean, tokenizer, split) for split in ("validation", "longer")},
    }


def by_words(model: Transformer, tokenizer: Tokenizer, split: str) -> dict[str, list[int]]:
    """Sentences and right ones for each number of words."""
    some = list(islice(generate_pairs(0, split), SENTENCES))
    outputs = translate(model, tokenizer, [pair.source for pair in some])
    counts: dict[str, list[int]] = {}
    for pair, output in zip(some, outputs, strict=True):
        words = str(sum(word not in ".?!" for word in pair.source.split()))
        count = counts.setdefault(words, [0, 0])
        count[0] += 1
        count[1] += output == pair.target
    return counts


if __name__ == "__main__":
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(run, *zip(*product(KINDS, SEEDS), strict=True))
        runs = {kind: [next(found) for _ in SEEDS] for kind in KINDS}
    RESULT.write_text(json.dumps({"steps": STEPS, **runs}), "utf-8")
