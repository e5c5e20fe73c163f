"""Which rows of keys each step of a short translation projects, with a cache and without."""

from collections.abc import Callable

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from docs.figures._grid import VISIBLE, Style, cell, grid
from docs.figures._style import ACCENT, INK, PAPER
from transformer import greedy_decode, load_pretrained

Translate = Callable[[str], str]

ALT = (
    "Two grids with a row for each of five steps and a column for each token that is read. On the "
    "left, without a cache, step n projects the keys of n tokens: a staircase of 15 full cells. On "
    "the right, with a cache, each step projects the newest token only, 5 full cells on the "
    "diagonal, and the cells before it are kept from the steps above."
)
SOURCE = "she is tired ."
KEPT: Style = {"facecolor": ACCENT, "alpha": 0.15}


def draw(t: Translate) -> Figure:
    """Draw one staircase beside the other."""
    tokens = read()
    fig = Figure(figsize=(4.8, 3.3), layout="constrained")
    left, right = fig.subplots(1, 2)
    steps = [str(step) for step in range(1, len(tokens) + 1)]
    for axes, cached in ((left, False), (right, True)):
        grid(axes, steps, [""] * len(tokens))
        axes.set_xlabel(t("token that is read"))
        fill(axes, tokens, cached)
    rows = len(tokens)
    left.set(ylabel=t("step"), title=t("without a cache: {}").format(rows * (rows + 1) // 2))
    right.set_title(t("with a cache: {}").format(rows))
    legend = [Patch(**VISIBLE, label=t("key projected now")), Patch(**KEPT, label=t("key kept"))]
    fig.legend(handles=legend, loc="outside lower center", ncols=2, frameon=False)
    fig.suptitle(t("With a cache, each step projects one key"), fontsize=11)
    return fig


def fill(axes: Axes, tokens: list[str], cached: bool) -> None:
    """Fill a cell for each token that a step has before it."""
    for step in range(len(tokens)):
        for place, token in enumerate(tokens[: step + 1]):
            new = place == step or not cached
            cell(axes, step, place, [VISIBLE if new else KEPT])
            colour, size = PAPER if new else INK, 11 if len(token) == 1 else 8
            middle = (place + 0.5, step + 0.52)
            axes.text(*middle, token, color=colour, ha="center", va="center", size=size)


def read() -> list[str]:
    """Return the tokens that the decoder reads: the start token, and all but the end token."""
    model, tokenizer = load_pretrained()
    src = torch.tensor([tokenizer.encode_source(SOURCE)])
    return ["<bos>", *tokenizer.pieces(greedy_decode(model, src)[0])]


def claims() -> dict[str, bool]:
    """Say of the description whether it is so."""
    return {"five tokens are read, in five steps": len(read()) == 5}
