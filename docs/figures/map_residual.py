"""The book's map, with the residual connections and normalizations lit up."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._map import draw_map

Translate = Callable[[str], str]

ALT = (
    "The architecture of the Transformer. Lit up are the boxes that add and normalize, behind "
    "each sub-layer of the encoder and of the decoder."
)


def draw(t: Translate) -> Figure:
    """Draw the map."""
    lit = {"encoder_norms", "decoder_norms", "cross_attention_norm"}
    return draw_map(t, lit, t("Add and normalize after every sub-layer"))
