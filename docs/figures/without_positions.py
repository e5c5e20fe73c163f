"""How many sentences a small model translates that was trained without positions."""

import json
from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._style import ACCENT, MUTED
from docs.figures._without import RESULT

Translate = Callable[[str], str]

ALT = (
    "Two rows of three dots, one for each seed: how many of 500 sentences come out right. The "
    "whole model has between 368 and 380, the model without positions between 286 and 308."
)


def draw(t: Translate) -> Figure:
    """Draw three dots a row, one for each seed."""
    whole, without = right()
    rows = [(t("whole model"), whole, MUTED), (t("without\npositions"), without, ACCENT)]
    fig = Figure(figsize=(4.8, 2.1), layout="constrained")
    axes = fig.subplots()
    for row, (_, seeds, colour) in enumerate(rows):
        axes.plot(seeds, [row] * len(seeds), "o", color=colour, markersize=8, alpha=0.8)
        axes.text(min(seeds) - 20, row, f"{min(seeds)} – {max(seeds)}", ha="right", va="center")
    axes.set_yticks(range(len(rows)), [name for name, _, _ in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, 500)
    axes.tick_params(axis="y", length=0)
    axes.spines[["left", "top", "right"]].set_visible(False)
    axes.set_xlabel(t("sentences right, of 500; a dot is a seed"))
    fig.suptitle(t("Trained without positions,\nit loses a fifth of its sentences"), fontsize=11)
    return fig


def right() -> tuple[list[int], list[int]]:
    """Return the counts of the whole model, and of that without positions."""
    measured = json.loads(RESULT.read_text("utf-8"))
    whole, without = ([run["right"] for run in measured[part]] for part in ("nothing", "positions"))
    return whole, without


def claims() -> dict[str, bool]:
    """Say of the numbers in title and description whether they are so."""
    whole, without = right()
    return {
        "whole: 368 to 380": (min(whole), max(whole)) == (368, 380),
        "without: 286 to 308": (min(without), max(without)) == (286, 308),
        "it loses a fifth": 0.17 < 1 - sum(without) / sum(whole) < 0.23,
    }
