"""How the first word reaches the last: along a chain, or in one step."""

from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, PAPER, SECOND

Translate = Callable[[str], str]

ALT = (
    "Five words in a row, twice. Above, a recurrent network: an arrow from each word to the next, "
    "so the first reaches the fifth in four steps, each of which waits for the one before. Below, "
    "self-attention: an arc from every word straight to the fifth, one step each, all at once."
)

WORDS = 5


def draw(t: Translate) -> Figure:
    """Draw the chain above, the arcs below."""
    fig = Figure(figsize=(4.6, 2.7), layout="constrained")
    upper, lower = fig.subplots(2, gridspec_kw={"height_ratios": (1, 1.5)})
    fig.suptitle(t("Four steps that wait, or one that does not"))
    for place in range(WORDS - 1):
        arrow(upper, place, place + 1, SECOND)
        upper.text(place + 0.5, 0.28, str(place + 1), color=SECOND, ha="center", size=10)
        arrow(lower, place, WORDS - 1, ACCENT)
    for axes, colour, height in ((upper, SECOND, 0.75), (lower, ACCENT, 1.35)):
        axes.plot(range(WORDS), [0] * WORDS, "o", color=colour, markersize=13, zorder=3)
        for place in range(WORDS):
            text = str(place + 1)
            axes.text(place, 0, text, color=PAPER, ha="center", va="center", size=9, zorder=4)
        axes.set(xlim=(-0.4, WORDS - 0.6), ylim=(-0.35, height))
        axes.set_axis_off()
    upper.text(-0.3, 0.6, t("recurrent"), color=INK, size=11)
    lower.text(-0.3, 1.15, t("self-attention"), color=INK, size=11)
    return fig


def arrow(axes: Axes, place: int, to: int, colour: str) -> None:
    """An arrow from one word to another, in an arc where words are between."""
    style = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.6, "shrinkA": 8, "shrinkB": 8}
    style["connectionstyle"] = f"arc3,rad={-0.42 if to > place + 1 else 0}"
    axes.annotate("", (to, 0), (place, 0), arrowprops=style)
