"""Where the feed-forward networks are: one in each layer, on both sides."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._map import draw_map

ALT = (
    "The architecture in small: on the left the encoder, on the right the decoder. Lit up are the "
    "two boxes Feed-forward: in the encoder the one after self-attention, in the decoder the one "
    "after cross-attention."
)


def draw(t: Callable[[str], str]) -> Figure:
    """Draw the map, the feed-forward networks lit up."""
    lit = {"encoder_feed_forward", "decoder_feed_forward"}
    return draw_map(t, lit, t("The last step of every layer"))
