"""Histograms of dot products for three widths, before and after the division by √dₖ."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, SECOND
from transformer import attention_scores

Translate = Callable[[str], str]

ALT = (
    "Two panels of histograms. Above, dot products of random vectors with 4, 64 and 512 "
    "numbers: the longer the vectors, the wider the histogram, from a narrow peak to a flat "
    "hill that reaches beyond plus and minus 40. Below, the same after the division by the "
    "square root of d_k: three histograms of the same width, nearly all of it between -3 and 3."
)

WIDTHS = {4: (ACCENT, "-"), 64: (SECOND, "--"), 512: (INK, ":")}


def draw(t: Translate) -> Figure:
    fig = Figure(figsize=(4.6, 5.2), layout="constrained")
    above, below = fig.subplots(2, 1, gridspec_kw={"hspace": 0.1})
    generator = torch.Generator().manual_seed(0)
    for d_k, (color, line) in WIDTHS.items():
        query = torch.randn(300, d_k, generator=generator)
        key = torch.randn(300, d_k, generator=generator)
        scaled = attention_scores(query, key).flatten()
        style = {"histtype": "step", "density": True, "color": color, "linestyle": line}
        style |= {"linewidth": 1.8, "label": f"dₖ = {d_k}"}
        above.hist(scaled * d_k**0.5, bins=121, range=(-60.5, 60.5), **style)
        below.hist(scaled, bins=81, range=(-5, 5), **style)
    above.set_xlabel("q · k", fontsize=11)
    below.set_xlabel("q · k / √dₖ", fontsize=11)
    above.set_title(t("The dot product spreads as √dₖ"))
    below.set_title(t("Divided by √dₖ, it does not"))
    for ax in (above, below):
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)
    above.legend(frameon=False, fontsize=11, handlelength=1.6)
    return fig


def claims() -> dict[str, bool]:
    """Say of title and description whether they are so."""
    generator = torch.Generator().manual_seed(0)
    spreads, inside = {}, {}
    for d_k in WIDTHS:
        query = torch.randn(300, d_k, generator=generator)
        key = torch.randn(300, d_k, generator=generator)
        scaled = attention_scores(query, key)
        spreads[d_k] = scaled.std().item()
        inside[d_k] = (scaled.abs() < 3).float().mean().item()
    return {
        "spreads as √dₖ": all(0.9 < spread < 1.1 for spread in spreads.values()),
        "beyond 40": 512**0.5 * spreads[512] * 2 > 40,
        "nearly all between -3 and 3": all(share > 0.98 for share in inside.values()),
    }
