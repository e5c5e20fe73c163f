"""Dots for the runs of `_without`: a row for each part that was left out, a dot for each seed."""

import json
from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, MUTED
from docs.figures._without import RESULT

Translate = Callable[[str], str]


def dots(rows: dict[str, str], title: str, t: Translate) -> Figure:
    """Draw a figure of dots; `rows` has the part that was left out for each label."""
    fig = Figure(figsize=(4.8, 1.2 + 0.5 * len(rows)), layout="constrained")
    draw_dots(fig.subplots(), rows, t)
    fig.suptitle(title, size=11)
    return fig


def draw_dots(axes: Axes, rows: dict[str, str], t: Translate) -> None:
    """Draw a row of dots for each part, the first row in grey, with the span beside it."""
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


def right(part: str) -> list[int]:
    """Return how many sentences are right without a part, for each seed."""
    measured = json.loads(RESULT.read_text("utf-8"))
    return [run["right"] for run in measured[part]]
