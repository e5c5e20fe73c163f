"""How many sentences a small model translates that was trained without an encoder."""

import json
from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._style import ACCENT, MUTED
from docs.figures._without import RESULT

Translate = Callable[[str], str]

ALT = (
    "Two rows of three dots, one for each seed: how many of 500 sentences come out right. The "
    "whole model has between 368 and 380, the model without an encoder between 345 and 354."
)


def draw(t: Translate) -> Figure:
    """Draw three dots a row, one for each seed."""
    rows = {t("whole model"): "nothing", t("without\nthe encoder"): "encoder"}
    return dots(rows, t("Trained without an encoder,\na small model loses a little"), t)


def dots(rows: dict[str, str], title: str, t: Translate) -> Figure:
    """Draw a row of dots for each part that was left out; the first row in grey."""
    fig = Figure(figsize=(4.8, 1.2 + 0.6 * len(rows)), layout="constrained")
    axes = fig.subplots()
    for row, part in enumerate(rows.values()):
        seeds = right(part)
        places = [row - 0.14, row, row + 0.14]  # so that none covers another
        axes.plot(seeds, places, "o", color=ACCENT if row else MUTED, markersize=7)
        side, place = ("left", max(seeds) + 15) if max(seeds) < 100 else ("right", min(seeds) - 15)
        span = f"{min(seeds)} – {max(seeds)}" if max(seeds) > min(seeds) else f"{min(seeds)}"
        axes.text(place, row, span, ha=side, va="center")
    axes.set_yticks(range(len(rows)), [*rows])
    axes.set(ylim=(len(rows) - 0.5, -0.5), xlim=(-10, 500))
    axes.set_xlabel(t("sentences right, of 500; a dot is a seed"))
    axes.tick_params(axis="y", length=0)
    axes.spines[["left", "top", "right"]].set_visible(False)
    fig.suptitle(title, size=11)
    return fig


def right(part: str) -> list[int]:
    """Return the counts of three seeds."""
    measured = json.loads(RESULT.read_text("utf-8"))
    return [run["right"] for run in measured[part]]


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    whole, without = right("nothing"), right("encoder")
    return {
        "whole: 368 to 380": (min(whole), max(whole)) == (368, 380),
        "without: 345 to 354": (min(without), max(without)) == (345, 354),
        "it loses: the spans do not overlap": max(without) < min(whole),
    }
