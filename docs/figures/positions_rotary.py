"""Rotary positions: a query and a key, each turned by its position, in two places of a sentence."""

import math
from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, SECOND

Translate = Callable[[str], str]

ALT = (
    "Two panels, each with the arrow of a query and that of a key, one pair of numbers of each; "
    "dotted arrows show both at position 0, 10 degrees apart. Each is turned by 25 degrees for "
    "every position, clockwise. Left, the query is at position 3 and the key at position 1; "
    "right, at positions 7 and 5. On the right both have turned further, but the angle between "
    "them is 60 degrees in both panels, and their dot product is 1.50 in both."
)

TURN = 25  # degrees a position
QUERY, KEY = (1.5, -90.0), (2.0, -100.0)  # length, and degrees clockwise from the vertical
PLACES = ((3, 1), (7, 5))  # of query and key


def draw(t: Translate) -> Figure:
    """Draw the arrows of each pair of positions."""
    fig = Figure(figsize=(4.8, 2.9), layout="constrained")
    fig.suptitle(
        t("Both turn; the angle between them depends\nonly on how far before the query the key is"),
        size=11,
    )
    for axes, (asks, asked) in zip(fig.subplots(1, 2), PLACES, strict=True):
        axes.set(xlim=(-2.5, 2.5), ylim=(-1.1, 2.3), aspect="equal", xticks=[], yticks=[])
        axes.spines[:].set_visible(False)
        axes.set_title(t("positions {} and {}").format(asks, asked), size=10)
        for (length, start), position, colour, name in (
            (QUERY, asks, ACCENT, t("query")),
            (KEY, asked, SECOND, t("key")),
        ):
            _arrow(axes, length, start, colour, 0.9, ":")
            _arrow(axes, length, turned(start, position), colour, 2.2, "-")
            _arc(axes, length, start, turned(start, position), colour, ":")
            x, y = end(length + 0.1, turned(start, position))
            align = "left" if x > 0.5 else "right" if x < -0.5 else "center"
            axes.text(x, y, name, color=colour, ha=align, va="bottom" if y > 0 else "top")
        axes.text(-1.3, -0.4, t("position {}").format(0), size=9, ha="center", va="top")
        first, last = turned(KEY[1], asked), turned(QUERY[1], asks)
        _arc(axes, 0.6, first, last, INK, "-")
        x, y = end(0.9, (first + last) / 2)
        axes.text(x, y, f"{between(asks, asked):.0f}°", ha="center", va="center", size=9)
        axes.set_xlabel(t("dot product {}").format(f"{dot_product(asks, asked):.2f}"), color=INK)
    return fig


def _arrow(axes: Axes, length: float, degrees: float, colour: str, width: float, line: str) -> None:
    style = {"arrowstyle": "-|>", "color": colour, "lw": width, "ls": line, "shrinkA": 0}
    axes.annotate("", end(length, degrees), (0, 0), arrowprops=style | {"shrinkB": 0})


def _arc(axes: Axes, radius: float, first: float, last: float, colour: str, line: str) -> None:
    points = [end(radius, first + (last - first) * step / 30) for step in range(31)]
    axes.plot(*zip(*points, strict=True), color=colour, linewidth=0.9, linestyle=line)


def turned(start: float, position: int) -> float:
    """The angle of an arrow at a position, in degrees."""
    return start + TURN * position


def end(length: float, degrees: float) -> tuple[float, float]:
    """Where an arrow ends that starts at the origin."""
    return length * math.sin(math.radians(degrees)), length * math.cos(math.radians(degrees))


def between(asks: int, asked: int) -> float:
    """The angle from the key to the query, in degrees."""
    return turned(QUERY[1], asks) - turned(KEY[1], asked)


def dot_product(asks: int, asked: int) -> float:
    """The dot product of query and key, each turned by its position."""
    (a, b), (c, d) = (
        end(length, turned(start, position))
        for (length, start), position in ((QUERY, asks), (KEY, asked))
    )
    return a * c + b * d


def claims() -> dict[str, bool]:
    """Say of title and description whether they are so."""
    return {
        "60 degrees in both": [between(*places) for places in PLACES] == [60, 60],
        "the dot product is 1.50 in both": all(
            math.isclose(dot_product(*places), 1.5) for places in PLACES
        ),
        "on the distance alone": all(
            math.isclose(dot_product(i + distance, i), dot_product(distance, 0), abs_tol=1e-9)
            for distance in range(9)
            for i in range(9)
        ),
    }
