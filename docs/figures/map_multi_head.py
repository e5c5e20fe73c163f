"""Where multi-head attention is at work in the architecture."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._map import draw_map

ALT = (
    "The architecture in small, encoder to the left, decoder to the right. The three attentions "
    "are lit: self-attention, masked self-attention and cross-attention."
)


def draw(t: Callable[[str], str]) -> Figure:
    lit = {"encoder_self_attention", "masked_self_attention", "cross_attention"}
    return draw_map(t, lit, t("One class in three places"))
