"""How much of an encoder layer of the base model is feed-forward: numbers, and multiplications."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, MUTED, PAPER, SECOND
from transformer import Transformer, TransformerConfig

Translate = Callable[[str], str]

ALT = (
    "Six bars of 100%, each cut into feed-forward network, the projections of attention, and its "
    "scores and averages. Of the parameters of an encoder layer the feed-forward network has 67%. "
    "Of its multiplications it has 66% with 50 tokens, 57% with 512, 50% with 1,024, 40% with "
    "2,048 and 18% with 8,192, where scores and averages take 73%."
)
D_MODEL, D_FF = 512, 2048
LENGTHS = 50, 512, 1024, 2048, 8192


def draw(t: Translate) -> Figure:
    """Draw one bar for the parameters, and one for each length."""
    rows = {0: parameters()} | {y: multiplications(n) for y, n in enumerate(LENGTHS, 2)}
    lengths = [t("{n} tokens").format(n=f"{n:,}") for n in LENGTHS]
    labels = [t("feed-forward"), t("projections"), t("scores and averages")]
    fig = Figure(figsize=(4.8, 3.5), layout="constrained")
    ax = fig.subplots()
    for y, parts in rows.items():
        left = 0.0
        for part, colour, label in zip(parts, (ACCENT, SECOND, MUTED), labels, strict=True):
            share = 100 * part / sum(parts)
            ax.barh(y, share, 0.7, left, color=colour, edgecolor=PAPER, label=label, alpha=0.8)
            left += share
        ax.text(1.5, y, f"{100 * parts[0] / sum(parts):.0f}%", va="center", color=PAPER)
    ax.set_yticks(range(7), [t("parameters"), t("multiplications:"), *lengths])
    ax.invert_yaxis()
    ax.set_xlim(0, 100)
    ax.set_xlabel(t("share of an encoder layer, base model (%)"))
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    handles, _ = ax.get_legend_handles_labels()
    fig.legend(handles[:3], labels, loc="outside lower center", ncols=3, frameon=False)
    fig.suptitle(t("Two thirds of an encoder layer,\nuntil sentences grow long"), fontsize=11)
    return fig


def parameters() -> list[int]:
    """Count the numbers of the feed-forward network, of attention, and of nothing else."""
    with torch.device("meta"):
        layer = Transformer(TransformerConfig(9, 9, d_model=D_MODEL, d_ff=D_FF)).encoder.layers[0]
    sizes = {name: parameter.numel() for name, parameter in layer.named_parameters()}

    def of(part: str) -> int:
        return sum(size for name, size in sizes.items() if name.startswith(f"{part}."))

    return [of("feed_forward"), of("self_attention"), 0]


def multiplications(n: int) -> list[int]:
    """Count those of the feed-forward network, of the projections, of scores and averages."""
    return [2 * n * D_MODEL * D_FF, 4 * n * D_MODEL**2, 2 * n**2 * D_MODEL]


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""

    def shares(parts: list[int]) -> list[int]:
        return [round(100 * part / sum(parts)) for part in parts]

    return {
        "parameters 67%": shares(parameters())[0] == 67,
        "66, 57, 50, 40, 18%": [shares(multiplications(n))[0] for n in LENGTHS]
        == [66, 57, 50, 40, 18],
        "at 8,192 scores and averages 73%": shares(multiplications(8192))[2] == 73,
    }
