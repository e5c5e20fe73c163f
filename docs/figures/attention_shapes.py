"""The matrices of one head of attention as blocks, a cell for each number."""

from collections.abc import Callable

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import nn

from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import scaled_dot_product_attention

Translate = Callable[[str], str]

ALT = (
    "Three products of matrices, one below the other, drawn as blocks with a cell for each "
    "number, all cells of one size. X, 8 by 16, times W_Q, 16 by 4, is Q, 8 by 4. Q, 8 by 4, "
    "times K transposed, 4 by 8, are the dot products, 8 by 8. The weights, 8 by 8, times V, 8 by "
    "4, are the output, 8 by 4. K and V come from X as Q does. Queries, keys and values have a "
    "colour each; the output has that of the values."
)
TOKENS, D_MODEL, WIDTH = 8, 16, 4
SIGN, LINE = 2.4, 1.9  # cells: what a sign needs, and a line of text

Block = tuple[str, str, int, int]  # name, colour, rows, columns


def draw(t: Translate) -> Figure:
    """Draw a line for each product."""
    q = ("Q", ACCENT, TOKENS, WIDTH)
    lines = (
        (("X", INK, TOKENS, D_MODEL), ("W_Q", ACCENT, D_MODEL, WIDTH), q),
        (q, ("Kᵀ", SECOND, WIDTH, TOKENS), (t("dot products"), INK, TOKENS, TOKENS)),
        (
            (t("weights"), INK, TOKENS, TOKENS),
            ("V", MUTED, TOKENS, WIDTH),
            (t("output"), MUTED, TOKENS, WIDTH),
        ),
    )
    fig = Figure(figsize=(4.6, 7.0), layout="constrained")
    fig.suptitle(t("The shapes of one head, to scale"), size=11)
    axes = fig.subplots()
    axes.set_axis_off()
    notes = (
        "",
        t("K and V come from X as Q does."),
        t("Divided by √dₖ they are scores; softmax makes weights of these."),
    )
    y = 0.0
    for blocks, note in zip(lines, notes, strict=True):
        if note:
            axes.text(0, y + LINE / 2, note, va="center", size=9)
            y += LINE
        height = max(rows for _, _, rows, _ in blocks)
        _line(axes, blocks, y + LINE + height / 2)
        y += LINE + height + LINE
    total = sum(columns for *_, columns in lines[0]) + 2 * SIGN
    axes.set(xlim=(-0.1, total + 0.1), ylim=(y, 0), aspect="equal")
    return fig


def _line(axes: Axes, blocks: tuple[Block, ...], middle: float) -> None:
    """Draw factors and product from left to right, their middles at one height."""
    left = 0.0
    for (name, colour, rows, columns), sign in zip(blocks, ("·", "=", ""), strict=True):
        top, bottom, right = middle - rows / 2, middle + rows / 2, left + columns
        fill = Rectangle(
            (left, top),
            columns,
            rows,
            facecolor=colour,
            alpha=0.08 if colour == INK else 0.3,
            linewidth=0,
        )
        axes.add_patch(fill)
        for column in range(columns + 1):
            axes.plot([left + column] * 2, [top, bottom], color=colour, linewidth=0.6)
        for row in range(rows + 1):
            axes.plot([left, right], [top + row] * 2, color=colour, linewidth=0.6)
        centre = (left + right) / 2
        axes.text(centre, top - 0.3, name, ha="center", va="bottom", weight="bold")
        axes.text(centre, bottom + 0.3, f"{rows} × {columns}", ha="center", va="top")
        axes.text(right + SIGN / 2, middle, sign, ha="center", va="center", size=15, weight="bold")
        left = right + SIGN


def claims() -> dict[str, bool]:
    """Say of the shapes whether they are so, with a head of the package."""
    x = torch.randn(TOKENS, D_MODEL)
    q, k, v = (nn.Linear(D_MODEL, WIDTH, bias=False)(x) for _ in range(3))
    output, weights = scaled_dot_product_attention(q, k, v)
    return {
        "Q is 8 by 4": q.shape == (8, 4),
        "K transposed is 4 by 8": k.T.shape == (4, 8),
        "scores and weights are 8 by 8": weights.shape == (8, 8),
        "the output is 8 by 4": output.shape == (8, 4),
    }
