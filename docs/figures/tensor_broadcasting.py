"""A column of two and a row of three, stretched until they fit, and their sum."""

from collections.abc import Callable

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor

from docs.figures._style import ACCENT, INK, MUTED, PAPER

Translate = Callable[[str], str]

ALT = (
    "Three tables of two rows and three columns: the first plus the second is the third. In the "
    "first only the left column is real, 1 and 2; the two columns beside it are dashed copies. In "
    "the second only the upper row is real, 10, 20 and 30; the lower row is a dashed copy. The sum "
    "is 11, 21, 31 and 12, 22, 32."
)
COLUMN = torch.tensor([[1], [2]])
ROW = torch.tensor([10, 20, 30])


def draw(t: Translate) -> Figure:
    """Draw the two tables as they are stretched, and the sum."""
    fig = Figure(figsize=(4.8, 2.1), layout="constrained")
    axes = fig.subplots()
    axes.set(xlim=(-0.05, 11.05), ylim=(2.9, -0.05), aspect="equal")
    axes.axis("off")
    table(axes, 0, COLUMN.expand(2, 3), COLUMN.expand(2, 3).stride(), "(2, 1)")
    axes.text(3.5, 1, "+", ha="center", va="center", size=13)
    table(axes, 4, ROW.expand(2, 3), ROW.expand(2, 3).stride(), "(3)")
    axes.text(7.5, 1, "=", ha="center", va="center", size=13)
    table(axes, 8, COLUMN + ROW, None, "(2, 3)")
    fig.suptitle(t("A size of 1 is read again and again"), size=11)
    return fig


def table(
    axes: Axes, left: int, numbers: Tensor, stride: tuple[int, ...] | None, shape: str
) -> None:
    """Draw a table; what a stride of 0 reads again is a dashed copy."""
    for i, line in enumerate(numbers.tolist()):
        for j, number in enumerate(line):
            again = stride is not None and ((i and not stride[0]) or (j and not stride[1]))
            axes.add_patch(
                Rectangle(
                    (left + j + 0.03, i + 0.03),
                    0.94,
                    0.94,
                    facecolor=ACCENT if stride is None else "none",
                    edgecolor=MUTED if again else INK,
                    linestyle="--" if again else "-",
                    linewidth=1,
                )
            )
            ink = PAPER if stride is None else MUTED if again else INK
            axes.text(left + j + 0.5, i + 0.52, str(number), color=ink, ha="center", va="center")
    axes.text(left + 1.5, 2.5, shape, ha="center", va="center", size=10)


def claims() -> dict[str, bool]:
    """Say of the sentences in the description whether they are so."""
    return {
        "one column is real": COLUMN.expand(2, 3).stride() == (1, 0),
        "one row is real": ROW.expand(2, 3).stride() == (0, 1),
        "11, 21, 31 and 12, 22, 32": (COLUMN + ROW).tolist() == [[11, 21, 31], [12, 22, 32]],
    }
