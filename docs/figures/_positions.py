"""Train with sinusoidal and with learned positions, and translate sentences longer than any seen.

`python -m docs.figures._positions` writes docs/measured/positions.json, which the figure
`evaluation_longer` draws: six runs of the shipped model's recipe at half its steps, three seeds for
each kind of positions, about half an hour on two cores.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from transformer import (
    Batch,
    GrammarPairs,
    Recipe,
    TrainingConfig,
    Transformer,
    batches,
    encode_pairs,
    generate_pairs,
    load_pretrained,
    train,
    translate,
)

RESULT = Path(__file__).parents[1] / "measured" / "positions.json"
KINDS = ("sinusoidal", "learned")
SEEDS = (0, 1, 2)
STEPS = 2000
SENTENCES = 1000  # of each split


def score(positional: str, seed: int) -> dict[str, dict[str, list[int]]]:
    """Train, and return for each split and each number of words: sentences, and how many right."""
    recipe, pairs = Recipe(), GrammarPairs()
    tokenizer = load_pretrained()[1]
    torch.manual_seed(seed)
    config = replace(recipe.config(tokenizer.vocab_size), positional=positional)
    model = Transformer(config)

    def epoch(number: int) -> Iterator[Batch]:
        ids = encode_pairs(pairs.epoch(number), tokenizer)
        return batches(ids, recipe.batch_tokens, seed=seed, epoch=number)

    with TemporaryDirectory() as folder:
        train(model, epoch, TrainingConfig(steps=STEPS, seed=seed), folder, bar=False)
    found: dict[str, dict[str, list[int]]] = {}
    for split in ("validation", "longer"):
        some = list(islice(generate_pairs(0, split), SENTENCES))
        outputs = translate(model, tokenizer, [pair.source for pair in some])
        counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
        for pair, output in zip(some, outputs, strict=True):
            words = str(sum(word.isalpha() for word in pair.source.split()))
            counts[words][0] += 1
            counts[words][1] += output == pair.target
        found[split] = dict(counts)
    return found


if __name__ == "__main__":
    runs = {kind: [score(kind, seed) for seed in SEEDS] for kind in KINDS}
    RESULT.write_text(json.dumps({"steps": STEPS, **runs}), "utf-8")
