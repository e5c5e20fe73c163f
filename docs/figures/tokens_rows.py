"""A sentence cut into tokens, their ids, and the beginning of each token's row of numbers."""

from collections.abc import Callable
from typing import Any

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import load_pretrained

Translate = Callable[[str], str]

ALT = (
    "The sentence the cat ate two fish yesterday . and the end token, one below the other. Beside "
    "each token stands its id: 267, 1306, 812, 570, 1116, 752, 17 and 2. Beside each id is the "
    "beginning of its row in the embedding of the shipped model: twelve cells, orange for "
    "numbers above 0, blue for numbers below, the stronger the larger. No two rows are alike."
)

SENTENCE = "the cat ate two fish yesterday ."
SHOWN = 12  # numbers of a row
STRONGEST = 2.0  # a number of this size has the full colour
CELL = 0.42


def draw(t: Translate) -> Figure:
    """Draw a line for each token."""
    model, tokenizer = load_pretrained()
    ids = tokenizer.encode_source(SENTENCE)
    with torch.no_grad():
        vectors = model.src_embedding(torch.tensor([ids]))[0]
    fig = Figure(figsize=(4.6, 3.5), layout="constrained")
    axes = fig.subplots()
    axes.set(xlim=(-0.1, 9.1), ylim=(len(ids) + 0.4, -1.1))
    axes.set_axis_off()
    head: dict[str, Any] = {"fontsize": 10, "color": MUTED, "va": "center"}
    axes.text(0, -0.75, t("token"), **head)
    axes.text(3.1, -0.75, t("id"), ha="right", **head)
    numbers = t("its row: the first {shown} of {all} numbers")
    axes.text(3.5, -0.75, numbers.format(shown=SHOWN, all=vectors.size(1)), **head)
    for y, (id, piece, row) in enumerate(
        zip(ids, tokenizer.pieces(ids), vectors.tolist(), strict=True)
    ):
        axes.text(0, y, piece.strip(), color=INK, fontsize=11, va="center")
        axes.text(3.1, y, str(id), color=INK, fontsize=11, va="center", ha="right")
        for place, number in enumerate(row[:SHOWN]):
            strength = min(abs(number) / STRONGEST, 1)
            colour = ACCENT if number > 0 else SECOND
            corner = (3.5 + CELL * place, y - 0.36)
            axes.add_patch(
                Rectangle(corner, CELL, 0.72, facecolor=colour, alpha=strength, linewidth=0)
            )
            axes.add_patch(
                Rectangle(corner, CELL, 0.72, facecolor="none", edgecolor=MUTED, linewidth=0.4)
            )
        axes.text(3.5 + CELL * SHOWN + 0.1, y, "…", color=MUTED, va="center")
    for x, colour, label in ((3.5, ACCENT, t("above 0")), (5.6, SECOND, t("below 0"))):
        axes.add_patch(Rectangle((x, len(ids) - 0.3), CELL, 0.5, facecolor=colour, linewidth=0))
        axes.text(x + 0.6, len(ids), label, color=MUTED, va="center", fontsize=10)
    axes.set_title(t("Each token has an id, each id a row of numbers"), color=INK, fontsize=11)
    return fig


def claims() -> dict[str, bool]:
    """Say of the description whether it is so."""
    model, tokenizer = load_pretrained()
    ids = tokenizer.encode_source(SENTENCE)
    rows = model.src_embedding.weight[ids]
    return {
        "the ids": ids == [267, 1306, 812, 570, 1116, 752, 17, 2],
        "no two rows are alike": len({*map(tuple, rows.tolist())}) == len(ids),
    }
