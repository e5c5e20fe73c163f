"""How many sentences a small model translates that was trained with so many heads."""

import json
from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._heads_number import NUMBERS, RESULT
from docs.figures._style import ACCENT

Translate = Callable[[str], str]

ALT = "ALT"


def draw(t: Translate) -> Figure:
    """Draw three dots for each number of heads, one for each seed."""
    fig = Figure(figsize=(4.6, 2.6), layout="constrained")
    axes = fig.subplots()
    for place, seeds in enumerate(right().values()):
        axes.plot([place - 0.1, place, place + 0.1], seeds, "o", color=ACCENT, markersize=6)
    axes.set_xticks(range(len(NUMBERS)), [str(number) for number in NUMBERS])
    axes.set(ylim=(0, 500), xlabel=t("heads of each attention"))
    axes.set_ylabel(t("sentences right, of 500"))
    axes.spines[["top", "right"]].set_visible(False)
    fig.suptitle(t("TITLE"), size=11)
    return fig


def right() -> dict[int, list[int]]:
    """Return how many sentences are right with so many heads, for each seed."""
    found = json.loads(RESULT.read_text("utf-8"))
    return {number: [run["right"] for run in found[str(number)]] for number in NUMBERS}
