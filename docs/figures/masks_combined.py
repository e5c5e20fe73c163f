"""Padding and causal mask of the worked batch, combined: one grid a target sentence."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from docs.figures._grid import FUTURE, PADDING, VISIBLE, cell, grid
from transformer import causal_mask, padding_mask

Translate = Callable[[str], str]

ALT = (
    "Three grids, one for each target sentence, of lengths 3, 2 and 1; rows are queries, columns "
    "are keys. In all three the cells above the diagonal are hidden, because the key is a later "
    "word. In sentence 1 the last column is padding and hidden too, in sentence 2 the last two "
    "columns, so that there every query sees only key 0."
)


def draw(t: Translate) -> Figure:
    """Draw the three target masks, each hidden cell with its reason."""
    ids = torch.tensor([[1, 15, 16], [1, 17, 0], [1, 0, 0]])
    padding, causal = padding_mask(ids, pad_id=0), causal_mask(3)
    both = padding & causal
    fig = Figure(figsize=(4.8, 2.5), layout="constrained")
    fig.suptitle(t("Visible: not padding, and not later than the query"))
    for sentence, axes in enumerate(fig.subplots(1, 3)):
        grid(axes, ["0", "1", "2"], [str(i) for i in ids[sentence].tolist()])
        axes.set(title=t("sentence {}").format(sentence), xlabel=t("key (id)"))
        axes.set_ylabel(t("query") if sentence == 0 else "")
        for i in range(3):
            for j in range(3):
                hidden = [PADDING] if not padding[sentence, 0, 0, j] else []
                hidden += [FUTURE] if not causal[0, 0, i, j] else []
                cell(axes, i, j, [VISIBLE] if both[sentence, 0, i, j] else hidden)
    legend = [
        Patch(**VISIBLE, label=t("visible")),
        Patch(**PADDING, label=t("padding")),
        Patch(**FUTURE, label=t("later word")),
    ]
    fig.legend(handles=legend, loc="outside lower center", ncols=3, frameon=False)
    return fig
