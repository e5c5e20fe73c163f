"""How much of all multiplications the output layer takes, by the size of the vocabulary."""

from collections.abc import Callable
from functools import cache

import torch
from matplotlib.figure import Figure
from torch.utils.flop_counter import FlopCounterMode

from docs.figures._style import ACCENT, INK, MUTED
from transformer import Transformer, TransformerConfig, count_parameters

Translate = Callable[[str], str]

ALT = (
    "Two rising lines over the size of the vocabulary, from 1,000 to 256,000, for the base model. "
    "The output layer's share of the multiplications of a training pair goes from 1% to 75%; its "
    "share of those of one decoding step with a cache is always larger, from 2% to 85%. At the "
    "paper's 37,000 ids the two are 30% and 46%."
)
SIZES = 1000, 2000, 4000, 8000, 16000, 37000, 64000, 128000, 256000
LENGTH = 25  # tokens on each side


@cache
def layers() -> tuple[float, float]:
    """Return how often the layers multiply: for a pair, and for one more token with a cache."""
    with torch.device("meta"):
        model = Transformer(TransformerConfig.base(vocab_size=1000)).eval()
        src, tgt = torch.ones(2, 1, LENGTH, dtype=torch.long)
        with FlopCounterMode(display=False) as pair:
            memory = model.encode(src)
            model.decode(tgt, memory, None)
        new = model.new_cache()
        model.decode(tgt[:, :-1], memory, None, new)
        with FlopCounterMode(display=False) as step:
            model.decode(tgt[:, -1:], memory, None, new)
    return pair.get_total_flops() / 2, step.get_total_flops() / 2


def shares(size: int) -> tuple[float, float]:
    """Return the output layer's share for a training pair, and for a decoding step."""
    pair, step = layers()
    token = 512 * size
    return LENGTH * token / (pair + LENGTH * token), token / (step + token)


def parameters(size: int) -> float:
    """Return the share of all parameters that the tied matrix holds."""
    with torch.device("meta"):
        counts = count_parameters(Transformer(TransformerConfig.base(vocab_size=size)))
    return counts["src_embedding"] / counts["total"]


def draw(t: Translate) -> Figure:
    """Draw both shares over the size."""
    fig = Figure(figsize=(4.8, 3.0), layout="constrained")
    ax = fig.subplots()
    pair, step = zip(*(shares(size) for size in SIZES))
    ax.plot(SIZES, [100 * share for share in step], color=ACCENT, marker="o", markersize=4)
    ax.plot(SIZES, [100 * share for share in pair], color=INK, marker="s", markersize=4)
    ax.axvline(37000, color=MUTED, linewidth=0.8, linestyle="--")
    ax.text(34000, 94, t("the paper’s vocabulary"), ha="right", color=MUTED)
    ax.text(34000, 49, "46%", ha="right", color=ACCENT)
    ax.text(40000, 24, "30%", color=INK)
    ax.text(14000, 46, t("one step of decoding,\nwith a cache"), ha="right", color=ACCENT, size=10)
    ax.text(45000, 9, t("one pair in training"), color=INK, size=10)
    ax.set(xscale="log", ylim=(0, 100), yticks=[0, 25, 50, 75, 100])
    ax.set_xticks([1000, 8000, 37000, 256000], ["1,000", "8,000", "37,000", "256,000"])
    ax.set_xticks([], minor=True)
    ax.set_xlabel(t("ids in the vocabulary"))
    ax.set_ylabel(t("share of all multiplications (%)"), fontsize=10)
    ax.set_title(
        t("Writing word by word, the output layer\nis nearly half of the base model’s work"),
        fontsize=11,
    )
    return fig


def claims() -> dict[str, bool]:
    """Say of the shares in title and description whether they are so."""
    rounded = {size: tuple(round(100 * share) for share in shares(size)) for size in SIZES}
    return {
        "from 1% to 75%": (rounded[1000][0], rounded[256000][0]) == (1, 75),
        "from 2% to 85%": (rounded[1000][1], rounded[256000][1]) == (2, 85),
        "30% and 46%": rounded[37000] == (30, 46),
        "always larger": all(step > pair for pair, step in rounded.values()),
    }
