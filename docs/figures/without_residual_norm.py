"""How many sentences come out right without residual connections, and without normalization."""

import json
from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._style import ACCENT, MUTED
from docs.figures._without import RESULT

Translate = Callable[[str], str]

ALT = (
    "Three rows of three dots, one for each seed: how many of 500 validation sentences come out "
    "right. The whole model: 368, 379 and 380. Without residual connections: 0 three times. "
    "Without normalization: 345, 348 and 369."
)

PARTS = ("nothing", "residuals", "norms")


def draw(t: Translate) -> Figure:
    """Draw three dots a row, one for each seed."""
    labels = [t("whole model"), t("without residual\nconnections"), t("without\nnormalization")]
    fig = Figure(figsize=(4.8, 2.5), layout="constrained")
    title = t("Without residual connections nothing is right,\nwithout normalization a little less")
    fig.suptitle(title, fontsize=11)
    axes = fig.subplots()
    for row, part in enumerate(PARTS):
        counts = right()[part]
        colour = ACCENT if row else MUTED
        axes.plot(counts, [row] * len(counts), "o", color=colour, markersize=8, alpha=0.8)
    axes.set_yticks(range(len(PARTS)), labels)
    axes.set(ylim=(len(PARTS) - 0.5, -0.5), xlim=(-15, 515))
    axes.grid(axis="y", color=MUTED, alpha=0.3)
    axes.tick_params(axis="y", length=0)
    axes.spines[["left", "top", "right"]].set_visible(False)
    axes.set_xlabel(t("sentences right, of 500; a dot is a seed"))
    return fig


def right() -> dict[str, list[int]]:
    """Return how many sentences are right for each part that is left out."""
    runs = json.loads(RESULT.read_text("utf-8"))
    return {part: [run["right"] for run in runs[part]] for part in PARTS}


def claims() -> dict[str, bool]:
    """Say of the description, and of the page's sentences, whether they are so."""
    runs = json.loads(RESULT.read_text("utf-8"))
    found = right()
    first = {part: [run["loss"][0] for run in runs[part]] for part in PARTS}
    return {
        "500 sentences, 1,000 steps": (runs["sentences"], runs["steps"]) == (500, 1000),
        "the whole model: 368, 379, 380": sorted(found["nothing"]) == [368, 379, 380],
        "without residual connections none": found["residuals"] == [0, 0, 0],
        "without normalization: 345, 348, 369": sorted(found["norms"]) == [345, 348, 369],
        "no run ended early": all(run["last_step"] == 1000 for p in PARTS for run in runs[p]),
        "whole: the first loss is near 8": all(7.5 < loss < 8.5 for loss in first["nothing"]),
        "without norms: between 23 and 28": all(23 < loss < 28 for loss in first["norms"]),
    }
