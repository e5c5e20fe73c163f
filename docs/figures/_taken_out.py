"""The shipped model with a sub-layer taken out: how many sentences it still translates."""

from collections.abc import Callable
from functools import cache

import torch
from matplotlib.figure import Figure
from torch import Tensor, nn

from docs.figures._sentences import sentences
from docs.figures._style import ACCENT, MUTED
from transformer import Transformer, greedy_decode
from transformer.inference.shipped import load_pretrained

SENTENCES = 100
LONGEST = 40  # tokens, more than any of the right translations has
Translate = Callable[[str], str]


class Nothing(nn.Module):
    """A sub-layer that finds nothing: what is added to the state is zero."""

    def forward(self, x: Tensor, *_: object, **__: object) -> Tensor:
        return torch.zeros_like(x)


@cache
def right_without(path: str = "") -> int:
    """How many of 100 validation sentences come out right with this module put out of action."""
    model, tokenizer = load_pretrained()
    if path:
        silence(model, path)
    pairs = sentences(SENTENCES)
    ids = [tokenizer.encode_source(pair.source) for pair in pairs]
    src = torch.zeros(len(ids), max(map(len, ids)), dtype=torch.long)
    for row, sentence in enumerate(ids):
        src[row, : len(sentence)] = torch.tensor(sentence)
    outputs = greedy_decode(model, src, max_new_tokens=LONGEST)
    wrong = (tokenizer.decode(o) != p.target for o, p in zip(outputs, pairs, strict=True))
    return SENTENCES - sum(wrong)


def silence(model: Transformer, path: str) -> None:
    """Let a sub-layer add nothing; of a stack, take all layers."""
    parent, _, name = path.rpartition(".")
    owner = model.get_submodule(parent)
    setattr(owner, name, nn.ModuleList() if name == "layers" else Nothing())


def bars(rows: dict[str, int], title: str, label: str, height: float) -> Figure:
    """Draw one bar a row; the first row, the whole model, in grey."""
    fig = Figure(figsize=(4.8, height), layout="constrained")
    axes = fig.subplots()
    colours = [MUTED, *[ACCENT] * (len(rows) - 1)]
    drawn = axes.barh([*rows], [*rows.values()], 0.65, color=colours)
    axes.bar_label(drawn, padding=3)
    axes.invert_yaxis()
    axes.set(xlim=(0, 110), xlabel=label, xticks=[0, 50, 100])
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right"]].set_visible(False)
    fig.suptitle(title, size=11)
    return fig
