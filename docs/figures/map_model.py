"""The architecture with every part lit: the chapter that puts them together."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._map import BOXES, draw_map

ALT = (
    "The architecture in small, encoder to the left, decoder to the right. Every box is lit, from "
    "the two embeddings at the bottom to the output layer on top, and so is the memory's way from "
    "the encoder to the decoder."
)


def draw(t: Callable[[str], str]) -> Figure:
    """Draw the map, all of it in colour."""
    return draw_map(t, BOXES, t("The whole model: every part in its place"))


def claims() -> dict[str, bool]:
    """Say whether the memory is among what is lit."""
    return {"the memory too": "memory" in BOXES}
