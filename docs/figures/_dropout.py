"""Train on few pairs with dropout and without, until the model knows them by heart.

`python -m docs.figures._dropout` writes docs/measured/dropout.json, which the figure
`training_dropout` draws: three seeds for each, ten minutes on one core. Runs of one seed
have the same pairs in the same order. There is no label smoothing, and both losses are measured
without dropout, so that they can be compared.
"""

import json
from itertools import count, islice
from pathlib import Path

import torch

from transformer import (
    Recipe,
    Transformer,
    batches,
    collate,
    encode_pairs,
    generate_pairs,
    load_pretrained,
    noam_schedule,
    translate,
)
from transformer.training.loop import clip_gradients
from transformer.training.teacher_forcing import accumulate_gradients, validate

RESULT = Path(__file__).parents[1] / "measured" / "dropout.json"
SEEDS = (0, 1, 2)
RATES = (0.0, 0.1)
PAIRS = 1000
STEPS = 2000
WARMUP = 200
EVERY = 100
SENTENCES = 300  # of the training pairs, and of validation


def run(dropout: float, seed: int) -> dict[str, object]:
    """Train, and return both losses every so many steps, and how many sentences are right."""
    torch.manual_seed(seed)
    tokenizer = load_pretrained()[1]
    sizes = Recipe(d_model=64, d_ff=256, batch_tokens=512, dropout=dropout)
    model = Transformer(sizes.config(tokenizer.vocab_size))
    optimizer = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    schedule = noam_schedule(optimizer, sizes.d_model, WARMUP)

    def some(split: str, number: int) -> list[tuple[str, str]]:
        start = seed if split == "train" else 0
        return [(p.source, p.target) for p in islice(generate_pairs(start, split), number)]

    unseen = some("validation", SENTENCES)
    ids = list(encode_pairs(some("train", PAIRS), tokenizer))
    looked_at = {
        "training": [collate(ids[:SENTENCES])],
        "validation": [collate(list(encode_pairs(unseen, tokenizer)))],
    }
    losses: dict[str, list[float]] = {name: [] for name in looked_at}
    stream = (
        batch for n in count() for batch in batches(ids, sizes.batch_tokens, seed=seed, epoch=n)
    )
    model.train()
    for step, batch in enumerate(islice(stream, STEPS), start=1):
        accumulate_gradients(model, [batch], smoothing=0.0)
        clip_gradients(model, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        schedule.step()
        if step % EVERY == 0:
            for name, found in looked_at.items():
                losses[name].append(round(validate(model, found).loss, 4))
    written = translate(model.eval(), tokenizer, [source for source, _ in unseen])
    right = sum(text == target for text, (_, target) in zip(written, unseen, strict=True))
    return {**losses, "right": right}


if __name__ == "__main__":
    torch.set_num_threads(1)
    found = {str(rate): [run(rate, seed) for seed in SEEDS] for rate in RATES}
    sizes = {"pairs": PAIRS, "steps": STEPS, "every": EVERY, "sentences": SENTENCES}
    RESULT.write_text(json.dumps({**sizes, **found}), "utf-8")
