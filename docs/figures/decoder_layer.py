"""One layer of the decoder, with the shape at every arrow, and what comes before and after."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._architecture import draw_half, find, record

ALT = (
    "A decoder layer of the base model, read from bottom to top, with the shape at every arrow. "
    "Target ids (2, 4) are embedded to (2, 4, 512) and positions are added. In the layer come "
    "masked self-attention, cross-attention, into which the memory comes from the left, and the "
    "feed-forward network, (2, 4, 2048) inside. Around each a line leads from its input to a box "
    "that adds and normalizes. The shape stays (2, 4, 512)."
)


def draw(t: Callable[[str], str]) -> Figure:
    """Draw the decoder from its ids upwards."""
    return draw_half(t, decoder=True)


def claims() -> dict[str, bool]:
    """Say of the shapes in the description whether the recorded run has them."""
    half = find(record(), "Transformer.decode")
    length = 4
    return {
        "ids": find(half, "embedding").arguments["ids"].strip() == f"(2, {length})",
        "embedded": find(half, "embedding").result.strip() == f"(2, {length}, 512)",
        "inside": find(half, "expand").result.strip() == f"(2, {length}, 2048)",
        "states": half.result.strip() == f"(2, {length}, 512)",
    }
