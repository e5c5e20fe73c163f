"""How many sentences a small model translates that was trained with so many heads."""

import json
from collections.abc import Callable
from pathlib import Path

from matplotlib.figure import Figure

from docs.figures._heads_number import NUMBERS
from docs.figures._style import ACCENT

Translate = Callable[[str], str]

RESULT = Path(__file__).parents[1] / "measured" / "heads_number.json"
ALT = (
    "Three dots, one for each seed, for 1, 2, 4, 8 and 16 heads: how many of <!-- value: "
    "heads.sentences --> sentences a small model gets right. One head gets <!-- value: heads.1 "
    "-->, two <!-- value: heads.2 -->, four <!-- value: heads.4 -->, eight <!-- value: heads.8 "
    "-->, sixteen <!-- value: heads.16 -->."
)


def draw(t: Translate) -> Figure:
    """Draw three dots for each number of heads, one for each seed."""
    fig = Figure(figsize=(4.6, 2.6), layout="constrained")
    axes = fig.subplots()
    for place, seeds in enumerate(right().values()):
        axes.plot([place - 0.1, place, place + 0.1], seeds, "o", color=ACCENT, markersize=6)
    axes.set_xticks(range(len(NUMBERS)), [str(number) for number in NUMBERS])
    axes.set(ylim=(0, 450), xlabel=t("heads of each attention"))
    axes.set_ylabel(t("sentences right, of 500"))
    axes.spines[["top", "right"]].set_visible(False)
    fig.suptitle(t("One head does worst,\neight and sixteen do best"), size=11)
    return fig


def right() -> dict[int, list[int]]:
    """Return how many sentences are right with so many heads, for each seed."""
    found = json.loads(RESULT.read_text("utf-8"))
    return {number: [run["right"] for run in found[str(number)]] for number in NUMBERS}


def claims() -> dict[str, bool]:
    """Say of the numbers in title and description whether they are so."""
    found = right()
    middle = {number: sorted(seeds)[1] for number, seeds in found.items()}
    return {
        "one does worst": middle[1] == min(middle.values()),
        "eight and sixteen do best": min(found[8] + found[16])
        >= max(found[1] + found[2] + found[4]),
    }
