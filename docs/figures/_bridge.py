"""A heatmap of cross-attention: the source's words across, what was written down."""

from collections.abc import Callable

from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._style import HEATMAP

Found = tuple[list[str], list[str], Tensor]  # what `bridge_attention` returns


def draw_bridge(
    t: Callable[[str], str], found: Found, size: tuple[float, float], title: str
) -> Figure:
    """Draw the weights, a row for each token that was written."""
    columns, rows, weights = found
    fig = Figure(figsize=size, layout="constrained")
    axes = fig.subplots()
    image = axes.imshow(
        weights.numpy(), cmap=HEATMAP, vmin=0, vmax=1, aspect="auto", interpolation="none"
    )
    axes.set_xticks(range(len(columns)), [piece.strip() for piece in columns], rotation=90)
    axes.set_yticks(range(len(rows)), [piece.strip() for piece in rows])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_ylabel(t("written, one a step"))
    axes.xaxis.tick_top()
    bar = fig.colorbar(image, location="bottom", shrink=0.6, aspect=30, ticks=[0, 0.5, 1])
    bar.set_label(t("attention weight"))
    bar.outline.set_visible(False)
    fig.suptitle(title, size=11)
    return fig
