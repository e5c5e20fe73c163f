"""How often an untrained model's largest logit is that of the token it has just read."""

from collections.abc import Callable
from functools import cache

import torch
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, MUTED
from transformer import Transformer, TransformerConfig

Translate = Callable[[str], str]

ALT = (
    "Dots for three seeds each over the number of layers, 1 to 6. Tied, the model's first choice "
    "is the token just read at more than 95% of positions with one layer, at between 20% and 70% "
    "with two, at less than 5% from three layers on. Untied it is less than 2% everywhere."
)
DEPTHS, SEEDS = range(1, 7), range(3)


@cache
def copies(tied: bool, layers: int, seed: int) -> float:
    """Return the share of positions whose largest logit is that of the token just read."""
    torch.manual_seed(seed)
    config = TransformerConfig(
        1000,
        1000,
        d_model=128,
        num_heads=4,
        d_ff=512,
        num_encoder_layers=layers,
        num_decoder_layers=layers,
        share_embeddings=True,
        tie_output=tied,
    )
    model = Transformer(config).eval()
    seeded = torch.Generator().manual_seed(seed)
    src, tgt = torch.randint(3, 1000, (2, 32, 20), generator=seeded)
    with torch.inference_mode():
        return (model(src, tgt).argmax(dim=-1) == tgt).float().mean().item()


def draw(t: Translate) -> Figure:
    """Draw the dots of both kinds of model."""
    fig = Figure(figsize=(4.8, 2.9), layout="constrained")
    ax = fig.subplots()
    for tied, colour, marker, shift in ((True, ACCENT, "o", -0.1), (False, MUTED, "s", 0.1)):
        for layers in DEPTHS:
            shares = [100 * copies(tied, layers, seed) for seed in SEEDS]
            ax.scatter([layers + shift] * len(shares), shares, s=22, color=colour, marker=marker)
    ax.text(1.1, 90, t("output tied to the embedding"), color=ACCENT, size=10)
    ax.text(1.25, 6, t("untied"), color=INK, size=10)
    ax.set(ylim=(-4, 106), yticks=[0, 25, 50, 75, 100], xticks=list(DEPTHS))
    ax.set_xlabel(t("layers on each side"))
    ax.set_ylabel(t("first choice = own input (%)"))
    ax.set_title(
        t("Untrained, shallow and tied:\nthe model repeats what it has just read"), fontsize=11
    )
    return fig


def claims() -> dict[str, bool]:
    """Say of the bounds in the description whether they hold."""
    tied = {layers: [copies(True, layers, seed) for seed in SEEDS] for layers in DEPTHS}
    untied = [copies(False, layers, seed) for layers in DEPTHS for seed in SEEDS]
    return {
        "one layer: more than 95%": min(tied[1]) > 0.95,
        "two: between 20% and 70%": min(tied[2]) > 0.2 and max(tied[2]) < 0.7,
        "from three on: less than 5%": max(max(tied[layers]) for layers in range(3, 7)) < 0.05,
        "untied: less than 2%": max(untied) < 0.02,
    }
