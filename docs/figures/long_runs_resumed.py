"""The loss of a run that never stopped, one that goes on from a checkpoint, one from parameters."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from shutil import copy
from statistics import mean
from tempfile import TemporaryDirectory

import torch
from matplotlib.figure import Figure
from torch.optim import Adam
from torch.optim.lr_scheduler import LambdaLR

from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import (
    Batch,
    TrainingConfig,
    Transformer,
    TransformerConfig,
    collate,
    learning_rate,
    load_model,
    train,
)
from transformer.training.run_folder import RunFolder

Translate = Callable[[str], str]
Losses = list[float]

ALT = (
    "Loss over 100 steps. A thick grey line, the run that never stopped, falls from about 3 to "
    "about 0.5. From step 50 on there are two more. The dots of the run that goes on from a "
    "checkpoint all lie on the grey line. The run that goes on from the parameters alone jumps up "
    "to 3 and more at once, and 50 steps later is still higher than where it set out."
)
SAVED, STEPS, WARMUP = 50, 100, 50


def draw(t: Translate) -> Figure:
    """Draw the three runs."""
    whole, resumed, alone = losses()
    fig = Figure(figsize=(4.8, 3.3), layout="constrained")
    axes = fig.subplots()
    axes.axvline(SAVED + 0.5, color=MUTED, linestyle=":", linewidth=1)
    axes.text(SAVED - 1, 2.9, t("checkpoint"), color=INK, ha="right", size=9)
    axes.plot(range(1, STEPS + 1), whole, color=MUTED, linewidth=4, label=t("never stopped"))
    after = range(SAVED + 1, STEPS + 1)
    axes.plot(after, alone, "--", color=SECOND, label=t("from the parameters alone"))
    axes.plot(after, resumed, ".", color=ACCENT, markersize=4, label=t("from the checkpoint"))
    axes.set(xlabel=t("step"), ylabel=t("loss"), xlim=(0, STEPS + 1), ylim=(0, None))
    axes.spines[["top", "right"]].set_visible(False)
    fig.suptitle(t("With Adam's means the run goes on,\nwithout them it is thrown back"), size=11)
    fig.legend(loc="outside lower center", ncols=2, frameon=False, markerscale=2)
    return fig


@cache
def losses(seed: int = 0) -> tuple[Losses, Losses, Losses]:
    """Train without a stop, go on from step 50, and go on with a new Adam at the same rates."""
    data = batches(seed)
    with TemporaryDirectory() as whole, TemporaryDirectory() as broken, TemporaryDirectory() as new:
        never_stopped = run(small_model(seed), data, whole)
        saved = RunFolder(whole).checkpoints()[0]
        copy(saved, broken)
        resumed = run(small_model(seed), data, broken)
        model = load_model(saved)
        adam = Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
        rates = LambdaLR(adam, lambda n: learning_rate(SAVED + n + 1, 32, WARMUP))
        alone = run(model, data[SAVED:], new, optimizer=adam, schedule=rates)
    return never_stopped, resumed, alone


def run(
    model: Transformer,
    data: list[Batch],
    folder: str | Path,
    optimizer: Adam | None = None,
    schedule: LambdaLR | None = None,
) -> Losses:
    """Return the loss of every step from where the folder's run stands to its end."""
    config = TrainingConfig(
        steps=len(data), warmup=WARMUP, save_every=SAVED, log_every=1, label_smoothing=0.0
    )
    seen: Losses = []
    train(
        model,
        lambda epoch: data,
        config,
        folder,
        bar=False,
        optimizer=optimizer,
        schedule=schedule,
        callback=lambda record: seen.append(record["loss"]),
    )
    return seen


def batches(seed: int) -> list[Batch]:
    """Return five random words, and the same words in reverse order, 16 times for each step."""
    random = torch.Generator().manual_seed(seed)
    words = torch.randint(3, 12, (STEPS, 16, 5), generator=random).tolist()
    return [collate([([*w, 2], [1, *w[::-1], 2]) for w in rows]) for rows in words]


def small_model(seed: int) -> Transformer:
    """Return an untrained model, always the same for one seed."""
    torch.manual_seed(seed)
    config = TransformerConfig(
        12,
        12,
        d_model=32,
        num_heads=2,
        num_encoder_layers=1,
        num_decoder_layers=1,
        d_ff=64,
        dropout=0.0,
    )
    return Transformer(config)


def claims() -> dict[str, bool]:
    """Say of the sentences in the description whether they are so."""
    whole, resumed, alone = losses()
    end, start, thrown_back = (mean(some) for some in (whole[-10:], whole[40:50], alone[-10:]))
    three = [losses(seed) for seed in range(3)]
    return {
        "from about 3 to about 0.5": 2.5 < whole[0] < 3.5 and 0.2 < end < 0.8,
        "every dot on the line": resumed == whole[SAVED:],
        "up to 3 and more at once": max(alone[:4]) > 3,
        "still higher than where it set out": thrown_back > start,
        "more than 1 higher within four steps, with each of three seeds": all(
            max(alone[:4]) > mean(whole[40:50]) + 1 for whole, _, alone in three
        ),
    }
