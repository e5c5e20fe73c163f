"""Variance of each token's sum in the shipped model's encoder, before and after LayerNorm."""

from collections.abc import Callable
from functools import cache

import torch
from matplotlib.figure import Figure
from torch import Tensor, nn

from docs.figures._style import ACCENT, INK, SECOND
from transformer import load_pretrained

Translate = Callable[[str], str]

SENTENCE = "the cat ate two fish yesterday ."

ALT = (
    "The eight tokens of the cat ate two fish yesterday, full stop and end, from top to bottom, "
    "with two dots each on a logarithmic axis: the variance of the sum behind the first "
    "feed-forward network of the shipped model, and the variance of the state that LayerNorm "
    "makes of it. The sums spread from 1.5 to 26, the largest for the end token; behind the "
    "normalization all lie between 0.5 and 0.6."
)


@cache
def variances() -> tuple[list[str], list[float], list[float]]:
    """Return the tokens, the variance of each sum, and of each state made of it."""
    model, tokenizer = load_pretrained()
    ids = tokenizer.encode_source(SENTENCE)
    norm = model.get_submodule("encoder.layers.0.feed_forward_norm")
    seen: list[Tensor] = []

    def note(_: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        seen.extend([inputs[0], output])

    handle = norm.register_forward_hook(note)
    with torch.no_grad():
        model.encode(torch.tensor([ids]))
    handle.remove()
    sums, states = (x[0].var(dim=-1, correction=0).tolist() for x in seen)
    return [*SENTENCE.split(), "<eos>"], sums, states


def draw(t: Translate) -> Figure:
    """Draw two dots for each token."""
    tokens, sums, states = variances()
    rows = range(len(tokens))
    fig = Figure(figsize=(4.8, 3.6), layout="constrained")
    fig.suptitle(t("Sums of very different sizes,\nstates of one size"), size=11)
    axes = fig.subplots()
    axes.hlines(rows, states, sums, color=INK, linewidth=0.6)
    axes.plot(sums, rows, "o", color=ACCENT, label=t("the sum x + feed-forward(x)"))
    axes.plot(states, rows, "s", color=SECOND, label=t("after LayerNorm"))
    axes.set(
        xscale="log", yticks=rows, yticklabels=tokens, xlabel=t("variance over the 128 numbers")
    )
    axes.set_xticks([0.5, 1, 2, 5, 10, 20], ["0.5", "1", "2", "5", "10", "20"])
    axes.minorticks_off()
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    fig.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    return fig


def claims() -> dict[str, bool]:
    """Say of the description whether it is so."""
    tokens, sums, states = variances()
    return {
        "eight tokens": len(tokens) == len(sums) == 8,
        "sums from 1.5 to 26": (round(min(sums), 1), round(max(sums))) == (1.5, 26),
        "the end token's is the largest": max(sums) == sums[-1],
        "states between 0.5 and 0.6": 0.5 < min(states) < max(states) < 0.6,
    }
