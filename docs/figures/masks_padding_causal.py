"""The two masks of the worked batch: padding by sentence, the future by position."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from docs.figures._grid import FUTURE, PADDING, VISIBLE, cell, grid
from transformer import causal_mask, padding_mask

Translate = Callable[[str], str]

ALT = (
    "Two grids of three by three cells. On the left the padding mask, one row a sentence: the "
    "sentence with ids 5, 6, 7 is visible as a whole, of 8, 9, 0 the last id is hidden, of 4, 0, 0 "
    "the last two. On the right the causal mask, one row a query: query 0 sees key 0, query 1 sees "
    "keys 0 and 1, query 2 sees all three."
)


def draw(t: Translate) -> Figure:
    """Draw both masks beside each other."""
    ids = torch.tensor([[5, 6, 7], [8, 9, 0], [4, 0, 0]])
    padding, causal = padding_mask(ids, pad_id=0)[:, 0, 0], causal_mask(3)[0, 0]
    fig = Figure(figsize=(4.8, 3.3), layout="constrained")
    fig.suptitle(t("One mask hides padding, the other the future"))
    left, right = fig.subplots(1, 2)
    places = ["0", "1", "2"]
    for axes in (left, right):
        grid(axes, places, places)
        axes.set_xlabel(t("key"))
    left.set(title=t("padding mask"), ylabel=t("sentence"))
    right.set(title=t("causal mask"), ylabel=t("query"))
    for i in range(3):
        for j in range(3):
            shown = VISIBLE if padding[i, j] else PADDING
            cell(left, i, j, [shown], str(ids[i, j].item()))
            cell(right, i, j, [VISIBLE if causal[i, j] else FUTURE])
    legend = [
        Patch(**VISIBLE, label=t("visible")),
        Patch(**PADDING, label=t("padding")),
        Patch(**FUTURE, label=t("future")),
    ]
    fig.legend(handles=legend, loc="outside lower center", ncols=3, frameon=False)
    return fig
