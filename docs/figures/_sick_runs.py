"""Train a small model once in good health and five times with one thing wrong.

`python -m docs.figures._sick_runs` writes docs/measured/sick_runs.json, which the figure
`training_sick` draws: about three minutes on one core. The task is to write 2 to 8 random words
in reverse order; validation is on sentences that no run has seen.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor

from transformer import (
    Batch,
    Transformer,
    TransformerConfig,
    collate,
    greedy_decode,
    label_smoothed_cross_entropy,
    learning_rate,
    padding_mask,
)

RESULT = Path(__file__).parents[1] / "measured" / "sick_runs.json"
NO_PAD = -1  # an id that never occurs: nothing is left out of the loss


@dataclass(frozen=True)
class Run:
    """What is done, and what is done wrongly."""

    steps: int = 800
    layers: int = 1
    warmup: int = 400
    rate: float = 1.0  # multiplies the paper's schedule
    warm: bool = True  # False: the highest rate from the first step on
    causal: bool = True
    pad_id: int = 0  # what the training loss leaves out
    sentences: int | None = None  # None: new ones for every batch


HEALTHY = Run()
RUNS = {
    "healthy": HEALTHY,
    "rate": replace(HEALTHY, rate=10),
    "warm": Run(layers=6),
    "cold": Run(layers=6, warm=False),
    "leak": replace(HEALTHY, causal=False),
    "padding": replace(HEALTHY, pad_id=NO_PAD),
    "overfit": replace(HEALTHY, sentences=128),
}


def batch(seed: int, rows: int = 64) -> Batch:
    """Return random words, and the same words in reverse order."""
    generator = torch.Generator().manual_seed(seed)
    lengths = torch.randint(2, 9, (rows,), generator=generator).tolist()
    words = [torch.randint(3, 12, (n,), generator=generator).tolist() for n in lengths]
    return collate([([*w, 2], [1, *w[::-1], 2]) for w in words])


def stream(run: Run) -> Iterator[Batch]:
    """Yield a batch for every step; a run with few sentences sees the same ones again."""
    different = run.steps if run.sentences is None else run.sentences // 64
    for step in range(run.steps):
        yield batch(step % different)


def logits(model: Transformer, data: Batch, causal: bool) -> Tensor:
    """Run the model with teacher forcing, its causal mask left out on demand."""
    ids = data.tgt[:, :-1]
    if causal:
        return model(data.src, ids)
    x = model.tgt_position(model.tgt_embedding(ids))
    src_mask = padding_mask(data.src, pad_id=0)
    return model.project(
        model.decoder(x, model.encode(data.src), padding_mask(ids, pad_id=0), src_mask)
    )


def measure(run: Run) -> dict[str, list[float] | float]:
    """Train, and return the losses every 10 steps and the share of sentences written rightly."""
    torch.manual_seed(0)
    config = TransformerConfig(
        12,
        12,
        d_model=32,
        num_heads=2,
        num_encoder_layers=run.layers,
        num_decoder_layers=run.layers,
        d_ff=64,
        dropout=0.0,
    )
    model, unseen = Transformer(config), batch(seed=10**6, rows=256)
    optimizer = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    result: dict[str, list[float]] = {"step": [], "training": [], "validation": []}
    for step, data in enumerate(stream(run), start=1):
        timely = step if run.warm else max(step, run.warmup)
        optimizer.param_groups[0]["lr"] = run.rate * learning_rate(timely, 32, run.warmup)
        scores = logits(model, data, run.causal)
        loss = label_smoothed_cross_entropy(scores, data.tgt[:, 1:], 0.0, run.pad_id)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step == 1 or step % 10 == 0:
            with torch.no_grad():
                scores = logits(model, unseen, run.causal)
                validation = label_smoothed_cross_entropy(scores, unseen.tgt[:, 1:], 0.0)
            result["step"].append(step)
            result["training"].append(round(loss.item(), 3))
            result["validation"].append(round(validation.item(), 3))
    right = [
        written == [word for word in tgt if word > 2]
        for written, tgt in zip(greedy_decode(model, unseen.src), unseen.tgt.tolist(), strict=True)
    ]
    return {**result, "written": round(sum(right) / len(right), 3)}


if __name__ == "__main__":
    torch.set_num_threads(1)
    RESULT.parent.mkdir(exist_ok=True)
    measured = {name: measure(run) for name, run in RUNS.items()}
    lines = [f'"{name}": {json.dumps(values)}' for name, values in measured.items()]
    RESULT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
