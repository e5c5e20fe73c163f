"""Training reads the right tokens in one pass; inference reads its own, one pass a token."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from docs.figures._style import ACCENT, INK, MUTED, PAPER
from transformer import greedy_decode, load_pretrained

Translate = Callable[[str], str]
Style = Mapping[str, Any]  # of a box

ALT = (
    "Above, training: a row of right tokens goes in, begin token first, and below each of them "
    "stands the token that the model predicts there, all in one pass. Below, inference: a "
    "staircase of passes. The first reads the begin token alone and predicts one token; each "
    "later pass reads everything predicted before it and adds one token, until the end token."
)
SOURCE, TARGET = "she is singing .", "她正在唱歌。"
GIVEN: Style = {"facecolor": "none", "edgecolor": MUTED}
EARLIER: Style = {"facecolor": "none", "edgecolor": ACCENT}
NEW: Style = {"facecolor": ACCENT, "edgecolor": ACCENT}


def draw(t: Translate) -> Figure:
    """Draw one row of passes for training, and a staircase for inference."""
    model, tokenizer = load_pretrained()
    src = torch.tensor([tokenizer.encode_source(SOURCE)])
    right = torch.tensor([tokenizer.encode_target(TARGET)])
    with torch.inference_mode():
        predicted = model(src, right[:, :-1]).argmax(dim=-1)[0]
    reads, predicts = (tokenizer.pieces(ids.tolist()) for ids in (right[0, :-1], predicted))
    written = ["<bos>", *tokenizer.pieces(greedy_decode(model, src)[0]), "<eos>"]

    fig = Figure(figsize=(4.8, 4.7), layout="constrained")
    above, below = fig.subplots(2, 1, height_ratios=(2.3, len(written) - 0.7))
    above.set_title(t("training: one pass, the right tokens are given"))
    for column, (read, token) in enumerate(zip(reads, predicts)):
        cell(above, 0, column, read, GIVEN)
        cell(above, 1.3, column, token, NEW)
        above.annotate(
            "", (column + 0.5, 1.32), (column + 0.5, 0.88),
            arrowprops={"arrowstyle": "->", "color": INK},
        )  # fmt: skip
    below.set_title(t("inference: a pass for every token, its own are read"))
    for row in range(1, len(written)):
        for column, token in enumerate(written[: row + 1]):
            style = GIVEN if column == 0 else NEW if column == row else EARLIER
            cell(below, row - 1, column, token, style)
    for axes, rows in ((above, 2.3), (below, len(written) - 1)):
        axes.set(xlim=(-0.05, len(written) + 0.05), ylim=(rows, -0.1))
        axes.axis("off")
    return fig


def cell(axes: Axes, row: float, column: int, text: str, style: Style) -> None:
    """Draw one token in a box."""
    axes.add_patch(Rectangle((column + 0.04, row + 0.06), 0.92, 0.8, linewidth=1.2, **style))
    colour = PAPER if style["facecolor"] == ACCENT else INK
    axes.text(column + 0.5, row + 0.47, text, color=colour, ha="center", va="center", size=10)
