"""The state of a word, what attention found for it, their sum, and the sum normalized."""

from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from docs.figures._hand_made import numbers, words
from docs.figures._style import ACCENT, MUTED, SECOND
from docs.figures.hand_made_states import DIMS

Translate = Callable[[str], str]

ALT = (
    "Four rows of eight cells, one below the other, for beat in cats beat dogs yesterday; the "
    "columns are sin, cos, V, S, T, N, P, O. The state x: 0.84, 0.54, 5.76, 6.65, 0.01, 1.00, "
    "0.00, 1.00. Plus what attention found, f(x): nothing but 2.83 in P and 0.02 in O. Equals the "
    "sum x + f(x): as the state, but 2.83 in P and 1.02 in O. After LayerNorm: -0.63, -0.76, "
    "1.44, 1.82, -0.98, -0.56, 0.21, -0.55. The stronger the colour of a cell, the larger its "
    "number; those below 0 have another colour."
)
WORD = "beat"
STEP = 1.7  # from one row of cells to the next, in cells


def draw(t: Translate) -> Figure:
    """Draw the rows from top to bottom, what is done between them in colour."""
    title = t("What was found is added,\nthen brought to one size")
    fig, axes = frame(title, height=4.0, bottom=3 * STEP + 1.1)
    parts = (
        ("src.x", t("the state x"), ""),
        ("enc.found", t("what attention found, f(x)"), "+"),
        ("enc.sum", t("the sum x + f(x)"), "="),
        ("enc.norm", t("the sum, normalized"), "LayerNorm"),
    )
    largest = max(numbers()[name][row()].abs().max().item() for name, *_ in parts)
    for place, (name, label, sign) in enumerate(parts):
        top = place * STEP
        axes.text(0, top - 0.28, sign, va="center", weight="bold", color=ACCENT)
        axes.text({"": 0, "LayerNorm": 2.3}.get(sign, 0.4), top - 0.28, label, va="center")
        for column, number in enumerate(numbers()[name][row()].tolist()):
            cell(axes, column, top, number, abs(number) / largest)
    return fig


def frame(title: str, height: float, bottom: float) -> tuple[Figure, Axes]:
    """Return a figure with the names of the eight dimensions, above rows of cells."""
    fig = Figure(figsize=(4.6, height), layout="constrained")
    fig.suptitle(title, size=11)
    axes = fig.subplots()
    axes.set(xlim=(-0.05, 8.05), ylim=(bottom, -1.4), aspect="equal")
    axes.set_axis_off()
    for column, name in enumerate(DIMS):
        axes.text(column + 0.5, -1.1, name, ha="center", va="center", weight="bold")
    return fig, axes


def cell(axes: Axes, column: int, top: float, number: float, share: float) -> None:
    """Write a number in its cell, in a colour of this strength."""
    colour = ACCENT if number > 0 else SECOND
    corner = column, top
    axes.add_patch(Rectangle(corner, 1, 1, facecolor=colour, alpha=0.5 * share, linewidth=0))
    axes.add_patch(Rectangle(corner, 1, 1, facecolor="none", edgecolor=MUTED, linewidth=0.6))
    text = f"{number:.2f}".replace("-", "−")
    axes.text(column + 0.5, top + 0.53, text, ha="center", va="center", size=9)


def row() -> int:
    """Where the word is in the sentence."""
    return words()[0].index(WORD)


def claims() -> dict[str, bool]:
    """Say of title and description whether they are so."""
    state, found, total, normalized = (
        [round(number, 2) for number in numbers()[name][row()].tolist()]
        for name in ("src.x", "enc.found", "enc.sum", "enc.norm")
    )
    exact = numbers()["enc.norm"][row()]
    return {
        "the state": state == [0.84, 0.54, 5.76, 6.65, 0.01, 1, 0, 1],
        "what attention found": found == [0, 0, 0, 0, 0, 0, 2.83, 0.02],
        "the sum": total == [*state[:6], 2.83, 1.02],
        "after LayerNorm": normalized == [-0.63, -0.76, 1.44, 1.82, -0.98, -0.56, 0.21, -0.55],
        "one size": abs(exact.mean().item()) < 1e-3
        and abs(exact.var(correction=0).item() - 1) < 1e-3,
    }
