"""The first logits of an untrained model, for two scales of the embedding."""

import math
from collections.abc import Callable
from functools import cache

import torch
from matplotlib.figure import Figure
from torch import Tensor
from torch.nn import functional as F

from docs.figures._style import ACCENT, MUTED
from transformer import Transformer, TransformerConfig

Translate = Callable[[str], str]

ALT = (
    "Two histograms of the logits of an untrained model with tied output. With embedding rows "
    "of N(0, 1/d_model) nearly all lie between −4 and 4, and the first loss is 7.4; with rows "
    "of N(0, 1) they spread from −60 to 60, and the first loss is 80.6."
)


def draw(t: Translate) -> Figure:
    """Draw the two histograms, one above the other, on one scale."""
    small, large, expected = logits()
    fig = Figure(figsize=(4.8, 3.0), layout="constrained")
    axes = fig.subplots(2, sharex=True)
    for ax, found, colour, name in [
        (axes[0], small, ACCENT, "N(0, 1/d_model)"),
        (axes[1], large, MUTED, "N(0, 1)"),
    ]:
        ax.hist(found.flatten().numpy(), bins=80, range=(-80, 80), color=colour)
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)
        loss = f"{first_loss(found, expected):.1f}"
        ax.text(0.02, 0.85, f"{name}\n{t('first loss')} {loss}", va="top", transform=ax.transAxes)
    axes[1].set_xlabel(t("logit"))
    fig.suptitle(t("Small embedding rows keep the first logits small"), fontsize=11)
    return fig


@cache
def logits() -> tuple[Tensor, Tensor, Tensor]:
    """Compute the first logits for both scales; return them, and random ids to hit."""
    torch.manual_seed(0)
    config = TransformerConfig.base(vocab_size=1000)
    model = Transformer(config).eval()
    seeded = torch.Generator().manual_seed(0)
    src, tgt, expected = torch.randint(3, 1000, (3, 8, 20), generator=seeded)
    with torch.no_grad():
        small = model(src, tgt)
        model.src_embedding.weight.mul_(math.sqrt(config.d_model))
        return small, model(src, tgt), expected


def first_loss(logits: Tensor, expected: Tensor) -> float:
    """Return the mean cross-entropy against random ids."""
    return F.cross_entropy(logits.flatten(0, 1), expected.flatten()).item()


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    small, large, expected = logits()
    return {
        "nearly all between -4 and 4": (small.abs() < 4).float().mean().item() > 0.999,
        "from -60 to 60": 0.99 < (large.abs() < 60).float().mean().item() < 1,
        "7.4": round(first_loss(small, expected), 1) == 7.4,
        "80.6": round(first_loss(large, expected), 1) == 80.6,
    }
