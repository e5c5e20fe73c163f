"""From one position to another two places on: in each pair the same turn, from everywhere."""

import math
from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch

from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import PositionalEncoding

Translate = Callable[[str], str]

ALT = (
    "Two circles, for the first two pairs of dimensions of a model of width 8, with the positions "
    "0 to 5 as dots: in the left circle they go round nearly once, in the right one they stay "
    "within 29 degrees. Arrows lead two places on, from 0 to 2 and from 3 to 5. In a circle "
    "both turn by the same angle: 115 degrees on the left, 11 on the right."
)

D_MODEL, PLACES, K = 8, 6, 2
STARTS = (0, 3)


def draw(t: Translate) -> Figure:
    """Draw a circle a pair; the sine is to the right, the cosine upwards, as on the clocks."""
    fig = Figure(figsize=(4.8, 3.2), layout="constrained")
    fig.suptitle(t("Two positions on is the same turn from everywhere"), size=11)
    for pair, axes in enumerate(fig.subplots(1, 2)):
        turned = f"{math.degrees(turn(pair, 0)):.0f}°"
        axes.set_title(t("pair {}: by {}").format(pair, turned), size=10)
        _circle(axes, pair)
    return fig


def _circle(axes: Axes, pair: int) -> None:
    axes.set(xlim=(-1.4, 1.4), ylim=(-1.4, 1.4), aspect="equal", xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    axes.add_patch(Circle((0, 0), 1, facecolor="none", edgecolor=MUTED))
    for position in range(PLACES):
        x, y = dot(position, pair)
        axes.plot(x, y, "o", color=INK, markersize=4)
        if pair == 0 or position in {0, PLACES - 1}:
            axes.text(1.2 * x, 1.2 * y, str(position), ha="center", va="center", color=INK)
    radius = 0.82
    for start, colour in zip(STARTS, (ACCENT, SECOND), strict=True):
        steps = [angle(start, pair) + turn(pair, start) * step / 40 for step in range(41)]
        arc = [(radius * math.sin(step), radius * math.cos(step)) for step in steps]
        axes.plot(*zip(*arc[:-2], strict=True), color=colour, linewidth=2)
        tip = FancyArrowPatch(
            arc[-4], arc[-1], arrowstyle="-|>", mutation_scale=9, color=colour, shrinkA=0, shrinkB=0
        )
        axes.add_patch(tip)
        for end in (steps[0], steps[-1]):
            axes.plot(
                [0, radius * math.sin(end)], [0, radius * math.cos(end)],
                color=colour, linewidth=0.8, linestyle=":",
            )  # fmt: skip


def dot(position: int, pair: int) -> tuple[float, float]:
    """Sine and cosine of a pair at a position."""
    sine, cosine = PositionalEncoding(D_MODEL).table[position, 2 * pair : 2 * pair + 2].tolist()
    return sine, cosine


def angle(position: int, pair: int) -> float:
    """The angle of a position, from the vertical."""
    return math.atan2(*dot(position, pair))


def turn(pair: int, start: int) -> float:
    """By how much a pair turns from `start` to `start + K`."""
    return (angle(start + K, pair) - angle(start, pair)) % (2 * math.pi)


def claims() -> dict[str, bool]:
    """What title and text say."""
    degrees = [[math.degrees(turn(pair, start)) for start in range(4)] for pair in range(2)]
    return {
        "in a circle both turn by the same angle": all(
            max(some) - min(some) < 1e-3 for some in degrees
        ),
        "115 degrees on the left, 11 on the right": [round(some[0]) for some in degrees]
        == [115, 11],
        "nearly once round, and within 29 degrees": 5 < 2 * math.pi < 7
        and round(math.degrees(angle(PLACES - 1, 1))) == 29,
    }
