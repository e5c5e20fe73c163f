"""Where the output layer is in the architecture."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._map import draw_map

ALT = (
    "The architecture in small, encoder to the left, decoder to the right. The topmost box of the "
    "decoder's column is lit: the output layer, above all other parts."
)


def draw(t: Callable[[str], str]) -> Figure:
    """Light up the last box."""
    return draw_map(t, {"output_layer"}, t("The output layer: the last box, on top"))
