"""The example worked by hand: each row of scores becomes a row of weights."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from docs.figures._style import HEATMAP
from transformer import attention_scores, attention_weights

Translate = Callable[[str], str]

ALT = (
    "Two tables of three rows and three columns, one row a query, one column a key, for the "
    "tokens I, drink, tea. On the left the scores 2 4 2, 1 2 3 and 3 2 1. On the right the "
    "weights that softmax makes of each row: the largest score of a row takes between two "
    "thirds and four fifths of the weight."
)

QUERY = torch.tensor([[2.0, 2, 2, 0], [2, 0, 0, 1], [0, 2, 2, 1]])
KEY = torch.tensor([[0.0, 0, 2, 2], [2, 0, 2, 0], [2, 0, 0, 2]])


def draw(t: Translate) -> Figure:
    tokens = [t("I"), t("drink"), t("tea")]
    scores = attention_scores(QUERY, KEY)
    weights = attention_weights(scores)
    fig = Figure(figsize=(4.8, 3.3), layout=ConstrainedLayoutEngine(h_pad=0.1))
    left, right = fig.subplots(1, 2)
    for ax, table, top, title, form in [
        (left, scores, 4, t("scores"), "{:.0f}"),
        (right, weights, 1, t("weights"), "{:.2f}"),
    ]:
        ax.pcolormesh(table.flip(0), cmap=HEATMAP, vmin=0, vmax=top)
        ax.set_aspect("equal")
        ax.set_xticks([0.5, 1.5, 2.5], tokens, fontsize=11)
        ax.tick_params(length=0)
        ax.set_xlabel(t("keys"), fontsize=11)
        ax.set_title(title)
        for i in range(3):
            for j in range(3):
                number = table[i, j].item()
                # the upper half of viridis is light
                ink = "black" if number > 0.45 * top else "white"
                text = form.format(number)
                ax.text(j + 0.5, 2.5 - i, text, color=ink, ha="center", va="center", fontsize=13)
    left.set_yticks([2.5, 1.5, 0.5], tokens, fontsize=11)
    left.set_ylabel(t("queries"), fontsize=11)
    right.set_yticks([])
    fig.suptitle(t("Softmax turns each row of scores\ninto weights that add up to 1"), fontsize=11)
    return fig


def claims() -> dict[str, bool]:
    """Say of title and description whether they are so."""
    scores = attention_scores(QUERY, KEY)
    weights = attention_weights(scores)
    largest = weights.amax(dim=-1)
    return {
        "scores": scores.tolist() == [[2, 4, 2], [1, 2, 3], [3, 2, 1]],
        "rows add up to 1": torch.allclose(weights.sum(dim=-1), torch.ones(3)),
        "between two thirds and four fifths": bool((largest > 0.66).all() & (largest < 0.8).all()),
    }
