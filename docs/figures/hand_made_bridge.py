"""Cross-attention of the hand-made model: what each Chinese word is written from."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from docs.figures._hand_made import numbers, words
from docs.figures._style import HEATMAP

Translate = Callable[[str], str]

ALT = (
    "A grid of attention weights, head a of cross-attention in the hand-made model. Columns are "
    "the English words cats, beat, dogs, yesterday and the end token. Each row is named by the "
    "token that was just read, with an arrow to the one that is written. One cell a row holds "
    "nearly all the weight: 貓 is written with a look at cats (1.00), 昨天 at yesterday (1.00), "
    "贏 at beat (1.00), 了 and 狗 at dogs (0.99 and 1.00), and the end token at the end token "
    "(0.90). From 貓 to 昨天 the path jumps three columns to the right, and then two back."
)


def draw(t: Translate) -> Figure:
    """Draw the weights with their numbers."""
    weights = numbers()["cross.weights.a"]
    source, reads, writes = words()
    steps = [f"{read} → {written}" for read, written in zip(reads, writes, strict=True)]
    fig = Figure(figsize=(4.8, 4.1), layout="constrained")
    axes = fig.subplots()
    axes.imshow(weights.numpy(), cmap=HEATMAP, vmin=0, vmax=1, aspect="auto")
    for row, line in enumerate(weights.tolist()):
        for column, weight in enumerate(line):
            ink = "black" if weight > 0.5 else "white"  # the upper half of viridis is light
            axes.text(column, row, f"{weight:.2f}", ha="center", va="center", color=ink)
    axes.set_xticks(range(len(source)), source)
    axes.set_yticks(range(len(steps)), steps)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_ylabel(t("just read → written next"))
    axes.set_xlabel(t("weights of head a of cross-attention"))
    fig.suptitle(t("Yesterday stands last in English,\nand is looked up second"), size=11)
    return fig


def claims() -> dict[str, bool]:
    """Check what the title and the text say."""
    weights = numbers()["cross.weights.a"]
    best = weights.argmax(-1).tolist()
    largest = [round(w, 2) for w in weights.amax(-1).tolist()]
    return {
        "the columns looked at": best == [0, 3, 1, 2, 2, 4],
        "the largest weights": largest == [1, 1, 1, 0.99, 1, 0.9],
        "rows add up to 1": torch.allclose(weights.sum(-1), torch.ones(6)),
    }
