"""Q Kᵀ as a table that is being filled: one query, one key, one cell."""

from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from docs.figures._style import ACCENT, INK, MUTED
from docs.figures.attention_example import KEY, QUERY

Translate = Callable[[str], str]

ALT = (
    "A table of three rows and three columns that is being filled. A row is a query, a column a "
    "key: I asks with 2 2 2 0, drink with 2 0 0 1, tea with 0 2 2 1; the keys are 0 0 2 2, 2 0 2 0 "
    "and 2 0 0 2. I with I is done: 4. Now it is the turn of I with drink, whose cell is lit: "
    "4 + 0 + 4 + 0 = 8. The other seven cells are still empty."
)
ROW, COLUMN = 0, 1  # the cell that is being filled


def draw(t: Translate) -> Figure:
    """Draw the queries to the left, the keys on top, and the cells filled so far."""
    tokens = ["I", "drink", "tea"]
    fig = Figure(figsize=(4.2, 4.4), layout="constrained")
    axes = fig.subplots()
    axes.set(xlim=(-2.6, 3.1), ylim=(3.9, -2.6), aspect="equal")
    axes.set_axis_off()
    for i, token in enumerate(tokens):
        for table, now in ((QUERY, i == ROW), (KEY, i == COLUMN)):
            numbers = [f"{number:.0f}" for number in table[i].tolist()]
            style: dict[str, Any] = {
                "color": ACCENT if now else INK,
                "weight": "bold" if now else "normal",
            }
            style |= {"va": "center", "size": 11}
            if table is QUERY:
                axes.text(-0.15, i + 0.5, "  ".join(numbers), ha="right", **style)
                axes.text(-1.6, i + 0.5, token, ha="right", **style)
            else:
                for place, number in enumerate(numbers):
                    axes.text(i + 0.5, 0.37 * place - 1.3, number, ha="center", **style)
                axes.text(i + 0.5, -1.8, token, ha="center", **style)
    for i in range(3):
        for j in range(3):
            _cell(axes, i, j)
    axes.text(1.5, -2.35, t("keys"), ha="center", va="center", size=11)
    axes.text(-1.3, -0.3, t("queries"), ha="center", va="center", size=11)
    terms = (QUERY[ROW] * KEY[COLUMN]).tolist()
    total = " + ".join(f"{term:.0f}" for term in terms) + f" = {sum(terms):.0f}"
    axes.text(1.5, 3.5, total, ha="center", va="center", size=12, color=ACCENT)
    fig.suptitle(t("Every cell of Q Kᵀ is the dot product\nof one query and one key"))
    return fig


def _cell(axes: Axes, i: int, j: int) -> None:
    now = (i, j) == (ROW, COLUMN)
    done = 3 * i + j < 3 * ROW + COLUMN
    if now:
        axes.add_patch(Rectangle((j, i), 1, 1, facecolor=ACCENT, alpha=0.25))
    axes.add_patch(Rectangle((j, i), 1, 1, facecolor="none", edgecolor=INK if now else MUTED))
    if now or done:
        number = (QUERY[i] @ KEY[j]).item()
        style: dict[str, Any] = {"color": ACCENT, "weight": "bold"} if now else {}
        axes.text(j + 0.5, i + 0.52, f"{number:.0f}", ha="center", va="center", size=13, **style)


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    products = QUERY @ KEY.T
    return {
        "queries": QUERY.tolist() == [[2, 2, 2, 0], [2, 0, 0, 1], [0, 2, 2, 1]],
        "keys": KEY.tolist() == [[0, 0, 2, 2], [2, 0, 2, 0], [2, 0, 0, 2]],
        "I with I is 4": products[0, 0].item() == 4,
        "4 + 0 + 4 + 0 = 8": (QUERY[0] * KEY[1]).tolist() == [4, 0, 4, 0]
        and products[0, 1].item() == 8,
    }
