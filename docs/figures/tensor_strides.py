"""One line of six numbers, counted off in three ways: the path through it that each one takes."""

from collections.abc import Callable
from itertools import pairwise

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Rectangle
from torch import Tensor

from docs.figures._style import ACCENT, INK, MUTED, SECOND

Translate = Callable[[str], str]

ALT = (
    "Three rows. On the left of each a small table, on the right the same six boxes with the "
    "numbers 0 to 5, and arrows from box to box in the order in which the table is read. Two rows "
    "of three, 0 1 2 and 3 4 5, and three rows of two, 0 1, 2 3 and 4 5: the arrows go from each "
    "box to the next. The first table transposed, 0 3, 1 4 and 2 5: the arrows jump three boxes "
    "forward, two back, three forward, two back and three forward. An arrow that goes on to the "
    "table's next row is dashed: the third one of the first table, every second one of the others."
)
LINE = torch.arange(6)
TABLES = {
    "view(2, 3)": LINE.view(2, 3),
    "view(3, 2)": LINE.view(3, 2),
    "transposed": LINE.view(2, 3).transpose(-2, -1),
}
ROW, CELL, FIRST = 3.75, 0.8, 4.0  # height of a row, side of a cell, where the six boxes begin


def draw(t: Translate) -> Figure:
    """Draw the three tables and their paths."""
    fig = Figure(figsize=(4.8, 5.0), layout="constrained")
    axes = fig.subplots()
    axes.set(xlim=(-0.1, FIRST + 6.1), ylim=(3 * ROW - 0.35, -0.75), aspect="equal")
    axes.axis("off")
    names = "view(2, 3)", "view(3, 2)", t("view(2, 3), transposed")
    for row, (name, table) in enumerate(zip(names, TABLES.values(), strict=True)):
        top = row * ROW
        axes.text(0, top - 0.15, name, size=10)
        stride = t("strides {a} and {b}").format(a=table.stride(0), b=table.stride(1))
        axes.text(FIRST + 6, top - 0.15, stride, ha="right", size=10)
        for i, line in enumerate(table.tolist()):
            for j, number in enumerate(line):
                box(axes, j * CELL, top + 0.15 + i * CELL, CELL, number)
        for number in LINE.tolist():
            box(axes, FIRST + number, top + 1.1, 1, number)
        for step, (here, there) in enumerate(jumps(table), 1):
            arrow(axes, top + 1.1, here, there, "--" if step % table.shape[1] == 0 else "-")
    axes.text(FIRST + 3, 3 * ROW - 0.55, t("dashed: on to the next row"), ha="center", size=10)
    fig.suptitle(t("The same six numbers, never moved:\nonly the way of reading differs"), size=11)
    return fig


def box(axes: Axes, x: float, y: float, side: float, number: int) -> None:
    """Draw a number in its box."""
    axes.add_patch(Rectangle((x, y), side, side, facecolor="none", edgecolor=MUTED, linewidth=1))
    axes.text(x + side / 2, y + side * 0.52, str(number), color=INK, ha="center", va="center")


def arrow(axes: Axes, top: float, here: int, there: int, line: str) -> None:
    """Draw a step of the path: forward above the boxes, back below them."""
    forward = there > here
    y = top - 0.03 if forward else top + 1.03
    style = f"arc3,rad={-0.75 if there - here == 1 else -0.38}"
    axes.add_patch(
        FancyArrowPatch(
            (FIRST + here + 0.56, y) if forward else (FIRST + here + 0.44, y),
            (FIRST + there + 0.44, y) if forward else (FIRST + there + 0.56, y),
            connectionstyle=style,
            arrowstyle="-|>",
            mutation_scale=9,
            linewidth=1.4,
            linestyle=line,
            shrinkA=0,
            shrinkB=0,
            color=ACCENT if abs(there - here) == 1 else SECOND,
        )
    )


def jumps(table: Tensor) -> list[tuple[int, int]]:
    """Return where in memory the path goes from and to, at each step of reading a table."""
    order = table.flatten().tolist()  # each number is its own place
    return list(pairwise(order))


def claims() -> dict[str, bool]:
    """Say of the sentences in the description whether they are so."""
    lengths = [[there - here for here, there in jumps(table)] for table in TABLES.values()]
    return {
        "views go to the next": lengths[:2] == [[1] * 5] * 2,
        "the transposed table jumps": lengths[2] == [3, -2, 3, -2, 3],
        "the next row begins after the third number, or after every second": [
            table.shape[1] for table in TABLES.values()
        ]
        == [3, 2, 2],
        "never moved": len({t.untyped_storage().data_ptr() for t in TABLES.values()}) == 1,
    }
