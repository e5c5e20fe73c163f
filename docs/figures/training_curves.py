"""Loss and accuracy of the shipped model while it was trained, as its log tells them."""

import json
import math
from collections.abc import Callable
from pathlib import Path

from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import load_pretrained

Translate = Callable[[str], str]

ALT = (
    "Two panels over the training steps of the shipped model. Left: the training loss falls from "
    "about 8, at first steeply, and flattens out just above a dotted line at 1.06, the lowest that "
    "label smoothing allows; the validation loss, measured without smoothing, falls to nearly 0. "
    "Right: the share of validation tokens predicted rightly rises to nearly 100 percent."
)

LOG = Path(__file__).parents[1] / "measured" / "training.json"
SMOOTHING = 0.1
POINTS = 50  # enough for the eye; the log has more


def draw(t: Translate) -> Figure:
    """Draw the losses on the left and the accuracy on the right."""
    records = json.loads(LOG.read_text("utf-8"))["log"]
    training = [(r["step"], r["loss"]) for r in records if "loss" in r]
    validation = [r for r in records if "validation_loss" in r]
    steps = [r["step"] for r in validation]

    fig = Figure(figsize=(4.8, 3.0), layout="constrained")
    fig.suptitle(t("The shipped model's training: a healthy run"))
    left, right = fig.subplots(1, 2)
    left.plot(*zip(*_thinned(training), strict=True), color=ACCENT, label=t("training"))
    losses = [r["validation_loss"] for r in validation]
    left.plot(steps, losses, "o--", color=SECOND, markersize=3, label=t("validation"))
    left.axhline(_floor(), color=MUTED, linestyle=":", label=t("floor of the smoothing"))
    left.set(xlabel=t("step"), ylabel=t("loss"), ylim=(0, None))
    accuracies = [100 * r["validation_accuracy"] for r in validation]
    right.plot(steps, accuracies, "o--", color=SECOND, markersize=3)
    right.set(xlabel=t("step"), ylabel=t("right tokens (%)"), ylim=(0, 104))
    for axes in (left, right):
        axes.set_xlim(0, None)
        axes.locator_params(axis="x", nbins=3)
        axes.spines[["top", "right"]].set_visible(False)
    fig.legend(loc="outside lower center", ncols=3, frameon=False, labelcolor=INK)
    return fig


def _thinned(points: list[tuple[int, float]]) -> list[tuple[float, float]]:
    """Return the mean of every few neighbours; the first point stands as it is."""
    size = math.ceil(len(points) / POINTS)
    groups = [points[:1], *(points[i : i + size] for i in range(1, len(points), size))]
    return [
        (sum(step for step, _ in group) / len(group), sum(loss for _, loss in group) / len(group))
        for group in groups
    ]


def _floor() -> float:
    """Return the lowest loss there is against smoothed targets: their entropy."""
    vocabulary = load_pretrained()[0].config.tgt_vocab_size
    other = SMOOTHING / vocabulary
    right = 1 - SMOOTHING + other
    return -right * math.log(right) - (vocabulary - 1) * other * math.log(other)


def claims() -> dict[str, bool]:
    """Say of the description whether it is so."""
    records = json.loads(LOG.read_text("utf-8"))["log"]
    training = [r["loss"] for r in records if "loss" in r]
    validation = [r for r in records if "validation_loss" in r]
    return {
        "the training loss falls from about 8": 7 < training[0] < 9,
        "it ends just above the floor": 0 < training[-1] - _floor() < 0.1,
        "the floor is 1.06": round(_floor(), 2) == 1.06,
        "the validation loss falls to nearly 0": validation[-1]["validation_loss"] < 0.1,
        "nearly 100 percent are right": validation[-1]["validation_accuracy"] > 0.99,
    }
