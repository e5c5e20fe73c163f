"""The first logits of an untrained model, for two scales of the embedding."""

import math
from collections.abc import Callable

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
    torch.manual_seed(0)
    config = TransformerConfig.base(vocab_size=1000)
    model = Transformer(config).eval()
    seeded = torch.Generator().manual_seed(0)
    src, tgt, expected = torch.randint(3, 1000, (3, 8, 20), generator=seeded)
    fig = Figure(figsize=(4.8, 3.0), layout="constrained")
    axes = fig.subplots(2, sharex=True)
    with torch.no_grad():
        small = model(src, tgt)
        model.src_embedding.weight.mul_(math.sqrt(config.d_model))
        large = model(src, tgt)
    for ax, logits, colour, name in [
        (axes[0], small, ACCENT, "N(0, 1/d_model)"),
        (axes[1], large, MUTED, "N(0, 1)"),
    ]:
        ax.hist(logits.flatten().numpy(), bins=80, range=(-80, 80), color=colour)
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)
        loss = f"{first_loss(logits, expected):.1f}"
        ax.text(0.02, 0.85, f"{name}\n{t('first loss')} {loss}", va="top", transform=ax.transAxes)
    axes[1].set_xlabel(t("logit"))
    fig.suptitle(t("Small embedding rows keep the first logits small"), fontsize=11)
    return fig


def first_loss(logits: Tensor, expected: Tensor) -> float:
    """Return the mean cross-entropy against random ids."""
    return F.cross_entropy(logits.flatten(0, 1), expected.flatten()).item()
