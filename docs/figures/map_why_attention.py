"""Where the Transformer attends in the architecture: three times."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._map import draw_map

ALT = (
    "The architecture in small, encoder to the left, decoder to the right. Lit are the three "
    "places where tokens look at tokens: self-attention, masked self-attention, cross-attention."
)


def draw(t: Callable[[str], str]) -> Figure:
    lit = {"encoder_self_attention", "masked_self_attention", "cross_attention"}
    return draw_map(t, lit, t("Three times, tokens look at tokens"))
