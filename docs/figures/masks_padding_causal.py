"""What each mask hides, on words: padding in a batch of sources, later words in a target."""

from collections.abc import Callable
from itertools import pairwise

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from docs.figures._grid import FUTURE, PADDING, VISIBLE, cell, grid
from transformer import causal_mask, padding_mask

Translate = Callable[[str], str]

ALT = (
    "Two grids of three by three cells. On the left the padding mask, one row a sentence: cats "
    "beat dogs is visible as a whole, birds sing has one hidden padding token, hello has two. On "
    "the right the causal mask, one row a query, named after the word that was just read, with an "
    "arrow to the word to be written. The start token, which writes 貓, sees only itself; 貓, "
    "which writes 贏, sees the start token and itself; 贏, which writes 狗, sees all three."
)
SOURCES = (("cats", "beat", "dogs"), ("birds", "sing"), ("hello",))
TARGET = ("<bos>", "貓", "贏", "狗")


def draw(t: Translate) -> Figure:
    """Draw both masks beside each other."""
    ids = torch.tensor([[5, 6, 7], [8, 9, 0], [4, 0, 0]])
    padding, causal = padding_mask(ids, pad_id=0)[:, 0, 0], causal_mask(3)[0, 0]
    fig = Figure(figsize=(4.8, 3.1), layout="constrained")
    fig.suptitle(t("One mask hides padding, the other later words"), size=11)
    left, right = fig.subplots(1, 2, gridspec_kw={"wspace": 0.1})
    grid(left, ["0", "1", "2"], ["", "", ""])
    left.set(title=t("padding mask"), ylabel=t("sentence"), xlabel=t("key"))
    grid(right, [f"{read} → {write}" for read, write in pairwise(TARGET)], TARGET[:3])
    right.set(title=t("causal mask"), ylabel=t("query → its answer"), xlabel=t("key"))
    for i in range(3):
        for j in range(3):
            word = SOURCES[i][j] if padding[i, j] else "<pad>"
            cell(left, i, j, [VISIBLE if padding[i, j] else PADDING], word)
            cell(right, i, j, [VISIBLE if causal[i, j] else FUTURE])
    legend = [
        Patch(**VISIBLE, label=t("visible")),
        Patch(**PADDING, label=t("padding")),
        Patch(**FUTURE, label=t("later word")),
    ]
    fig.legend(handles=legend, loc="outside lower center", ncols=3, frameon=False)
    return fig
