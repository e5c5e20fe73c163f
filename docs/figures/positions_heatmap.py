"""The table of sines and cosines that the shipped model adds, as a heatmap."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._style import HEATMAP
from transformer import PositionalEncoding

Translate = Callable[[str], str]

ALT = (
    "A heatmap of the positional encoding: 60 positions downwards, 128 dimensions to the right, "
    "colours from -1 to 1. On the left the columns change from row to row. Further to the right "
    "the stripes grow longer, and from about dimension 80 on every column keeps one colour over "
    "all 60 positions: sines near 0 beside cosines near 1."
)

POSITIONS, D_MODEL, STILL = 60, 128, 80


def draw(t: Translate) -> Figure:
    """Draw positions downwards, dimensions to the right."""
    fig = Figure(figsize=(4.8, 3.3), layout="constrained")
    axes = fig.subplots()
    image = axes.imshow(
        PositionalEncoding(D_MODEL, POSITIONS).table.numpy(), cmap=HEATMAP, vmin=-1, vmax=1,
        aspect="auto", interpolation="none",
    )  # fmt: skip
    axes.set(xlabel=t("dimension"), ylabel=t("position"), xticks=range(0, D_MODEL, 20))
    axes.set_title(t("The left dimensions tell neighbours apart,\nthe right ones hardly move"))
    bar = fig.colorbar(image, ticks=[-1, 0, 1])
    bar.outline.set_visible(False)
    return fig


def claims() -> dict[str, bool]:
    """What title and text say."""
    table = PositionalEncoding(D_MODEL, POSITIONS).table
    steps = (table[1:] - table[:-1]).abs().mean(dim=0)
    right = table[:, STILL:]
    return {
        "on the left the columns change from row to row": bool((steps[:4] > 0.4).all()),
        "from 80 on one colour: sines near 0, cosines near 1": bool(
            (right[:, ::2].abs() < 0.2).all() and (right[:, 1::2] > 0.98).all()
        ),
        "the stripes grow longer": bool((steps[2::2] <= steps[:-2:2]).all()),
    }
