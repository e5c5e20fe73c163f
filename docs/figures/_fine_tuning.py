"""Fine-tune the shipped model on longer sentences than any it was trained on, at three rates.

`python -m docs.figures._fine_tuning` writes docs/measured/fine_tuning.json, which the figure
`long_runs_fine_tuning` draws: three seeds for each rate, and three runs on the same pairs that
begin with random parameters: six minutes on one core. What is counted is how many longer
sentences and how many of the test split come out right, letter by letter.
"""

import json
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from transformer import (
    ListPairs,
    Recipe,
    Tokenizer,
    TrainingConfig,
    Transformer,
    generate_pairs,
    load_model,
    load_pretrained,
    train_translator,
    translate,
)
from transformer.inference.shipped import PRETRAINED
from transformer.model_file import load_tokenizer

RESULT = Path(__file__).parents[1] / "measured" / "fine_tuning.json"
SEEDS = (0, 1, 2)
RATES = (0.003, 0.0003, 0.00003)  # the highest is about the peak of the shipped model's training
PAIRS = 400
STEPS = 100
WARMUP = 10
SENTENCES = 300  # of each split
SPLITS = ("longer", "test")


def tuned(seed: int, rate: float | None, init: Path | None) -> dict[str, int]:
    """Train on some longer sentences, and return how many others are right."""
    counted = {pair.source for pair in islice(generate_pairs(0, "longer"), SENTENCES)}
    others = (
        (pair.source, pair.target)
        for pair in generate_pairs(seed + 1, "longer")
        if pair.source not in counted
    )
    config = TrainingConfig(steps=STEPS, warmup=WARMUP, peak_learning_rate=rate, seed=seed)
    with TemporaryDirectory() as folder:
        file = train_translator(
            folder,
            ListPairs(islice(others, PAIRS)),
            Recipe(batch_tokens=1024),
            config,
            init=init,
            message=lambda text: None,
            bar=False,
        )
        return right(load_model(file), load_tokenizer(file))


def right(model: Transformer, tokenizer: Tokenizer) -> dict[str, int]:
    """Return how many sentences of each split a model translates rightly."""
    found = {}
    for split in SPLITS:
        some = list(islice(generate_pairs(0, split), SENTENCES))
        outputs = translate(model.eval(), tokenizer, [pair.source for pair in some])
        found[split] = sum(
            output == pair.target for output, pair in zip(outputs, some, strict=True)
        )
    return found


if __name__ == "__main__":
    torch.set_num_threads(1)
    record = {
        "pairs": PAIRS,
        "steps": STEPS,
        "sentences": SENTENCES,
        "before": right(*load_pretrained()),
        "from_nothing": [tuned(seed, None, None) for seed in SEEDS],
        **{str(rate): [tuned(seed, rate, PRETRAINED) for seed in SEEDS] for rate in RATES},
    }
    RESULT.write_text(json.dumps(record), "utf-8")
