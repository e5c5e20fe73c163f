"""Masks as grids of cells, for the figures that show them."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from docs.figures._style import ACCENT, INK, MUTED, PAPER

Style = Mapping[str, Any]  # of a patch

VISIBLE: Style = {"facecolor": ACCENT}
PADDING: Style = {"facecolor": "none", "hatch": "////", "edgecolor": MUTED, "linewidth": 0}
FUTURE: Style = {"facecolor": MUTED, "alpha": 0.45}


def grid(axes: Axes, rows: Sequence[str], columns: Sequence[str]) -> None:
    """Make empty axes for one square cell a row and column, labelled with these."""
    axes.set(
        xlim=(0, len(columns)), ylim=(len(rows), 0), aspect="equal",
        xticks=[i + 0.5 for i in range(len(columns))], xticklabels=columns,
        yticks=[i + 0.5 for i in range(len(rows))], yticklabels=rows,
    )  # fmt: skip
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def cell(axes: Axes, row: int, column: int, styles: Sequence[Style], text: str = "") -> None:
    """Fill one cell, its border on top; text on a hatch stands on a patch of paper."""
    for style in styles:
        axes.add_patch(Rectangle((column, row), 1, 1, **style))
    axes.add_patch(Rectangle((column, row), 1, 1, facecolor="none", edgecolor=INK, linewidth=1))
    colour = PAPER if VISIBLE in styles else INK
    written = axes.text(column + 0.5, row + 0.52, text, color=colour, size=11)
    written.set(ha="center", va="center")
    if text and PADDING in styles:
        written.set_bbox({"facecolor": PAPER, "edgecolor": "none", "pad": 1})
