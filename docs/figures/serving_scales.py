"""How far int8 moves the weights of the shipped model: one scale a matrix, or one a row."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._style import ACCENT, SECOND
from transformer import load_pretrained

Translate = Callable[[str], str]

ALT = (
    "The rounding error of each of the shipped model's 33 weight matrices, in per cent of its "
    "weights, sorted. With one scale for the whole matrix it lies between 0.8 and 2.2 per cent. "
    "With one scale for each row it is smaller everywhere, between 0.59 and 0.85 per cent. With "
    "one scale, the two largest are those of the second linear layer of two feed-forward networks."
)


def draw(t: Translate) -> Figure:
    """Draw two points for each matrix, joined by a line."""
    whole, rows = zip(*sorted(errors().values()), strict=True)
    places = range(1, len(whole) + 1)
    fig = Figure(figsize=(4.8, 3.0), layout="constrained")
    axes = fig.subplots()
    axes.vlines(places, rows, whole, color=SECOND, linewidth=0.8)
    axes.plot(places, whole, "s", color=SECOND, markersize=4.5, label=t("one scale a matrix"))
    axes.plot(places, rows, "o", color=ACCENT, markersize=5, label=t("one scale a row"))
    axes.set(
        xlabel=t("the 33 weight matrices, sorted by error"),
        ylabel=t("error, % of the weights"),
        xlim=(0, len(whole) + 1),
        xticks=(),
        ylim=(0, 2.4),
    )
    axes.legend(frameon=False, loc="upper left")
    fig.suptitle(t("A scale for each row: a smaller error in every matrix"), fontsize=11)
    return fig


def errors() -> dict[str, tuple[float, float]]:
    """Return both errors of each matrix, in per cent: length of what moved over the weights'."""
    model, _ = load_pretrained()
    matrices = {name: w.detach() for name, w in model.named_parameters() if w.dim() == 2}
    return {name: (error(w, rows=False), error(w, rows=True)) for name, w in matrices.items()}


def error(matrix: Tensor, *, rows: bool) -> float:
    """Return how far the rounded matrix is from the matrix, in per cent."""
    largest = matrix.abs().amax(1, keepdim=True) if rows else matrix.abs().amax()
    scale = torch.where(largest > 0, largest, 127.0) / 127  # the row of the padding id is zero
    moved = (matrix / scale).round() * scale - matrix
    return 100 * (moved.norm() / matrix.norm()).item()


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    both = errors()
    whole, rows = zip(*both.values(), strict=True)
    worst = sorted(both, key=both.__getitem__)[-2:]
    return {
        "33 matrices": len(both) == 33,
        "0.8 to 2.2 with one scale a matrix": (round(min(whole), 1), round(max(whole), 1))
        == (0.8, 2.2),
        "0.59 to 0.85 with one a row": (round(min(rows), 2), round(max(rows), 2)) == (0.59, 0.85),
        "smaller everywhere": all(row < one for one, row in both.values()),
        "two feed-forward networks": all(name.endswith("contract.weight") for name in worst),
    }
