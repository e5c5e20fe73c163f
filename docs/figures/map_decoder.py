"""Where the decoder is in the architecture."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._map import draw_map

ALT = (
    "The architecture in small, encoder to the left, decoder to the right. Lit are the decoder's "
    "masked self-attention, cross-attention and feed-forward network, the three normalizations "
    "and the memory's way from the encoder."
)


def draw(t: Callable[[str], str]) -> Figure:
    lit = {"masked_self_attention", "cross_attention", "decoder_feed_forward", "decoder_norms"}
    lit |= {"cross_attention_norm", "memory"}
    return draw_map(t, lit, t("The decoder: what reads the memory and writes"))
