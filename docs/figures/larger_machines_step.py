"""Two processes share a batch: each finds its part of the gradient, and the mean is the whole."""

from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle

from docs.figures._style import ACCENT, INK, PAPER, SECOND
from transformer.data.batching import rank_rows

Translate = Callable[[str], str]

ALT = (
    "Above, a batch of three rows with 4, 2 and 2 tokens, whose losses add up to 4, 10 and 2. Rows "
    "0 and 2 have the colour of process 0, row 1 that of process 1. Below, a box for each process, "
    "which has a copy of the model. Process 0: 2 times 6, divided by 8 tokens, is 1.5. Process 1: "
    "2 times 10, divided by 8, is 2.5. Arrows lead from both to the mean, 2, and from there back "
    "to both as the same update."
)
TOKENS, LOSSES = (4, 2, 2), (4, 10, 2)
COLOURS = (ACCENT, SECOND)
MIDDLES = (1.15, 3.65)  # of the two boxes
SIZE = (4.8, 4.5)


def draw(t: Translate) -> Figure:
    """Draw the batch, the processes below it, and the mean below them."""
    fig = Figure(figsize=SIZE, layout="constrained")
    axes = fig.subplots()
    axes.set(xlim=(0, 4.8), ylim=(4.0, -0.1), aspect="equal")
    axes.axis("off")
    _batch(axes, t)
    for rank, middle in enumerate(MIDDLES):
        _arrow(axes, (2.4 + 0.35 * (rank - 0.5), 1.2), (middle, 1.62), COLOURS[rank])
        _box(axes, middle, 1.65, COLOURS[rank])
        name = t("process {rank}:\na copy of the model").format(rank=rank)
        axes.text(middle, 1.92, name, ha="center", va="center", color=INK, size=9.5)
        share = f"2 × {summed(rank)} / {sum(TOKENS)} = {part(rank)}"
        axes.text(middle, 2.3, share, ha="center", va="center", color=INK, size=10)
        _arrow(axes, (middle, 2.5), (2.4 + 0.5 * (2 * rank - 1), 3.02), COLOURS[rank])
    mean = t("mean of both") + f"\n({part(0)} + {part(1)}) / 2 = {mean_of_parts():g}"
    axes.text(2.4, 3.3, mean, ha="center", va="center", color=INK, size=10)
    update = t("the same update in both copies")
    axes.text(2.4, 3.85, update, ha="center", va="center", color=INK, size=9.5)
    for middle in MIDDLES:
        beside = 1 if middle > 2.4 else -1
        _arrow(
            axes, (2.4 + 1.0 * beside, 3.4), (middle + 0.5 * beside, 2.5), INK, bend=0.35 * beside
        )
    fig.suptitle(t("Two processes share a batch\nand make one update"), size=11)
    return fig


def _batch(axes: Axes, t: Translate) -> None:
    """Draw a row of boxes for each sentence, in the colour of its process."""
    for row, (tokens, loss) in enumerate(zip(TOKENS, LOSSES, strict=True)):
        (colour,) = (COLOURS[rank] for rank in (0, 1) if row in rows_of(rank))
        top = 0.38 * row
        label = t("row {row}").format(row=row)
        axes.text(1.15, top + 0.15, label, ha="right", va="center", color=INK, size=9.5)
        for column in range(tokens):
            box = Rectangle(
                (1.25 + 0.3 * column, top), 0.28, 0.3, facecolor=colour, edgecolor=PAPER
            )
            axes.add_patch(box)
        losses = t("losses: {loss}").format(loss=loss)
        axes.text(2.6, top + 0.15, losses, va="center", color=INK, size=9.5)


def _box(axes: Axes, middle: float, top: float, colour: str) -> None:
    style = "round,pad=0,rounding_size=0.08"
    box = FancyBboxPatch((middle - 1.05, top), 2.1, 0.8, boxstyle=style, facecolor=PAPER)
    box.set(edgecolor=colour, linewidth=1.6)
    axes.add_patch(box)


def _arrow(
    axes: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    colour: str,
    bend: float = 0,
) -> None:
    style = {"arrowstyle": "-|>", "color": colour, "lw": 1.2, "shrinkA": 0, "shrinkB": 0}
    style["connectionstyle"] = f"arc3,rad={bend}"
    axes.annotate("", end, start, arrowprops=style)


def rows_of(rank: int) -> list[int]:
    """Return which rows of the batch a process takes."""
    return [*range(len(TOKENS))][rank_rows(len(TOKENS), rank, world_size=2)]


def summed(rank: int) -> int:
    """Return the sum of the losses of a process."""
    return sum(LOSSES[row] for row in rows_of(rank))


def part(rank: int) -> float:
    """Return what a process adds to the mean of two: divided by the tokens of both."""
    return 2 * summed(rank) / sum(TOKENS)


def mean_of_parts() -> float:
    """Return the mean that both processes get back."""
    return (part(0) + part(1)) / 2


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    return {
        "who takes which rows": [rows_of(rank) for rank in (0, 1)] == [[0, 2], [1]],
        "1.5 and 2.5": [part(rank) for rank in (0, 1)] == [1.5, 2.5],
        "the mean is that of the whole batch": mean_of_parts() == sum(LOSSES) / sum(TOKENS) == 2,
    }
