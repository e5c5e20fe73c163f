"""The whole model again, with the way of one row of the source, and the numbers of its steps."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._architecture import draw_machine, find, record

ALT = (
    "The base model, read from bottom to top, with a thick line from the source ids to the "
    "probabilities and six numbers on it. 1: source ids (2, 5). 2: embedding and position make "
    "(2, 5, 512) of them. 3: six encoder layers of self-attention and feed-forward network, each "
    "with a residual connection around it, keep that shape. 4: the memory (2, 5, 512). 5: it "
    "crosses to the right into the cross-attention of each of six decoder layers, and from there "
    "the line goes on with the states of the target, (2, 4, 512). 6: the output layer makes logits "
    "(2, 4, 37000), and softmax probabilities of the same shape. Target ids (2, 4) enter below, "
    "through embedding, positions and masked self-attention, as (2, 4, 512)."
)


def draw(t: Callable[[str], str]) -> Figure:
    """Draw the model, and over it the way of one row."""
    return draw_machine(t, journey=True)


def claims() -> dict[str, bool]:
    """Say of the shapes in the description whether the recorded run has them."""
    tree = record()
    encode, decode = find(tree, "Transformer.encode"), find(tree, "Transformer.decode")
    project = find(tree, "Transformer.project")
    source, target = find(encode, "embedding"), find(decode, "embedding")
    stated = {
        "source ids": (source.arguments["ids"], "(2, 5)"),
        "embedded": (source.result, "(2, 5, 512)"),
        "memory": (encode.result, "(2, 5, 512)"),
        "target ids": (target.arguments["ids"], "(2, 4)"),
        "embedded target": (target.result, "(2, 4, 512)"),
        "the decoder's states": (decode.result, "(2, 4, 512)"),
        "logits": (project.result, "(2, 4, 37000)"),
    }
    layers = [find(half, "Layer(layers").count for half in (encode, decode)]
    return {name: shape.strip() == text for name, (shape, text) in stated.items()} | {
        "six layers in each half": layers == [6, 6]
    }
