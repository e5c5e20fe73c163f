"""Head a of the hand-made encoder: a hand that is turned back, and the weights that come of it."""

import math
from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from docs.figures._hand_made import numbers, words
from docs.figures._style import ACCENT, INK, MUTED, SECOND

Translate = Callable[[str], str]

ALT = (
    "Above, a dial with a hand for each word of cats beat dogs yesterday <eos>: cats points "
    "straight up, and each further word stands 57 degrees on, clockwise. In colour, the query of "
    "dogs: its hand turned back by 63 degrees, which ends 6 degrees past the hand of beat. "
    "Below, a table of attention weights, a row for each word that asks, a column for each word "
    "asked. In the row of dogs, beat has 0.97, and so it goes on in a diagonal: beat gives cats "
    "1.00, yesterday gives dogs 0.97, the end token gives yesterday 0.97. Only cats has no word "
    "before it, and shares its weight between itself, 0.65, and the end token, 0.35."
)
ASKS, ASKED = 2, 1  # dogs, beat


def draw(t: Translate) -> Figure:
    """Draw the dial above, the weights below."""
    fig = Figure(figsize=(4.6, 5.4), layout=ConstrainedLayoutEngine(h_pad=0.1))
    fig.suptitle(t("A hand turned back points at the word before"), size=11)
    above, below = fig.subplots(2, 1, height_ratios=(1, 1.15))
    _dial(above, t("query of {}"))
    _table(below)
    below.set_title(t("attention weights"), size=10)
    below.set_xlabel(t("the word asked"))
    below.set_ylabel(t("the word that asks"))
    return fig


def _dial(axes: Axes, label: str) -> None:
    """Draw the hands; the sine is to the right, the cosine upwards."""
    source, _, _ = words()
    axes.set(xlim=(-1.6, 2.3), ylim=(-1.3, 1.25), aspect="equal")
    axes.set_axis_off()
    axes.add_patch(Circle((0, 0), 1, facecolor="none", edgecolor=MUTED))
    for position, word in enumerate(source):
        _arrow(axes, hand(position), INK, 1.2)
        x, y = _end(hand(position) + (math.radians(5) if position == ASKED else 0), 1.12)
        align = "center" if abs(x) < 0.4 else "left" if x > 0 else "right"
        axes.text(x, y, word, ha=align, va="bottom" if y > 0.9 else "top" if y < 0 else "center")
    _arrow(axes, query(), ACCENT, 2.4, 1.25)
    x, y = _end(query(), 1.27)
    axes.text(x, y, label.format(source[ASKS]), color=ACCENT, ha="left", va="bottom")
    back = [hand(ASKS) + (query() - hand(ASKS)) * step / 40 for step in range(41)]
    arc = [_end(angle, 0.6) for angle in back]
    axes.plot(*zip(*arc[:-3], strict=True), color=ACCENT, linewidth=1.2)
    tip = FancyArrowPatch(
        arc[-6], arc[-1], arrowstyle="-|>", mutation_scale=8, color=ACCENT, shrinkA=0, shrinkB=0
    )
    axes.add_patch(tip)
    x, y = _end(back[27], 0.66)
    axes.text(x, y, f"{turned_back():.0f}°", color=ACCENT, ha="left", va="center", size=9)


def _arrow(axes: Axes, angle: float, colour: str, width: float, length: float = 1) -> None:
    style = {"arrowstyle": "-|>", "color": colour, "linewidth": width, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", _end(angle, length), (0, 0), arrowprops=style)


def _end(angle: float, length: float) -> tuple[float, float]:
    return length * math.sin(angle), length * math.cos(angle)


def _table(axes: Axes) -> None:
    source, _, _ = words()
    for row, weights in enumerate(numbers()["enc.weights.a"].tolist()):
        for column, weight in enumerate(weights):
            axes.add_patch(
                Rectangle((column, row), 1, 1, facecolor=SECOND, alpha=0.5 * weight, linewidth=0)
            )
            axes.add_patch(
                Rectangle((column, row), 1, 1, facecolor="none", edgecolor=MUTED, linewidth=0.6)
            )
            axes.text(
                column + 0.5, row + 0.53, f"{weight:.2f}", ha="center", va="center",
                alpha=1 if weight > 0.01 else 0.6,
            )  # fmt: skip
    axes.add_patch(
        Rectangle((ASKED, ASKS), 1, 1, facecolor="none", edgecolor=ACCENT, linewidth=2.4)
    )
    places = [i + 0.5 for i in range(len(source))]
    axes.set(xlim=(-0.05, len(source) + 0.05), ylim=(len(source) + 0.05, -0.05), aspect="equal")
    axes.set_xticks(places, source, rotation=90)
    axes.set_yticks(places, source)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def hand(position: int) -> float:
    """The angle of a position's hand, clockwise from the vertical."""
    sine, cosine = numbers()["src.x"][position, :2].tolist()
    return math.atan2(sine, cosine) % (2 * math.pi)


def query() -> float:
    """The angle of the query of dogs, in the two numbers that meet the hands."""
    sine, cosine = numbers()["enc.q"][ASKS, :2].tolist()
    return math.atan2(sine, cosine)


def turned_back() -> float:
    """By how many degrees the query lies behind its own hand."""
    return math.degrees(hand(ASKS) - query())


def claims() -> dict[str, bool]:
    """Say of title and description whether they are so."""
    source, _, _ = words()
    table = numbers()
    weights = table["enc.weights.a"]
    steps = [math.degrees(hand(i + 1) - hand(i)) for i in range(4)]
    before = [round(weights[i + 1, i].item(), 2) for i in range(4)]
    return {
        "the words": source == ["cats", "beat", "dogs", "yesterday", "<eos>"],
        "cats points straight up": hand(0) == 0,
        "each 57 degrees on": [round(step) for step in steps] == [57] * 4,
        "the keys point as the hands": all(
            math.isclose(math.atan2(*key[:2]) % (2 * math.pi), hand(i), abs_tol=1e-6)
            for i, key in enumerate(table["enc.k"].tolist())
        ),
        "turned back by 63 degrees": round(turned_back()) == 63,
        "6 degrees short": round(math.degrees(hand(ASKED) - query())) == 6,
        "the word before": before == [1, 0.97, 0.97, 0.97],
        "cats shares its weight": [round(weights[0, i].item(), 2) for i in (0, 4)] == [0.65, 0.35],
    }
