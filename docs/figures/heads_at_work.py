"""All 24 heads of the shipped model on the book's sentence, one small map each."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._style import HEATMAP
from transformer import greedy_decode, load_pretrained, record_attention

Translate = Callable[[str], str]

ALT = (
    "Twenty-four small maps of attention weights, six attentions down, four heads across; rows "
    "ask, columns answer. In the encoder's first layer some heads put nearly all of their weight "
    "into one or two columns. The decoder's maps are empty above the diagonal. The four heads of "
    "the last cross-attention are nearly alike, a path from the upper left to the lower right."
)
SENTENCE = "the cat ate two fish yesterday ."
LAYERS = 2


def draw(t: Translate) -> Figure:
    """Draw a row of four maps for each attention."""
    found = maps()
    fig = Figure(figsize=(4.8, 6.4), layout="constrained")
    kinds = {
        "encoder.layers.{}.self_attention": t("encoder {layer}"),
        "decoder.layers.{}.self_attention": t("decoder {layer}"),
        "decoder.layers.{}.cross_attention": t("cross {layer}"),
    }
    names = {
        kind.format(layer): label.format(layer=layer + 1)
        for kind, label in kinds.items()
        for layer in range(LAYERS)
    }
    panels = fig.subplots(len(names), 4)
    for row, name in enumerate(found):  # in the model's order
        for head, axes in enumerate(panels[row]):
            axes.imshow(
                found[name][head].numpy(), cmap=HEATMAP, vmin=0, vmax=1, aspect="auto",
                interpolation="nearest",
            )  # fmt: skip
            axes.set(xticks=[], yticks=[])
            axes.spines[:].set_visible(False)
            if row == 0:
                axes.set_title(t("head {number}").format(number=head + 1), size=10)
        panels[row][0].set_ylabel(names[name], size=10)
    fig.suptitle(t("Early heads differ,\nthose of the last cross-attention agree"), size=11)
    return fig


def maps() -> dict[str, Tensor]:
    """The weights of each attention: heads, queries, keys."""
    model, tokenizer = load_pretrained()
    src = torch.tensor([tokenizer.encode_source(SENTENCE)])
    tgt = torch.tensor([[tokenizer.bos_id, *greedy_decode(model, src)[0]]])
    with torch.no_grad(), record_attention(model) as recorded:
        model(src, tgt)
    return {name: calls[0][0] for name, calls in recorded.items()}


def distance(weights: Tensor) -> float:
    """How much of the weight two heads place differently: the mean over pairs and queries."""
    apart = (weights[:, None] - weights[None]).abs().sum(dim=-1) / 2
    pairs = len(weights) * (len(weights) - 1)
    return (apart.mean(dim=-1).sum() / pairs).item()


def claims() -> dict[str, bool]:
    """Say of the title and the description whether they are so."""
    found = maps()
    apart = {name: distance(weights) for name, weights in found.items()}
    last = apart.pop("decoder.layers.1.cross_attention")
    columns = found["encoder.layers.0.self_attention"].mean(dim=1)  # of each head, by key
    return {
        "heads of the last cross-attention agree most": last < min(apart.values()) / 2,
        "first layers differ more than second ones": all(
            apart[f"{side}.layers.0.self_attention"] > apart[f"{side}.layers.1.self_attention"]
            for side in ("encoder", "decoder")
        ),
        "columns take most": bool((columns.topk(2).values.sum(dim=-1) > 0.6).sum() >= 2),
        "nothing above the diagonal": all(
            found[f"decoder.layers.{layer}.self_attention"].triu(diagonal=1).eq(0).all()
            for layer in (0, 1)
        ),
    }
