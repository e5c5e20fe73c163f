"""Where the parameters sit, in a small model and in the paper's base model."""

from collections import Counter
from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, MUTED, PAPER, SECOND
from transformer import Transformer, TransformerConfig

Translate = Callable[[str], str]

ALT = (
    "Two bars of 100%. In a small model of 0.7 million parameters the embedding takes 69%, "
    "attention 13%, feed-forward networks and normalizations 18%. In the base model of "
    "63 million the embedding takes 30%, attention 30%, the rest 40%."
)
SMALL = TransformerConfig(
    8000,
    8000,
    d_model=64,
    num_heads=4,
    num_encoder_layers=2,
    num_decoder_layers=2,
    d_ff=256,
    share_embeddings=True,
    tie_output=True,
)


def draw(t: Translate) -> Figure:
    """Draw one bar a model, cut into embedding, attention and the rest."""
    models = [(t("small"), SMALL), (t("base"), TransformerConfig.base(37000))]
    labels = [t("embedding"), t("attention"), t("feed-forward, norms")]
    fig = Figure(figsize=(4.8, 2.6), layout="constrained")
    ax = fig.subplots()
    names = []
    for row, (name, config) in enumerate(models):
        counts = parts(config)
        total = sum(counts)
        names.append(f"{name}\n{total / 1e6:.1f} × 10⁶")
        left = 0.0
        for count, colour, label in zip(counts, (ACCENT, SECOND, MUTED), labels):
            share = 100 * count / total
            ax.barh(row, share, 0.5, left, color=colour, edgecolor=PAPER, label=label)
            ax.text(left + share / 2, row - 0.3, f"{share:.0f}%", ha="center")
            left += share
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()
    ax.set_xlim(0, 100)
    ax.set_xlabel(t("share of all parameters (%)"))
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    handles, _ = ax.get_legend_handles_labels()
    fig.legend(handles[:3], labels, loc="outside lower center", ncols=3, frameon=False)
    fig.suptitle(t("In a small model the embedding takes the most"), fontsize=11)
    return fig


def parts(config: TransformerConfig) -> list[int]:
    """Count the parameters of the embedding, of all attentions, and the rest."""
    with torch.device("meta"):
        model = Transformer(config)
    counts: Counter[str] = Counter()
    for name, parameter in model.named_parameters():
        part = next((p for p in ("embedding", "attention.") if p in name), "rest")
        counts[part] += parameter.numel()
    return [counts["embedding"], counts["attention."], counts["rest"]]


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    shares = {}
    for name, config in (("small", SMALL), ("base", TransformerConfig.base(37000))):
        counts = parts(config)
        shares[name] = [round(100 * count / sum(counts)) for count in counts], sum(counts) / 1e6
    (small, few), (base, many) = shares["small"], shares["base"]
    return {
        "0.7 million: 69%, 13%, 18%": (small, round(few, 1)) == ([69, 13, 18], 0.7),
        "63 million: 30%, 30%, 40%": (base, round(many)) == ([30, 30, 40], 63),
    }
