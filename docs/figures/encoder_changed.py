"""How far each state of the book's sentence moves when one word is changed."""

from collections.abc import Callable
from functools import cache

import torch
from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._style import HEATMAP
from docs.figures.encoder_read import layers
from transformer.inference.shipped import load_pretrained

ALT = (
    "A heatmap after the last layer: a row for each word of the book's sentence that is changed, a "
    "column for each state, how far it moves in its own length, the mean of several replacements. "
    "The diagonal is bright, from 0.6 to 1.2. All other cells are at most 0.3; the most is where "
    "another word for yesterday moves the state of ate. The end token hardly moves."
)
SENTENCE = ["the", "cat", "ate", "two", "fish", "yesterday", "."]
OTHERS = [
    "a this that my her",
    "dog horse bird cow singer",
    "bought saw washed sold",
    "three four five",
    "apples books dogs cats eggs",
    "tonight tomorrow often",
    "! ?",
]


def draw(t: Callable[[str], str]) -> Figure:
    """Draw a row for each changed word, a column for each state."""
    moved = distances()[1]
    fig = Figure(figsize=(4.8, 4.2), layout="constrained")
    axes = fig.subplots()
    axes.imshow(moved.numpy(), cmap=HEATMAP, vmin=0, vmax=1.2, aspect="auto")
    for row, column in torch.cartesian_prod(torch.arange(7), torch.arange(8)).tolist():
        value = moved[row, column].item()
        colour = "black" if value > 0.6 else "white"
        axes.text(column, row, f"{value:.1f}", ha="center", va="center", size=9, color=colour)
    axes.set_xticks(range(8), [*SENTENCE, "<eos>"], rotation=90)
    axes.get_xticklabels()[6].set(rotation=0, size=16)  # the full stop: turned, it looks like dirt
    axes.set_yticks(range(7), SENTENCE)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_ylabel(t("the word that is changed"))
    axes.set_xlabel(t("the state that moves"), labelpad=8)
    fig.suptitle(t("Replace a word, and its own state\nmoves most; others move a little"), size=11)
    return fig


@cache
def distances() -> list[Tensor]:
    """After each layer: how far each state moves, in its own length; mean over other words."""
    _, tokenizer = load_pretrained()

    def states(words: list[str]) -> list[Tensor]:
        return layers(torch.tensor([tokenizer.encode_source(" ".join(words))]))[1:]

    before = states(SENTENCE)
    moved: list[list[Tensor]] = [[], []]
    for place, others in enumerate(OTHERS):
        after = [
            states([*SENTENCE[:place], other, *SENTENCE[place + 1 :]]) for other in others.split()
        ]
        for layer, (old, rows) in enumerate(zip(before, moved, strict=True)):
            far = [(new[layer] - old).norm(dim=-1) / old.norm(dim=-1) for new in after]
            rows.append(torch.cat(far).mean(dim=0))
    return [torch.stack(rows) for rows in moved]


def claims() -> dict[str, bool]:
    """Say of the sentences that title and description claim whether they are so."""
    first, moved = distances()
    own = moved.diagonal()
    others = moved.clone().fill_diagonal_(0)
    place = divmod(int(others.argmax()), 8)
    return {
        "the diagonal: 0.6 to 1.2": [round(x.item(), 1) for x in (own.min(), own.max())]
        == [0.6, 1.2],
        "all others below 0.3": others.max().item() < 0.3,
        "the most is 0.3, yesterday moves ate": place == (5, 2)
        and round(others.max().item(), 1) == 0.3,
        "after layer 1 it hardly did": first[5, 2].item() < 0.02,
        "the end token hardly moves": others[:, 7].max().item() < 0.06,
    }
