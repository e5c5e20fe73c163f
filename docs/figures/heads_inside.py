"""The inside of multi-head attention from bottom to top, with the shape at every arrow."""

from collections.abc import Callable

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from docs.figures._style import ACCENT, INK, MUTED, PAPER, SECOND
from transformer import MultiHeadAttention, attention_scores

Translate = Callable[[str], str]

ALT = (
    "A flow from bottom to top, with the shape at every arrow. X, of shape (batch, seq_len, "
    "d_model), goes into three linear layers, for queries, keys and values, which keep the shape. "
    "All three are split into heads: (batch, num_heads, seq_len, d_k), values d_v. Three cards lie "
    "one behind the other, one for each head. In a card, queries and keys make scores, (batch, "
    "num_heads, seq_len, seq_len); then come the mask and softmax, and with these weights an "
    "average of the values, which go past them: (batch, num_heads, seq_len, d_v). The heads are "
    "concatenated, (batch, seq_len, d_model), and a last linear layer makes the output, of the "
    "same shape as X."
)

BOX, GAP = 0.28, 0.3  # inches: heights of a box and of an arrow
MIDDLE, HALF = 1.0, 0.95  # of the column of boxes
SHAPES = 2.22  # where shapes begin
QUERIES, KEYS, VALUES = MIDDLE - 0.64, MIDDLE, MIDDLE + 0.64
PAST = 3 * BOX + 3 * GAP  # how far the values go past scores, mask and softmax
BACK = 0.08  # from one card to the one behind it
SIZE = 4.75, 5.95


def draw(t: Translate) -> Figure:
    """Draw from the bottom upwards."""
    fig = Figure(figsize=SIZE)
    axes = fig.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, SIZE[0]), ylim=(0, SIZE[1]))
    axes.set_axis_off()
    states, split = "(batch, seq_len, d_model)", "(batch, num_heads, seq_len, d_k)"
    square, found = "(batch, num_heads, seq_len, seq_len)", "(batch, num_heads, seq_len, d_v)"

    y = 0.22
    axes.text(MIDDLE, y - 0.05, "X", ha="center", va="top", weight="bold")
    ways = [
        (t("queries"), QUERIES, ACCENT),
        (t("keys"), KEYS, SECOND),
        (t("values"), VALUES, MUTED),
    ]
    for _, x, _ in ways:
        axes.plot([MIDDLE, MIDDLE, x, x], [y, y + 0.08, y + 0.08, y + 0.12], color=INK, linewidth=1)
    y = _note(axes, y + 0.06, states)
    for name, x, colour in ways:
        _arrow(axes, x, y - GAP + 0.06, y)
        _box(axes, y, t("linear"), x, 0.29, colour)
        _arrow(axes, x, y + BOX, y + BOX + GAP)
        axes.text(x + 0.06, y + BOX + GAP / 2, name, va="center", size=9, color=colour)
    y = _note(axes, y + BOX, states)
    y = _box(axes, y, t("split into heads"))

    for card in (2, 1, 0):
        corner = MIDDLE - HALF - 0.03 + BACK * card, y + 0.1 + BACK * card
        size = 2 * HALF + 0.06, PAST + GAP + BOX + 0.02
        axes.add_patch(_round(corner, size, PAPER, INK))
    for _, x, _ in ways:
        _arrow(axes, x, y, y + GAP + (PAST if x == VALUES else 0))
    y = _note(axes, y, split)
    left = (QUERIES + KEYS) / 2
    for name, shape in ((t("scores"), square), (t("mask"), square), (t("softmax"), square)):
        y = _box(axes, y, name, left, HALF - 0.35)
        _arrow(axes, left, y, y + GAP)
        y = _note(axes, y, shape)
    y = _box(axes, y, t("average of the values"))
    y = _step(axes, y, found, 2 * BACK + 0.12)
    y = _box(axes, y, t("concatenate"))
    y = _step(axes, y, states)
    y = _box(axes, y, t("linear"))
    y = _step(axes, y, states)
    axes.text(MIDDLE, y + 0.02, t("output"), ha="center", va="bottom", weight="bold")
    title = t("Project, split, attend in every head, concatenate")
    axes.text(SIZE[0] / 2, y + 0.45, title, ha="center", va="center", size=11)
    return fig


def _step(axes: Axes, y: float, shape: str, more: float = 0) -> float:
    """Lead from one box to the next, and return where that begins."""
    _arrow(axes, MIDDLE, y, y + GAP + more)
    return _note(axes, y + more, shape)


def _arrow(axes: Axes, x: float, start: float, end: float) -> None:
    style = {"arrowstyle": "-|>", "color": INK, "lw": 1, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", (x, end), (x, start), arrowprops=style)


def _note(axes: Axes, y: float, shape: str) -> float:
    """Write the shape of what passes here, and return where the arrow ends."""
    axes.text(SHAPES, y + GAP / 2, shape, va="center", size=9)
    return y + GAP


def _box(
    axes: Axes, y: float, name: str, x: float = MIDDLE, half: float = HALF, colour: str = INK
) -> float:
    """Draw a box, and return the height of its top."""
    axes.add_patch(_round((x - half, y), (2 * half, BOX), PAPER, colour))
    axes.text(x, y + BOX / 2, name, ha="center", va="center", size=9)
    return y + BOX


def _round(
    corner: tuple[float, float], size: tuple[float, float], fill: str, edge: str
) -> FancyBboxPatch:
    shape = "round,pad=0,rounding_size=0.06"
    return FancyBboxPatch(corner, *size, boxstyle=shape, facecolor=fill, edgecolor=edge)


def claims() -> dict[str, bool]:
    """Say of the shapes whether they are so, with the package's attention."""
    batch, seq_len, d_model, num_heads = 2, 8, 16, 4
    attention = MultiHeadAttention(d_model, num_heads)
    x = torch.randn(batch, seq_len, d_model)
    projected = attention.q_proj(x)
    q = attention.split_heads(projected, attention.d_k)
    heads = attention.attend(q, q, q, None)
    joined = attention.concatenate_heads(heads)
    return {
        "the linear layers keep the shape": projected.shape == x.shape,
        "split": q.shape == (batch, num_heads, seq_len, attention.d_k),
        "scores": attention_scores(q, q).shape == (batch, num_heads, seq_len, seq_len),
        "found": heads.shape == (batch, num_heads, seq_len, attention.d_v),
        "concatenated": joined.shape == x.shape,
        "the output has the shape of X": attention.out_proj(joined).shape == x.shape,
    }
