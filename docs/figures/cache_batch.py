"""How the rows of a batch leave it, one after the other, as their sentences end."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch.nn.utils.rnn import pad_sequence

from docs.figures._style import ACCENT, INK, PAPER
from transformer import greedy_decode, load_pretrained

Translate = Callable[[str], str]

ALT = (
    "Three rows of cells, one for each sentence of a batch and as long as its translation; a dot "
    "is the end token. The first row ends after 7 steps, the second after 12, the third after 16. "
    "Numbers below count the rows of each step: 3, then 2, then 1."
)
SENTENCES = (
    "she is singing .",
    "the cat ate two fish yesterday .",
    "the girl that the dog saw is singing .",
)


def draw(t: Translate) -> Figure:
    """Draw a cell for each token, and the number of rows below each step."""
    rows = written()
    steps = max(map(len, rows))
    fig = Figure(figsize=(4.8, 1.9), layout="constrained")
    axes = fig.subplots()
    for row, tokens in enumerate(rows):
        for step, token in enumerate(tokens):
            corner, middle = (step + 0.05, row + 0.08), (step + 0.5, row + 0.5)
            axes.add_patch(Rectangle(corner, 0.9, 0.84, facecolor=ACCENT))
            if token == "<eos>":
                axes.scatter(*middle, s=25, color=PAPER)
            else:
                axes.text(*middle, token, color=PAPER, ha="center", va="center", size=9)
    for step in range(steps):
        count = sum(step < len(tokens) for tokens in rows)
        place = step + 0.5, len(rows) + 0.5
        axes.text(*place, str(count), color=INK, ha="center", va="center", size=9)
    axes.set(xlim=(-0.1, steps + 0.1), ylim=(len(rows) + 1, -0.1))
    axes.set_xlabel(t("rows in each step, from the first to the last"))
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    fig.suptitle(t("A finished sentence leaves the batch"), fontsize=11)
    return fig


def written() -> list[list[str]]:
    """Return the tokens of each translation, its end token included."""
    model, tokenizer = load_pretrained()
    ids = [torch.tensor(tokenizer.encode_source(sentence)) for sentence in SENTENCES]
    batch = pad_sequence(ids, batch_first=True, padding_value=tokenizer.pad_id)
    return [[*tokenizer.pieces(row), "<eos>"] for row in greedy_decode(model, batch)]


def claims() -> dict[str, bool]:
    """Say of the description whether it is so."""
    return {"the rows end after 7, 12 and 16 steps": [*map(len, written())] == [7, 12, 16]}
