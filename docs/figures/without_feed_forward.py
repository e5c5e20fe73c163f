"""How many sentences a small model translates that was trained without feed-forward networks."""

import json
from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._style import ACCENT, MUTED
from docs.figures._without import RESULT

Translate = Callable[[str], str]

ALT = (
    "Two rows of three dots, one for each seed: how many of 500 sentences come out right. The "
    "whole model has between 368 and 380, the model without feed-forward networks between 357 "
    "and 387."
)


def draw(t: Translate) -> Figure:
    """Draw three dots a row, one for each seed."""
    whole, without = right()
    rows = [
        (t("whole model"), whole, MUTED),
        (t("without\nfeed-forward\nnetworks"), without, ACCENT),
    ]
    fig = Figure(figsize=(4.8, 2.3), layout="constrained")
    ax = fig.subplots()
    for row, (_, seeds, colour) in enumerate(rows):
        ax.plot(seeds, [row] * len(seeds), "o", color=colour, markersize=8, alpha=0.8)
        span = f"{min(seeds)} – {max(seeds)}"
        ax.text(340, row, span, ha="right", va="center")
    ax.set_yticks(range(len(rows)), [name for name, _, _ in rows])
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_xlim(0, 500)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_xlabel(t("sentences right, of 500; a dot is a seed"))
    fig.suptitle(t("On a small grammar, trained without them,\na model does as well"), fontsize=11)
    return fig


def right() -> tuple[list[int], list[int]]:
    """Return the counts of the whole model, and of that without the networks."""
    measured = json.loads(RESULT.read_text("utf-8"))
    whole, without = (
        [run["right"] for run in measured[part]] for part in ("nothing", "feed_forward")
    )
    return whole, without


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    whole, without = right()
    return {
        "whole: 368 to 380": (min(whole), max(whole)) == (368, 380),
        "without: 357 to 387": (min(without), max(without)) == (357, 387),
        "as well: the spans overlap": min(without) < max(whole) and min(whole) < max(without),
    }
