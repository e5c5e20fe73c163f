"""Scores of the shipped model's states with themselves, and as one of its heads projects them."""

from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor

from docs.figures._style import HEATMAP
from transformer import attention_scores, attention_weights, load_pretrained

Translate = Callable[[str], str]

ALT = (
    "Two tables of scores, eight tokens by eight, rows ask, columns answer, for the cat ate two "
    "fish yesterday. Left, without projections: symmetric, with a bright diagonal; cat with ate "
    "and ate with cat both score 0.3. Right, projected by a head: cat asks ate with 7.3, ate asks "
    "cat with -5.7, and no token scores itself highest but the last."
)
SENTENCE = "the cat ate two fish yesterday ."
HEAD = 2  # counted from 0
FRAME = "white"  # the framed cells are dark in both themes


def draw(t: Translate) -> Figure:
    """Draw both tables in the same colours, and frame the two cells of cat and ate."""
    pieces, plain, projected = found()
    names = [piece.strip() for piece in pieces]
    fig = Figure(figsize=(4.8, 4.2), layout="compressed")
    panels = fig.subplots(1, 2)
    parts = ((plain, t("without projections")), (projected, t("projected by a head")))
    image: Any = None
    for axes, (scores, title) in zip(panels, parts, strict=True):
        image = axes.imshow(
            scores.numpy(), cmap=HEATMAP, vmin=-10, vmax=17, interpolation="nearest"
        )
        axes.set_title(title, size=10)
        axes.set_xticks(range(len(names)), names, rotation=90, size=9)
        axes.set_yticks(range(len(names)), names if axes is panels[0] else [], size=9)
        axes.set_xlabel(t("the token asked"))
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        for row, column in ((1, 2), (2, 1)):
            _frame(axes, row, column)
    panels[0].set_ylabel(t("the token that asks"))
    bar = fig.colorbar(image, ax=panels, orientation="horizontal", shrink=0.7, aspect=30)
    bar.set_label(t("score"), size=10)
    bar.outline.set_visible(False)
    fig.suptitle(t("Without projections, scores are symmetric\nand tokens see themselves"))
    return fig


def _frame(axes: Axes, row: int, column: int) -> None:
    square = Rectangle(
        (column - 0.5, row - 0.5), 1, 1, facecolor="none", edgecolor=FRAME, linewidth=1.6
    )
    axes.add_patch(square)


@cache
def found() -> tuple[list[str], Tensor, Tensor]:
    """Return the pieces, and the scores without and with projections."""
    model, tokenizer = load_pretrained()
    ids = tokenizer.encode_source(SENTENCE)
    attention: Any = model.encoder.layers[0].self_attention
    with torch.no_grad():
        x = model.src_position(model.src_embedding(torch.tensor([ids])))
        query = attention.split_heads(attention.q_proj(x), attention.d_k)
        key = attention.split_heads(attention.k_proj(x), attention.d_k)
        plain, projected = attention_scores(x, x)[0], attention_scores(query, key)[0, HEAD]
    return tokenizer.pieces(ids), plain, projected


def claims() -> dict[str, bool]:
    """Say of title, description and the page's sentences whether they are so."""
    _, plain, projected = found()
    own = attention_weights(plain).diagonal()
    best = projected.argmax(dim=-1).tolist()
    return {
        "symmetric": torch.allclose(plain, plain.T),
        "both score 0.3": round(plain[1, 2].item(), 1) == round(plain[2, 1].item(), 1) == 0.3,
        "tokens see themselves": plain.argmax(dim=-1).tolist() == list(range(8)),
        "six of eight keep 98%": (own > 0.98).sum().item() == 6,
        "7.3 and -5.7": [round(projected[i, j].item(), 1) for i, j in ((1, 2), (2, 1))]
        == [7.3, -5.7],
        "no token but the last": [i for i in range(8) if best[i] == i] == [7],
    }
