"""How ten keys share the weight, with and without the division by √dₖ."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from torch import Tensor

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
    """Draw three widths, undivided above and divided below."""
    fig = Figure(figsize=(4.8, 4.2), layout="constrained")
    axes = fig.subplots(2, 3, sharex=True, sharey=True, gridspec_kw={"hspace": 0.12})
    for column, d_k in enumerate((4, 64, 512)):
        for row, weights in enumerate(sorted_weights(d_k)):
            ax = axes[row, column]
            ax.bar(range(1, 11), weights.tolist(), color=[ACCENT] + [MUTED] * 9)
            ax.text(1.8, weights[0].item(), f"{weights[0].item():.0%}", color=ACCENT, fontsize=11)
            ax.set(xticks=[], ylim=(0, 1.08), yticks=[0, 0.5, 1])
            ax.set_xlabel(f"dₖ = {d_k}", fontsize=11)
    axes[0, 1].set_title(t("not divided: one key takes more and more"))
    axes[1, 1].set_title(t("divided by √dₖ: the same at every width"))
    fig.supylabel(t("weight of ten keys, largest first"), fontsize=11)
    return fig


def sorted_weights(d_k: int) -> tuple[Tensor, Tensor]:
    """The mean weights of ten keys, largest first: undivided, divided."""
    generator = torch.Generator().manual_seed(0)
    query = torch.randn(1000, 1, d_k, generator=generator)
    key = torch.randn(1000, 10, d_k, generator=generator)
    scaled = attention_scores(query, key)
    plain, divided = (
        attention_weights(scores).sort(descending=True).values.mean(dim=(0, 1))
        for scores in (scaled * d_k**0.5, scaled)
    )
    return plain, divided


def claims() -> dict[str, bool]:
    """Say of titles and description whether they are so."""
    first = [[weights[0].item() for weights in sorted_weights(d_k)] for d_k in (4, 64, 512)]
    plain, divided = zip(*first, strict=True)
    return {
        "from about a half to almost all": 0.45 < plain[0] < 0.6 and plain[2] > 0.9,
        "more and more": plain[0] < plain[1] < plain[2],
        "about a third at every width": all(0.28 < share < 0.38 for share in divided),
    }
