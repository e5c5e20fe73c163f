"""What stands beside a link to this site: its name, over the book's sentence and its attention."""

from collections.abc import Callable
from math import cosh
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from docs.figures import home_bridge
from docs.figures._style import ACCENT, INK, MUTED, PAPER

Translate = Callable[[str], str]

ALT = (
    "The Transformer, line by line. Below: “the cat ate two fish yesterday .” and the Chinese that "
    "a model made of it, 那隻貓昨天吃了兩條魚。 Lines lead from its characters to the words they "
    "look at, a bright one from 昨 to yesterday."
)
WIDTH, HEIGHT = 1200, 630  # pixels
EDGE = 70
TOP, BOTTOM = 302, 122  # where the lines begin and end
POINT = 0.72  # of a pixel


def draw(t: Translate) -> Figure:
    """Draw the card, on a background that fills it."""
    fig = Figure(figsize=(WIDTH / 100, HEIGHT / 100))
    axes = fig.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, WIDTH), ylim=(0, HEIGHT))
    axes.set_axis_off()
    axes.add_patch(Rectangle((0, 0), WIDTH, HEIGHT, color=PAPER, linewidth=0))
    lights(axes)
    write(axes, EDGE, 474, t("The Transformer, line by line"), 70, weight="bold")
    write(axes, EDGE, 402, t("Attention Is All You Need, in code that runs"), 36, alpha=0.75)
    sentences(axes)
    return fig


def lights(axes: Axes) -> None:
    """Hang a string of lights over the name, as over a night market."""
    places = np.linspace(0, 1, 80)
    axes.plot(places * WIDTH, [string(place) for place in places], color=MUTED, linewidth=1.2)
    for place in (np.arange(12) + 0.5) / 12:
        for radius, alpha in ((22, 0.1), (15, 0.18), (8, 1)):
            centre = place * WIDTH, string(place) - 10
            axes.add_patch(Circle(centre, radius, color=ACCENT, alpha=alpha, linewidth=0))


def string(place: float) -> float:
    """How high it hangs: it is 1 wide."""
    return HEIGHT - 56 + 110 * (cosh(2 * place - 1) - 1)


def sentences(axes: Axes) -> None:
    """Write both sentences, and draw each weight that is worth a line."""
    read, written, weights = home_bridge.found()
    words = [word for word in read if word != "<eos>"]
    above = across([len(word) + 1.8 for word in words])
    below = across([1.0] * len(written))
    for row, column, weight in home_bridge.lines(weights.round(decimals=2)):
        if column < len(words):
            lit = written[row] == "昨" and words[column] == "yesterday"
            ends = [above[column], below[row]], [TOP, BOTTOM]
            line = axes.plot(*ends, linewidth=7 * weight, solid_capstyle="round")[0]
            line.set(color=ACCENT if lit else MUTED, alpha=1 if lit else weight, zorder=2 + lit)
    for x, word in zip(above, words, strict=True):
        write(axes, x, TOP + 18, word, 48, lit=word == "yesterday", ha="center")
    for x, character in zip(below, written, strict=True):
        write(axes, x, BOTTOM - 78, character, 70, lit=character == "昨", ha="center")


def across(widths: list[float]) -> list[float]:
    """The middles of words of these widths, from edge to edge."""
    return [EDGE + (WIDTH - 2 * EDGE) * middle for middle in home_bridge.spread(widths)]


def write(
    axes: Axes, x: float, y: float, text: str, pixels: int, *, lit: bool = False, **how: Any
) -> None:
    """Write on a line, in letters of so many pixels."""
    axes.text(x, y, text, size=pixels * POINT, color=ACCENT if lit else INK, **how)


def claims() -> dict[str, bool]:
    """Say of the sentences that the description claims whether they are so."""
    known = home_bridge.claims()
    return {claim: known[claim] for claim in ("what the model writes", "the partners")}
