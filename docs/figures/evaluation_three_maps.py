"""One sentence in the three attentions of the shipped model: encoder, decoder, cross-attention."""

from collections.abc import Callable, Sequence

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from torch import Tensor

from docs.figures._style import HEATMAP
from transformer import greedy_decode, record_attention
from transformer.inference.shipped import load_pretrained

Translate = Callable[[str], str]

ALT = (
    "Three heatmaps of attention weights, the mean over the heads of the last layer. Encoder: "
    "English against English, the weight spread over the whole square. Decoder: Chinese against "
    "Chinese, none of it above the diagonal. Cross-attention: Chinese against English, nearly one "
    "bright cell a row, a crooked path from the upper left to the lower right."
)
SOURCE = "i bought three books yesterday ."


def draw(t: Translate) -> Figure:
    """Draw the last layers, averaged over their heads."""
    model, tokenizer = load_pretrained()
    src = torch.tensor([tokenizer.encode_source(SOURCE)])
    tgt = torch.tensor([[tokenizer.bos_id, *greedy_decode(model, src)[0]]])
    with torch.no_grad(), record_attention(model) as recorded:
        model(src, tgt)

    def last_layer(name: str) -> Tensor:
        weights = [calls[0][0] for key, calls in recorded.items() if key.endswith(name)]
        return weights[-1].mean(dim=0)

    english = [piece.strip() for piece in tokenizer.pieces(src[0].tolist())]
    reads = tokenizer.pieces(tgt[0].tolist())
    writes = [*reads[1:], "<eos>"]
    fig = Figure(figsize=(4.8, 5.4), layout="constrained")
    (encoder, decoder), (bridge, rest) = fig.subplots(2, 2)
    panels = (
        (encoder, "encoder.layers.1.self_attention", english, english, t("encoder")),
        (decoder, "decoder.layers.1.self_attention", writes, reads, t("decoder")),
        (bridge, "cross_attention", writes, english, t("cross-attention")),
    )
    for axes, name, rows, columns, title in panels:
        image = heatmap(axes, last_layer(name), rows, columns)
        axes.set_title(title, size=10)
    rest.set_axis_off()
    rest.text(0, 0.95, t("Rows ask, columns answer.\nA row adds up to 1."), va="top", size=10)
    below = rest.inset_axes((0, 0.45, 1, 0.08))
    bar = fig.colorbar(image, cax=below, orientation="horizontal", ticks=[0, 0.5, 1])
    bar.set_label(t("attention weight"))
    bar.outline.set_visible(False)
    fig.suptitle(t("Three attentions, three patterns"), size=11)
    return fig


def heatmap(axes: Axes, weights: Tensor, rows: Sequence[str], columns: Sequence[str]) -> AxesImage:
    """Draw one square of weights, its tokens beside it."""
    axes.set_xticks(range(len(columns)), columns, size=9)
    for label in axes.get_xticklabels():
        label.set_rotation(90 if len(label.get_text()) > 1 else 0)  # Chinese stands upright
    axes.set_yticks(range(len(rows)), rows, size=9)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return axes.imshow(
        weights.numpy(), cmap=HEATMAP, vmin=0, vmax=1, aspect="auto", interpolation="none"
    )
