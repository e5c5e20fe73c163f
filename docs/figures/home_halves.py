"""Both halves of the machine, and which of its well-known heirs kept which."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._map import BOXES, LEFT, RIGHT, SIZE, draw_map
from docs.figures._style import ACCENT

ALT = (
    "The architecture in small, encoder to the left, decoder to the right. Lit is all that BERT or "
    "GPT kept: under the encoder stands BERT, under the decoder GPT. Grey is what neither has, "
    "cross-attention with its normalization, and the memory's way to it from the encoder. The thin "
    "bars add and normalize."
)
GREY = {"cross_attention", "cross_attention_norm", "memory"}
FOOT = 0.35  # inches below the boxes


def draw(t: Callable[[str], str]) -> Figure:
    """Draw the map with room for two names below it."""
    fig = draw_map(
        t, BOXES - GREY, t("BERT kept the left half,\nGPT the right one, without the grey part")
    )
    fig.set_size_inches(SIZE[0], SIZE[1] + FOOT)
    [axes] = fig.axes
    axes.set_ylim(-FOOT, SIZE[1])
    for x, name in ((LEFT, t("BERT reads")), (RIGHT, t("GPT writes"))):
        axes.text(x, -FOOT / 2, name, ha="center", va="center", weight="bold", color=ACCENT)
    axes.text(LEFT, 2.3, t("thin bars:\nadd and normalize"), ha="center", va="center", size=9)
    return fig
