"""Where embeddings are at work in the architecture."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._map import draw_map

ALT = (
    "The architecture in small, encoder to the left, decoder to the right. The lowest box on "
    "each side is lit: the embedding."
)


def draw(t: Callable[[str], str]) -> Figure:
    lit = {"src_embedding", "tgt_embedding"}
    return draw_map(t, lit, t("Embeddings: where ids become vectors"))
