"""One layer of the encoder, with the shape at every arrow, and what comes before and after."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._architecture import draw_half, find, record

ALT = (
    "An encoder layer of the base model, read from bottom to top, with the shape at every arrow. "
    "Source ids (2, 5) are embedded to (2, 5, 512) and positions are added. In the layer, "
    "self-attention comes first, then the feed-forward network, (2, 5, 2048) inside. Around each a "
    "line leads from its input to a box that adds and normalizes. The shape stays (2, 5, 512); "
    "after six such layers it is the memory."
)


def draw(t: Callable[[str], str]) -> Figure:
    """Draw the encoder from its ids upwards."""
    return draw_half(t, decoder=False)


def claims() -> dict[str, bool]:
    """Say of the shapes in the description whether the recorded run has them."""
    half = find(record(), "Transformer.encode")
    length = 5
    return {
        "ids": find(half, "embedding").arguments["ids"].strip() == f"(2, {length})",
        "embedded": find(half, "embedding").result.strip() == f"(2, {length}, 512)",
        "inside": find(half, "expand").result.strip() == f"(2, {length}, 2048)",
        "states": half.result.strip() == f"(2, {length}, 512)",
    }
