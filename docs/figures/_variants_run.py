"""Train variants of one small model, and see how much of four splits each of them translates.

What `_without`, `_since_2017` and `_heads_number` share. A variant is an entry of a dict. Each is
trained with three seeds, one run on each core; runs have the same sizes and the same number of
steps, and runs of one seed the same sentences in the same order. What is counted is how many
sentences come out right, letter by letter.

Nothing is retuned, but for variants that say so: where a part changes the size of numbers, another
rate may suit better. With the first seed the three `RATES` are tried; if one of them gets more
validation sentences right than the paper's, all seeds are trained at the best of them, too.

A finished run is kept in .cache/variants under the name of its variant, which means the same in all
scripts: what was stopped goes on. Where a variant has changed, remove its files first.
"""

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

from transformer import (
    Batch,
    GrammarPairs,
    Recipe,
    TrainingConfig,
    Transformer,
    average_models,
    batches,
    encode_pairs,
    generate_pairs,
    greedy_decode,
    learning_rate,
    load_pretrained,
    train,
    translate,
)
from transformer.training.run_folder import RunFolder

SEEDS = (0, 1, 2)
SIZES = Recipe(d_model=96, d_ff=384, batch_tokens=1024)
STEPS = 1000
WARMUP = 300
PEAK = learning_rate(WARMUP, SIZES.d_model, WARMUP)
SENTENCES = 500  # of each split
RATES = (0.003, 0.0015, 0.00075)  # the paper's highest rate is 0.0059 at these sizes
SPLITS = {"right": "validation"} | {split: split for split in ("test", "compositional", "longer")}
DOCS = Path(__file__).parents[1]
FINISHED = DOCS.parent / ".cache" / "variants"

Result = dict[str, Any]
Training = tuple[Optimizer, LRScheduler]


@dataclass(frozen=True, kw_only=True)
class Variant:
    """What is done in another way: all that is left out is as in the whole model of 2017.

    Attributes:
        sizes: Fields of the model's config.
        parts: Classes that `Transformer` takes.
        change: What is done to the finished model.
        kind: The class of the model.
        decode: How it translates.
        training: Fields of the training's config.
        optimizer: Makes optimizer and schedule from the model and the highest rate.
        retuned: Whether other rates are tried.
    """

    sizes: dict[str, Any] = field(default_factory=dict)
    parts: dict[str, Any] = field(default_factory=dict)
    change: Callable[[Transformer], None] | None = None
    kind: Callable[..., Transformer] = Transformer
    decode: Callable[[Any, Tensor], list[list[int]]] = greedy_decode
    training: dict[str, Any] = field(default_factory=dict)
    optimizer: Callable[[Transformer, float], Training] | None = None
    retuned: bool = False

    def model(self) -> Transformer:
        """Make the model, for the ids of the shipped tokenizer."""
        config = replace(SIZES.config(load_pretrained()[1].vocab_size), **self.sizes)
        model = self.kind(config, **self.parts)
        if self.change is not None:
            self.change(model)
        return model


def run(name: str, variant: Variant, seed: int, rate: float | None = None) -> Result:
    """Return what `trained` does, at once if it was found before."""
    path = FINISHED / f"{name}-{seed}{f'-{rate}' if rate else ''}.json"
    if not path.exists():
        result = json.dumps(trained(variant, seed, rate))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(result, "utf-8")
    found: Result = json.loads(path.read_text("utf-8"))
    return found


def trained(variant: Variant, seed: int, rate: float | None = None) -> Result:
    """Train; return the losses on the way, and how many sentences of each split are right."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    model, pairs, tokenizer = variant.model(), GrammarPairs(), load_pretrained()[1]
    fields: dict[str, Any] = {"log_every": 50, "save_every": STEPS, "seed": seed}
    fields |= {"warmup": WARMUP, "peak_learning_rate": rate}
    config = TrainingConfig(steps=STEPS, **fields | variant.training)
    optimizer = schedule = None
    if variant.optimizer is not None:
        optimizer, schedule = variant.optimizer(model, rate or PEAK)

    def epoch(number: int) -> Iterator[Batch]:
        ids = encode_pairs(pairs.epoch(number), tokenizer)
        return batches(ids, SIZES.batch_tokens, seed=seed, epoch=number)

    with TemporaryDirectory() as place:
        with suppress(FloatingPointError):  # a gradient that is no number any more ends the run
            train(model, epoch, config, place, bar=False, optimizer=optimizer, schedule=schedule)
        folder = RunFolder(place)
        log = [json.loads(line) for line in folder.log.read_text("utf-8").splitlines()]
        if len(folder.checkpoints()) > 1:
            model = average_models(folder.checkpoints())
    model.eval()
    right = {}
    for key, split in SPLITS.items():
        some = list(islice(generate_pairs(0, split), SENTENCES))
        sources = [pair.source for pair in some]
        outputs = translate(model, tokenizer, sources, decode=variant.decode)
        right[key] = sum(output == pair.target for output, pair in zip(outputs, some))
    return {**right, "last_step": log[-1]["step"], "loss": [line["loss"] for line in log]}


def measure(script: str, variants: dict[str, Variant], **more: object) -> None:
    """Train every variant, and write docs/measured/SCRIPT.json: a list of runs for each."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        runs = {
            name: [pool.submit(run, name, variant, seed) for seed in SEEDS]
            for name, variant in variants.items()
        }
        tried = {
            name: {rate: pool.submit(run, name, variant, SEEDS[0], rate) for rate in RATES}
            for name, variant in variants.items()
            if variant.retuned
        }
        again = {}
        for name, found in tried.items():
            right = {rate: ran.result()["right"] for rate, ran in found.items()}
            best = max(right, key=right.__getitem__)
            if right[best] > runs[name][0].result()["right"]:
                more_runs = [pool.submit(run, name, variants[name], seed, best) for seed in SEEDS]
                again[name] = best, more_runs
        document = {
            "steps": STEPS,
            "sentences": SENTENCES,
            **{name: [ran.result() for ran in found] for name, found in runs.items()},
            "rates": {
                "runs": [
                    {"part": name, "rate": rate, **ran.result()}
                    for name, found in tried.items()
                    for rate, ran in found.items()
                ]
            },
            "retuned": {
                name: {"rate": rate, "runs": [ran.result() for ran in found]}
                for name, (rate, found) in again.items()
            },
            **more,
        }
    path = DOCS / "measured" / f"{script}.json"
    path.write_text(json.dumps(document), "utf-8")
