"""How ten keys share the weight, with and without the division by √d_k."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, MUTED
from transformer import attention_scores, attention_weights

Translate = Callable[[str], str]

ALT = (
    "Six bar charts in two rows: the weights of ten keys, the largest first, averaged over a "
    "thousand random queries, for d_k of 4, 64 and 512. In the upper row, without the division, "
    "the first bar grows from about a half to almost all of the weight. In the lower row, with "
    "the division, the three charts look the same: about a third for the first key, then a slow "
    "descent."
)


def draw(t: Translate) -> Figure:
    fig = Figure(figsize=(4.8, 4.2), layout="constrained")
    axes = fig.subplots(2, 3, sharex=True, sharey=True)
    for column, d_k in enumerate((4, 64, 512)):
        generator = torch.Generator().manual_seed(0)
        query = torch.randn(1000, 1, d_k, generator=generator)
        key = torch.randn(1000, 10, d_k, generator=generator)
        scaled = attention_scores(query, key)
        for row, scores in enumerate((scaled * d_k**0.5, scaled)):
            weights = attention_weights(scores).sort(descending=True).values.mean(dim=(0, 1))
            ax = axes[row, column]
            ax.bar(range(1, 11), weights.tolist(), color=[ACCENT] + [MUTED] * 9)
            ax.text(1.8, weights[0].item(), f"{weights[0].item():.0%}", color=ACCENT, fontsize=11)
            ax.set(xticks=[], ylim=(0, 1.08), yticks=[0, 0.5, 1])
            ax.set_xlabel(f"d_k = {d_k}", fontsize=11)
    axes[0, 1].set_title(t("not divided: one key takes more and more"))
    axes[1, 1].set_title(t("divided by √d_k: the same at every width"))
    fig.supylabel(t("weight of ten keys, largest first"), fontsize=11)
    return fig
