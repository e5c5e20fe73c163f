"""Where the formula of attention is at work in the architecture."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._map import draw_map

ALT = (
    "The architecture in small, encoder to the left, decoder to the right. Three boxes are lit: "
    "self-attention in the encoder, masked self-attention and cross-attention in the decoder."
)


def draw(t: Callable[[str], str]) -> Figure:
    """Light up the three attentions."""
    lit = {"encoder_self_attention", "masked_self_attention", "cross_attention"}
    return draw_map(t, lit, t("Only here do tokens look at each other"))
