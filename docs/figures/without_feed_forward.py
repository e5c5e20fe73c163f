"""How many sentences come out right without feed-forward networks, and without their ReLU."""

import json
from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure

from docs.figures._feed_forward_width import RESULT as WIDTHS
from docs.figures._style import ACCENT, MUTED
from docs.figures._without import RESULT

Translate = Callable[[str], str]

ALT = "TODO"


def draw(t: Translate) -> Figure:
    """Draw three dots a row, one for each seed."""
    labels = [
        t("whole model"),
        t("without ReLU"),
        t("without\nfeed-forward\nnetworks"),
    ]
    fig = Figure(figsize=(4.8, 2.4), layout="constrained")
    ax = fig.subplots()
    for row, seeds in enumerate(right()):
        colour = MUTED if row == 0 else ACCENT
        ax.plot(seeds, [row] * len(seeds), "o", color=colour, markersize=8, alpha=0.8)
    ax.set_yticks(range(len(labels)), labels)
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.set_xlim(-15, 515)
    ax.grid(axis="y", color=MUTED, alpha=0.3)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_xlabel(t("sentences right, of 500; a dot is a seed"))
    fig.suptitle(t("TODO"), fontsize=11)
    return fig


def right() -> list[list[int]]:
    """Return the counts of the whole model, without ReLU and without the networks."""
    without = json.loads(RESULT.read_text("utf-8"))
    width = json.loads(WIDTHS.read_text("utf-8"))

    def counts(runs: list[dict[str, Any]]) -> list[int]:
        return [run["right"] for run in runs]

    kinds = without["nothing"], width["no_relu"], without["feed_forward"]
    return [counts(runs) for runs in kinds]
