"""The whole model, with the shape at every arrow as `trace` recorded it on a real run."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._architecture import draw_machine

ALT = (
    "The base model, read from bottom to top. Left, the encoder: source ids of shape (2, 5) are "
    "embedded to (2, 5, 512), positions are added, and six layers of self-attention and "
    "feed-forward network follow, each sub-layer with a residual connection around it. The result, "
    "the memory (2, 5, 512), crosses to the right into the cross-attention of each decoder layer. "
    "Right, the decoder: target ids (2, 4) are embedded to (2, 4, 512), positions are added, and "
    "six layers of masked self-attention, cross-attention and feed-forward network follow. The "
    "output layer turns the states into logits of shape (2, 4, 37000), and softmax makes "
    "probabilities of them."
)


def draw(t: Callable[[str], str]) -> Figure:
    """Draw encoder, decoder and the cross-attention between them."""
    return draw_machine(t)
