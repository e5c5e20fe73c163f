"""One token of the book's sentence on its way through the shipped model, with its real numbers."""

from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._architecture import disc, line, rounded
from docs.figures._style import HEATMAP, MUTED, PAPER, SECOND
from transformer import padding_mask
from transformer.inference.attention_table import bridge_attention
from transformer.inference.shipped import load_pretrained
from transformer.inference.translation import translate

Translate = Callable[[str], str]

ALT = (
    "Six steps from top to bottom. 1: the eight tokens of “the cat ate two fish yesterday .” with "
    "their ids; fish has 1116. 2 to 4: its 128 numbers as a strip of colours, first with the "
    "position added (they begin −0.97, −0.57, 0.20), then after layer 1 (−0.06, −0.21, −0.56), "
    "then after layer 2, as memory (0.22, 0.08, −0.40). 5: the twelve tokens that the decoder "
    "writes; 97 per cent of the weight is on fish at 條 and 99 at 魚, at most 2 at all others. "
    "6: the probability of each, 92 to 97 per cent, and 97 for 魚."
)
SOURCE, PLACE = "the cat ate two fish yesterday .", 4
SIZE = 4.8, 3.95  # inches
LEFT, STRIP, NUMBERS = 0.08, (1.55, 3.35), 3.42  # where labels, strips and numbers begin
CELL, LAST = 0.27, 0.46  # width of a written token, and of the end token


def draw(t: Translate) -> Figure:
    """Draw the tokens, the strips of one of them, and what is written from it."""
    found = journey()
    fig = Figure(figsize=SIZE)
    axes = fig.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    title = t("One row of numbers carries “fish” across")
    axes.text(SIZE[0] / 2, 3.8, title, ha="center", va="center", weight="bold")
    middle = tokens(axes, *found["source"])
    labels = (t("embedding\nand position"), t("after layer 1"), t("after layer 2:\nmemory"))
    y, above = 2.33, 2.95
    for step, (label, row) in enumerate(zip(labels, found["states"]), 2):
        line(axes, [(middle, above), (middle, y + 0.24)], SECOND, 2)
        strip(axes, y, row)
        disc(axes, LEFT + 0.1, y + 0.12, step)
        axes.text(LEFT + 0.28, y + 0.12, label, va="center", size=9)
        y, above = y - 0.47, y
    written(t, axes, above, middle)
    axes.set(xlim=(0, SIZE[0]), ylim=(0, SIZE[1]), aspect="auto")
    return fig


def tokens(axes: Axes, pieces: list[str], ids: list[int]) -> float:
    """Draw the tokens of the source with their ids; return the middle of the one followed."""
    disc(axes, LEFT + 0.1, 3.36, 1)
    widths = [0.2 + 0.072 * max(len(piece), len(str(id))) for piece, id in zip(pieces, ids)]
    x, middle = LEFT + 0.27, 0.0
    for place, (piece, id, width) in enumerate(zip(pieces, ids, widths)):
        mine = place == PLACE
        box(axes, x, 3.23, width, 0.26, SECOND if mine else MUTED, 0.4 if mine else 0.1)
        axes.text(x + width / 2, 3.36, piece, ha="center", va="center", size=9, zorder=4)
        weight = "bold" if mine else "normal"
        axes.text(x + width / 2, 3.09, f"{id}", ha="center", va="center", size=9, weight=weight)
        middle = x + width / 2 if mine else middle
        x += width + 0.035
    return middle


def strip(axes: Axes, y: float, row: Tensor) -> None:
    """Draw a row of numbers as colours, and write the first three beside it."""
    picture = row.numpy()[None]
    extent = (*STRIP, y, y + 0.24)
    axes.imshow(
        picture, cmap=HEATMAP, vmin=-2.5, vmax=2.5, extent=extent, aspect="auto",
        interpolation="none", zorder=3,
    )  # fmt: skip
    first = ", ".join(f"{number:.2f}".replace("-", "−") for number in row[:3].tolist())
    axes.text(NUMBERS, y + 0.12, f"{first}, …", va="center", size=9)


