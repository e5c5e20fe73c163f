"""The states of the shipped model after each decoder layer, read through its output layer."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._style import ACCENT, INK, MUTED
from transformer import causal_mask, greedy_decode, load_pretrained

Translate = Callable[[str], str]

ALT = (
    "A table of twelve rows, one for each token of the translation, and three columns: the states "
    "before any decoder layer, after layer 1 and after layer 2. A cell holds the token that the "
    "output layer reads there, and the rank of the right one among 1,593. Before any layer it is "
    "the token just read, in every row. After layer 1 the right one is first in 3 rows, among the "
    "first ten in 9. After layer 2 it is first in all twelve."
)
SOURCE = "the cat ate two fish yesterday ."


def book_run() -> tuple[list[Tensor], list[str], Tensor, list[str]]:
    """Return logits by depth, the tokens read, and the right ids and tokens."""
    model, tokenizer = load_pretrained()
    src = torch.tensor([tokenizer.encode_source(SOURCE)])
    written = greedy_decode(model, src)[0]
    tgt = torch.tensor([[tokenizer.bos_id, *written]])
    right = torch.tensor([*written, tokenizer.eos_id])
    with torch.inference_mode():
        memory, mask = model.encode(src), causal_mask(tgt.size(1))
        x = model.tgt_position(model.tgt_embedding(tgt))
        logits = [model.project(x)[0]]
        for layer in model.decoder.layers:
            x = layer(x, memory, mask)
            logits.append(model.project(x)[0])
    return logits, tokenizer.pieces(tgt[0].tolist()), right, tokenizer.pieces(right.tolist())


def ranks(logits: Tensor, right: Tensor) -> list[int]:
    """Return 1 where the right id has the largest logit, 2 where one is larger, and so on."""
    found: list[int] = (logits > logits.gather(1, right[:, None])).sum(dim=1).add(1).tolist()
    return found


def draw(t: Translate) -> Figure:
    """Draw the table, cells with the right token in colour."""
    _, tokenizer = load_pretrained()
    logits, read, right, words = book_run()
    fig = Figure(figsize=(4.8, 4.3), layout="constrained")
    ax = fig.subplots()
    for column, scores in enumerate(logits):
        tops = tokenizer.pieces(scores.argmax(dim=-1).tolist())
        for row, (top, rank) in enumerate(zip(tops, ranks(scores, right))):
            colour = ACCENT if rank == 1 else INK if rank <= 10 else MUTED
            weight = "bold" if rank == 1 else "normal"
            size = 10 if len(top) < 3 else 9
            ax.text(
                column + 0.86,
                row,
                top,
                ha="center",
                va="center",
                color=colour,
                weight=weight,
                size=size,
            )
            place = f"{rank:,}"
            ax.text(column + 1.46, row, place, ha="right", va="center", color=colour, size=9)
    for row, (before, word) in enumerate(zip(read, words)):
        ax.text(-0.42, row, before, ha="center", va="center", color=INK)
        ax.text(0.18, row, word, ha="center", va="center", color=INK)
    heads = [t("before\nany layer"), t("after\nlayer 1"), t("after\nlayer 2")]
    for x, head in zip(
        (-0.42, 0.18, 1.07, 2.07, 3.07), (t("token\nread"), t("token\nto write"), *heads)
    ):
        ax.text(x, -1.25, head, ha="center", va="center", size=9)
    for x in (0.57, 1.57, 2.57):
        ax.plot([x, x], [-1.9, 11.6], color=MUTED, linewidth=0.6)
    ax.text(0.16, 12.4, t("rank 1: right"), ha="center", color=ACCENT, weight="bold", size=9)
    ax.text(1.42, 12.4, t("rank 2 to 10"), ha="center", color=INK, size=9)
    ax.text(2.68, 12.4, t("rank 11 or worse"), ha="center", color=MUTED, size=9)
    ax.set(xlim=(-0.75, 3.6), ylim=(12.6, -1.9))
    ax.axis("off")
    title = t(
        "What each depth says, and the right one's rank:\nfrom the token read to the one to write"
    )
    fig.suptitle(title, fontsize=11)
    return fig


def claims() -> dict[str, bool]:
    """Say of the numbers in title and description whether they are so."""
    _, tokenizer = load_pretrained()
    logits, read, right, words = book_run()
    first, middle, last = (ranks(scores, right) for scores in logits)
    return {
        "twelve rows, 1,593 ids": (len(words), logits[0].size(1)) == (12, 1593),
        "before any layer, the token just read": (
            tokenizer.pieces(logits[0].argmax(dim=-1).tolist()) == read and 1 not in first
        ),
        "first in 3, among ten in 9": (middle.count(1), sum(r <= 10 for r in middle)) == (3, 9),
        "first in all": last == [1] * 12,
        "今 for 昨 and 顆 for 條 after layer 1, as the page says": {("昨", "今"), ("條", "顆")}
        <= set(zip(words, tokenizer.pieces(logits[1].argmax(dim=-1).tolist()))),
    }
