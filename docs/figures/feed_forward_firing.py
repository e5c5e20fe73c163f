"""How many neurons of the shipped model fire at each token of the book's sentence."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._style import ACCENT, MUTED, SECOND
from transformer import greedy_decode, load_pretrained

Translate = Callable[[str], str]

ALT = (
    "Two groups of bars, a pair for each token, one bar a layer: how many of 512 neurons fire. At "
    "the eight tokens of the English sentence between 3 and 47; at the twelve of the Chinese one "
    "between 20 and 85. Behind each a pale bar reaches up to 512."
)
SOURCE = "the cat ate two fish yesterday ."


def draw(t: Translate) -> Figure:
    """Draw a bar for each token and layer, encoder above decoder."""
    sides = firing()
    fig = Figure(figsize=(4.8, 4.6), layout="constrained")
    panels = fig.subplots(2, 1, sharey=True)
    titles = t("encoder reads"), t("decoder reads")
    for axes, title, (tokens, counts) in zip(panels, titles, sides, strict=True):
        places = range(len(tokens))
        names = t("first layer"), t("second layer")
        for shift, row, colour, name in zip((-0.2, 0.2), counts, (SECOND, ACCENT), names):
            where = [place + shift for place in places]
            silent = axes.bar(where, 512, 0.38, color=MUTED, alpha=0.25)
            axes.bar(where, row.tolist(), 0.38, color=colour, label=name)
        axes.set_xticks(places, tokens, size=9)
        for label in axes.get_xticklabels():
            label.set_rotation(90 if len(label.get_text()) > 1 else 0)  # Chinese stands upright
            if label.get_text() == ".":
                label.set_size(16)  # small, it looks like dirt
        axes.tick_params(axis="x", length=0)
        axes.set_title(title, size=10, loc="left")
        axes.set(ylim=(0, 512), yticks=[0, 256, 512])
    fig.supylabel(t("neurons that fire, of 512"), fontsize=10)
    handles, labels = panels[0].get_legend_handles_labels()
    handles, labels = [*handles, silent], [*labels, t("silent")]
    fig.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    fig.suptitle(t("At each token most neurons are silent"), fontsize=11)
    return fig


def firing() -> list[tuple[list[str], Tensor]]:
    """Return for each side its tokens, and counts of shape `(layers, tokens)`."""
    model, tokenizer = load_pretrained()
    src = torch.tensor([tokenizer.encode_source(SOURCE)])
    tgt = torch.tensor([[tokenizer.bos_id, *greedy_decode(model, src)[0]]])
    hidden: list[Tensor] = []
    layers = (*model.encoder.layers, *model.decoder.layers)
    hooks = [
        layer.feed_forward.expand.register_forward_hook(lambda _, __, out: hidden.append(out[0]))
        for layer in layers
    ]
    with torch.no_grad():
        model(src, tgt)
    for hook in hooks:
        hook.remove()
    counts = [(h > 0).sum(dim=-1) for h in hidden]
    pieces = [[p.strip() for p in tokenizer.pieces(ids[0].tolist())] for ids in (src, tgt)]
    return [(pieces[0], torch.stack(counts[:2])), (pieces[1], torch.stack(counts[2:]))]


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    (english, encoder), (chinese, decoder) = firing()

    def span(counts: Tensor) -> tuple[int, int]:
        return int(counts.min()), int(counts.max())

    return {
        "8 tokens, 3 to 47": (len(english), span(encoder)) == (8, (3, 47)),
        "12 tokens, 20 to 85": (len(chinese), span(decoder)) == (12, (20, 85)),
    }
