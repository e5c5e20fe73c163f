"""The dot product of two positions of the shipped model against the distance between them."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import PositionalEncoding

Translate = Callable[[str], str]

ALT = (
    "The dot product of one position with those around it, for a model of width 128, from 40 "
    "places before to 40 after. The curves of positions 50, 100 and 200 lie on each other. They "
    "peak at 64 at distance 0, fall on both sides alike, to 62 one place away and 46 eight places "
    "away, and go on falling in small waves, to 33 at 40 places."
)

POSITIONS = (50, 100, 200)
REACH, D_MODEL = 40, 128
LINES = (("-", ACCENT, 7.0), ((0, (3, 3)), SECOND, 3.5), ((0, (1, 4)), INK, 1.8))


def draw(t: Translate) -> Figure:
    """Draw the curves of three positions over each other."""
    fig = Figure(figsize=(4.8, 3.1), layout="constrained")
    axes = fig.subplots()
    axes.vlines(0, 0, D_MODEL / 2, color=MUTED, linewidth=0.6)
    for position, (line, colour, width) in zip(POSITIONS, LINES, strict=True):
        axes.plot(
            range(-REACH, REACH + 1), products(position), linestyle=line, color=colour,
            linewidth=width, label=t("position {}").format(position),
        )  # fmt: skip
    axes.set(xlabel=t("distance, in positions"), ylabel=t("dot product"), ylim=(0, 70))
    axes.set_title(t("The dot product knows how far, not from where,\nand not on which side"))
    axes.legend(frameon=False, labelcolor=INK, loc="lower left", handlelength=3)
    axes.spines[["top", "right"]].set_visible(False)
    return fig


def products(position: int) -> list[float]:
    """Dot products of a position with those around it."""
    table = PositionalEncoding(D_MODEL).table.double()
    around: list[float] = (
        table[position - REACH : position + REACH + 1] @ table[position]
    ).tolist()
    return around


def claims() -> dict[str, bool]:
    """What title and text say."""
    curves = [products(position) for position in POSITIONS]
    first = curves[0]
    return {
        "the curves lie on each other": all(
            abs(a - b) < 1e-3 for curve in curves for a, b in zip(first, curve, strict=True)
        ),
        "they fall on both sides alike": all(
            abs(a - b) < 1e-3 for a, b in zip(first, first[::-1], strict=True)
        ),
        "64, 62, 46, 33": [round(first[REACH + k]) for k in (0, 1, 8, 40)] == [64, 62, 46, 33],
        "the peak is at 0": max(first) == first[REACH],
    }
