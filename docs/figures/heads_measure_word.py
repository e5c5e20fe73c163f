"""What the four heads of a cross-attention look at while the shipped model writes 條."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._style import HEATMAP
from transformer import greedy_decode, load_pretrained, record_attention

Translate = Callable[[str], str]

ALT = (
    "Two heatmaps of attention weights over the English sentence, a row for each of four heads, "
    "at the step that writes the measure word 條. In the first cross-attention head 1 gives 0.99 "
    "to two, head 2 about a third each to ate and fish, heads 3 and 4 about half to two. In the "
    "second all four heads give at least 0.9 to fish."
)
SENTENCE = "the cat ate two fish yesterday ."
WRITES = "條"
NAMES = [f"decoder.layers.{layer}.cross_attention" for layer in (0, 1)]


def draw(t: Translate) -> Figure:
    """Draw one heatmap a layer: heads down, source tokens across."""
    pieces, (first, second) = step()
    fig = Figure(figsize=(4.8, 3.8), layout="constrained")
    for axes, weights, title in zip(
        fig.subplots(2, 1, sharex=True),
        (first, second),
        (t("first cross-attention"), t("second cross-attention")),
        strict=True,
    ):
        axes.imshow(weights.numpy(), cmap=HEATMAP, vmin=0, vmax=1, aspect="auto")
        for (row, column), weight in [
            ((r, c), weights[r, c].item()) for r in range(4) for c in range(len(pieces))
        ]:
            if weight >= 0.05:
                ink = "black" if weight > 0.5 else "white"  # the upper half of viridis is light
                axes.text(
                    column, row, f"{weight:.2f}".lstrip("0"), ha="center", va="center", size=9,
                    color=ink,
                )  # fmt: skip
        axes.set_yticks(range(4), [t("head {number}").format(number=n) for n in (1, 2, 3, 4)])
        axes.set_title(title, size=10)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    axes.set_xticks(range(len(pieces)), pieces, rotation=40, ha="right", rotation_mode="anchor")
    fig.suptitle(t("To write 條, heads look at number and noun"), size=11)
    return fig


def step() -> tuple[list[str], list[Tensor]]:
    """The source tokens, and the weights of each layer's four heads at that step."""
    model, tokenizer = load_pretrained()
    src = torch.tensor([tokenizer.encode_source(SENTENCE)])
    writes = greedy_decode(model, src)[0]
    place = tokenizer.pieces(writes).index(WRITES)
    tgt = torch.tensor([[tokenizer.bos_id, *writes]])
    with torch.no_grad(), record_attention(model) as recorded:
        model(src, tgt)
    pieces = [piece.strip() for piece in tokenizer.pieces(src[0].tolist())]
    return pieces, [recorded[name][0][0, :, place] for name in NAMES]


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    pieces, (first, second) = step()
    ate, two, fish = (pieces.index(word) for word in ("ate", "two", "fish"))
    return {
        "head 1: 0.99 for two": round(first[0, two].item(), 2) == 0.99,
        "head 2: a third each": all(0.28 < first[1, i] < 0.38 for i in (ate, fish)),
        "heads 3 and 4: about half for two": all(0.4 < first[h, two] < 0.6 for h in (2, 3)),
        "second layer: fish": bool((second[:, fish].round(decimals=1) >= 0.9).all()),
    }