def written(t: Translate, axes: Axes, above: float, middle: float) -> None:
    """Draw what the decoder writes, with the weight on the token and the probability of each."""
    found = journey()
    start, y = STRIP[0] - 0.24, 0.74
    widths = [LAST if piece.isascii() else CELL for piece in found["written"]]
    columns = [start + sum(widths[:place]) + width / 2 for place, width in enumerate(widths)]
    strong = [x for x, weight in zip(columns, found["weights"]) if weight > 0.5]
    turn = above - 0.16
    axes.plot([middle, middle], [above, turn], color=SECOND, linewidth=2, zorder=1)
    for x in strong:
        line(axes, [(middle, turn), (x, turn), (x, y + 0.27)], SECOND, 2)
    for x, width, piece, weight, chance in zip(
        columns, widths, found["written"], found["weights"], found["chances"], strict=True
    ):
        edge = SECOND if weight > 0.5 else MUTED
        box(axes, x - width / 2 + 0.01, y, width - 0.02, 0.26, edge, 0.1 + 0.3 * weight)
        size = 9 if piece.isascii() else 11
        axes.text(x, y + 0.125, piece, ha="center", va="center", size=size, zorder=4)
        for down, share in ((-0.2, weight), (-0.55, chance)):
            text = axes.text(x, y + down, f"{100 * share:.0f}", ha="center", va="center", size=9)
            text.set_fontweight("bold" if weight > 0.5 else "normal")
    rows = ((5, t("weight on\n“fish” (%)"), -0.2), (6, t("probability (%)"), -0.55))
    for step, label, down in rows:
        disc(axes, LEFT + 0.1, y + down, step)
        axes.text(LEFT + 0.28, y + down, label, va="center", size=9)


def box(
    axes: Axes, x: float, y: float, width: float, height: float, colour: str, alpha: float
) -> None:
    """Draw a rounded box, filled with as much colour as `alpha` says."""
    for fill, edge, share in ((PAPER, "none", 1), (colour, "none", alpha), ("none", colour, 1)):
        patch = rounded((x, y), width, height, fill, edge, share, zorder=3)
        patch.set_boxstyle("round", pad=0, rounding_size=0.04)
        axes.add_patch(patch)


@cache
@torch.no_grad()
def journey() -> dict[str, Any]:
    """Run the shipped model on the sentence; return what the figure shows of it."""
    model, tokenizer = load_pretrained()
    ids = tokenizer.encode_source(SOURCE)
    src = torch.tensor([ids])
    states = [model.src_position(model.src_embedding(src))]
    for layer in model.encoder.layers:
        states.append(layer(states[-1], padding_mask(src, pad_id=0)))
    [target] = translate(model, tokenizer, [SOURCE])
    _, pieces, weights = bridge_attention(model, tokenizer, SOURCE, target)
    right = torch.tensor([tokenizer.encode_target(target)])
    chances = model(src, right[:, :-1]).softmax(dim=-1)[0].gather(1, right[0, 1:, None])[:, 0]
    return {
        "source": ([piece.strip() for piece in tokenizer.pieces(ids)], ids),
        "states": [state[0, PLACE] for state in states],
        "written": pieces,
        "weights": weights[:, PLACE].tolist(),
        "chances": chances.tolist(),
    }


def claims() -> dict[str, bool]:
    """Say of the numbers in title and description whether they are so."""
    found = journey()
    _, ids = found["source"]
    stated = ([-0.97, -0.57, 0.20], [-0.06, -0.21, -0.56], [0.22, 0.08, -0.40])
    weights = dict(zip(found["written"], found["weights"], strict=True))
    others = [weight for piece, weight in weights.items() if piece not in "條魚"]
    chances = [round(100 * chance) for chance in found["chances"]]
    return {
        "eight tokens": len(ids) == 8,
        "fish is 1116": ids[PLACE] == 1116,
        "the numbers": all(
            abs(a - b) < 0.006
            for row, numbers in zip(found["states"], stated, strict=True)
            for a, b in zip(row[:3].tolist(), numbers, strict=True)
        ),
        "97 at 條, 99 at 魚": [round(100 * weights[c]) for c in "條魚"] == [97, 99],
        "at most 2 elsewhere": max(others) < 0.025,
        "probabilities 92 to 97": (min(chances), max(chances)) == (92, 97),
        "97 for 魚": chances[found["written"].index("魚")] == 97,
        "twelve tokens": len(found["written"]) == 12,
    }
