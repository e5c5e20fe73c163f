"""What is lost when one row of the memory is hidden, on the book's sentence."""

from collections.abc import Callable
from functools import cache

import torch
from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._style import HEATMAP
from transformer import greedy_decode
from transformer.inference.shipped import load_pretrained

ALT = (
    "A heatmap: the English words as columns, the Chinese tokens as rows. A cell is the "
    "probability of the right token while that word's row of the memory is hidden. Most cells are "
    "bright, above 0.9. Dark, at 0.2 or less: 那 without the; 隻 and 貓 without cat; 吃 without "
    "ate; 兩 without two; 條 and 魚 without fish; 昨 without yesterday. Without the end token "
    "nothing is dark."
)
SOURCE = "the cat ate two fish yesterday ."


def draw(t: Callable[[str], str]) -> Figure:
    """Draw a column for each hidden word, a row for each token that is due."""
    hidden, due, chances = measure()
    fig = Figure(figsize=(4.2, 4.6), layout="constrained")
    axes = fig.subplots()
    image = axes.imshow(chances.T.numpy(), cmap=HEATMAP, vmin=0, vmax=1, aspect="auto")
    for column in range(len(hidden)):
        for row in range(len(due)):
            value = chances[column, row].item()
            if value < 0.85:
                colour = "black" if value > 0.6 else "white"
                text = f"{value:.1f}"
                axes.text(column, row, text, ha="center", va="center", size=9, color=colour)
    axes.set_xticks(range(len(hidden)), hidden, rotation=90)
    axes.set_yticks(range(len(due)), due)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set(xlabel=t("word whose row is hidden"), ylabel=t("token that is due"))
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    bar = fig.colorbar(image, location="bottom", shrink=0.6, aspect=30, ticks=[0, 0.5, 1])
    bar.set_label(t("probability of the right token"))
    bar.outline.set_visible(False)
    title = t("Hide a word's row of the memory,\nand its own translation fails")
    fig.suptitle(f"{title}\n", size=11)  # a line of room above the label
    return fig


@cache
@torch.no_grad()
def measure() -> tuple[list[str], list[str], Tensor]:
    """Source tokens, target tokens, and the probability of each one without each source token."""
    model, tokenizer = load_pretrained()
    src = torch.tensor([tokenizer.encode_source(SOURCE)])
    written = greedy_decode(model, src)[0]
    count = src.size(1)
    tgt = torch.tensor([[tokenizer.bos_id, *written]]).expand(count, -1)
    due = torch.tensor([*written, tokenizer.eos_id])
    hide_one = ~torch.eye(count, dtype=torch.bool).view(count, 1, 1, count)
    memory = model.encode(src).expand(count, -1, -1)
    chances = model.project(model.decode(tgt, memory, hide_one)).softmax(dim=-1)
    pieces = [piece.strip() for piece in tokenizer.pieces(src[0].tolist())]
    found = chances[:, range(len(due)), due]
    return pieces, tokenizer.pieces(due.tolist()), found


def claims() -> dict[str, bool]:
    """Say of the sentences that title and description claim whether they are so."""
    hidden, due, chances = measure()
    dark = {(hidden[row], due[column]) for row, column in (chances < 0.2).nonzero().tolist()}
    stated = {
        *(("the", "那"), ("cat", "隻"), ("cat", "貓"), ("ate", "吃"), ("two", "兩")),
        *(("fish", "條"), ("fish", "魚"), ("yesterday", "昨")),
    }
    return {
        "these are dark": dark == stated,
        "most are above 0.9": (chances > 0.9).double().mean().item() > 0.8,
        "without the end token nothing is": chances[-1].min().item() > 0.9,
    }
