"""Which numbers of a batch are averaged together: layer and batch normalization."""

from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from docs.figures._style import ACCENT, INK, PAPER

Translate = Callable[[str], str]

ALT = (
    "Two grids of the same batch: two sentences of three tokens, six rows, and six features, six "
    "columns. The last token of the second sentence is padding. Left, layer normalization: one "
    "row is marked, the numbers of one token. Right, batch normalization: one column is marked, "
    "one feature of all tokens of both sentences, the padding among them."
)

ROWS, COLUMNS = 6, 6


def draw(t: Translate) -> Figure:
    """Draw the two grids."""
    fig = Figure(figsize=(4.8, 3.2), layout="constrained")
    fig.suptitle(
        t("Layer normalization looks at one token,\nbatch normalization at all of them"), size=11
    )
    left, right = fig.subplots(1, 2)
    _grid(left, lambda row, _: row == 1)
    _grid(right, lambda _, column: column == 2)
    left.set_title(t("layer normalization"), size=10)
    right.set_title(t("batch normalization"), size=10)
    left.set_yticks([1, 4, 5], [t("sentence 1"), t("sentence 2"), t("padding")])
    right.set_yticks([])
    for axes in (left, right):
        axes.set_xlabel(t("features of a token"))
        axes.tick_params(length=0)
    return fig


def _grid(axes: Axes, marked: Callable[[int, int], bool]) -> None:
    for row in range(ROWS):
        for column in range(COLUMNS):
            axes.add_patch(
                Rectangle(
                    (column - 0.45, row + (0.12 if row > 2 else -0.12) - 0.42),
                    0.9,
                    0.84,
                    facecolor=ACCENT if marked(row, column) else PAPER,
                    edgecolor=INK,
                    linestyle=":" if row == ROWS - 1 else "-",
                )
            )
    axes.set(xlim=(-0.7, 5.7), ylim=(5.8, -0.8), aspect="equal", xticks=[])
    axes.spines[:].set_visible(False)
