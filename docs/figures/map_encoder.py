"""Where the encoder is in the architecture."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._map import draw_map

ALT = (
    "The architecture in small, encoder to the left, decoder to the right. Lit are the encoder's "
    "self-attention, its feed-forward network, the two normalizations and the memory's way to the "
    "decoder."
)


def draw(t: Callable[[str], str]) -> Figure:
    lit = {"encoder_self_attention", "encoder_feed_forward", "encoder_norms", "memory"}
    return draw_map(t, lit, t("The encoder: what makes the memory"))
