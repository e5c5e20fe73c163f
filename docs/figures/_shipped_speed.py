"""Measure how long one core computes at a step of the shipped model's training.

`python -m docs.figures._shipped_speed` writes docs/measured/shipped_speed.json: the time of the
processor for making the batches and training on them, in one thread, so that other programs which
run at the same time change it little. A minute on one core.
"""

import json
import time
from collections.abc import Iterator
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
    load_pretrained,
    train,
)

RESULT = Path(__file__).parents[1] / "measured" / "shipped_speed.json"
STEPS = 150  # about as many as one window of the batching makes


def seconds() -> float:
    """Return how long a step takes, on average."""
    torch.manual_seed(0)
    tokenizer, recipe, pairs = load_pretrained()[1], Recipe(), GrammarPairs()
    model = Transformer(recipe.config(tokenizer.vocab_size))

    def epoch(number: int) -> Iterator[Batch]:
        ids = encode_pairs(pairs.epoch(number), tokenizer)
        return batches(ids, recipe.batch_tokens, epoch=number)

    with TemporaryDirectory() as folder:
        config = TrainingConfig(steps=STEPS, save_every=STEPS)
        start = time.process_time()
        train(model, epoch, config, folder, bar=False)
        return (time.process_time() - start) / STEPS


if __name__ == "__main__":
    torch.set_num_threads(1)
    RESULT.write_text(json.dumps({"steps": STEPS, "seconds": seconds()}), "utf-8")
