"""The book's map with six numbers, those of the lines that the recorded forward pass marks."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._map import draw_map

Translate = Callable[[str], str]

ALT = (
    "The architecture in small with six numbers. 1 is on both embeddings. In the encoder, 2 is "
    "self-attention and 3 the feed-forward network. In the decoder, 4 is masked self-attention "
    "and 5 cross-attention, to which the memory leads. 6 is the output layer."
)
NUMBERS = {
    "src_embedding": 1,
    "tgt_embedding": 1,
    "encoder_self_attention": 2,
    "encoder_feed_forward": 3,
    "masked_self_attention": 4,
    "cross_attention": 5,
    "output_layer": 6,
}


def draw(t: Translate) -> Figure:
    """Draw the map."""
    return draw_map(t, {*NUMBERS}, t("Six calls of a forward pass, and their places"), NUMBERS)
