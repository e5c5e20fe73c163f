"""Where positions are added: the architecture in small, with that part lit up."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._map import draw_map

Translate = Callable[[str], str]

ALT = (
    "The architecture in small, encoder on the left, decoder on the right. Lit up on both sides "
    "is the box right above the embedding: add positions."
)


def draw(t: Translate) -> Figure:
    """Light up both places."""
    return draw_map(t, {"src_position", "tgt_position"}, t("Positions are added below all layers"))
