"""The encoding of four positions as clock hands, one for each pair of dimensions."""

import math
from collections.abc import Callable

from matplotlib.figure import Figure
from matplotlib.patches import Circle

from docs.figures._style import ACCENT, INK, MUTED
from transformer import PositionalEncoding

Translate = Callable[[str], str]

ALT = (
    "Twelve clock faces: a row each for the positions 0, 1 and 10, a column each for the four "
    "pairs of dimensions of a model of width 8. At position 0 all hands point upwards. At position "
    "1 the first hand has turned by 57 degrees, the second by 6, the others hardly. At position 10 "
    "the first has gone round more than once, the second has turned by 57 degrees, the third by 6."
)

POSITIONS = (0, 1, 10)
D_MODEL = 8


def draw(t: Translate) -> Figure:
    """Draw a clock for each position and pair; the sine is to the right, the cosine upwards."""
    fig = Figure(figsize=(4.6, 3.9), layout="constrained")
    fig.suptitle(t("The hands point differently at every position"), size=11)
    faces = fig.subplots(len(POSITIONS), D_MODEL // 2)
    for row, position in enumerate(POSITIONS):
        for pair in range(D_MODEL // 2):
            axes = faces[row, pair]
            axes.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), aspect="equal", xticks=[], yticks=[])
            axes.spines[:].set_visible(False)
            axes.add_patch(Circle((0, 0), 1, facecolor="none", edgecolor=MUTED))
            axes.plot([0, 0], [0.88, 1], color=MUTED)
            axes.annotate(
                "",
                hand(position, pair),
                (0, 0),
                arrowprops={"arrowstyle": "-|>", "color": ACCENT, "lw": 2, "shrinkA": 0},
            )
            if row == 0:
                axes.set_title(t("pair {}").format(pair), size=10)
        faces[row, 0].set_ylabel(
            t("position {}").format(position), size=10, rotation=0, ha="right", va="center"
        )
    for pair in range(D_MODEL // 2):
        faces[-1, pair].set_xlabel("1" if pair == 0 else f"1/{10**pair}", size=10)
    fig.supxlabel(t("radians per position"), size=10, color=INK)
    return fig


def hand(position: int, pair: int) -> tuple[float, float]:
    """Where a hand ends: sine and cosine of its angle."""
    sine, cosine = PositionalEncoding(D_MODEL).table[position, 2 * pair : 2 * pair + 2].tolist()
    return sine, cosine


def angle(position: int, pair: int) -> float:
    """The angle from the vertical, in degrees from 0 to 360."""
    return math.degrees(math.atan2(*hand(position, pair))) % 360


def claims() -> dict[str, bool]:
    """What title and text say."""
    one, ten = ([angle(position, pair) for pair in range(4)] for position in (1, 10))
    return {
        "at position 0 all hands point upwards": all(hand(0, pair) == (0, 1) for pair in range(4)),
        "at 1: 57 degrees, 6 degrees, hardly": [round(turn) for turn in one] == [57, 6, 1, 0],
        "at 10: round more than once, 57, 6": 2 * math.pi < 10
        and [round(turn) for turn in ten[1:]] == [57, 6, 1],
        "ten times as slowly": all(
            math.isclose(one[pair], 10 * one[pair + 1], rel_tol=1e-3) for pair in range(3)
        ),
    }
