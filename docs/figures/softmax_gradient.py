"""The gradient that reaches a typical query, against d_k, with and without the division."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, SECOND
from transformer import attention_scores, attention_weights

Translate = Callable[[str], str]

ALT = (
    "A line chart with two logarithmic axes: the median size of the gradient at the query "
    "against d_k from 4 to 1024. With the division by the square root of d_k the line is flat "
    "at about 0.3. Without it the line lies a little above that up to d_k = 64, then falls "
    "steeply, to 0.00001 at 1024."
)

WIDTHS = [4, 8, 16, 32, 64, 128, 256, 512, 1024]


def draw(t: Translate) -> Figure:
    fig = Figure(figsize=(4.6, 3.6), layout="constrained")
    ax = fig.subplots()
    plain = [typical_gradient(d_k, divide=False) for d_k in WIDTHS]
    divided = [typical_gradient(d_k, divide=True) for d_k in WIDTHS]
    ax.loglog(WIDTHS, divided, "o-", color=SECOND, markersize=4)
    ax.loglog(WIDTHS, plain, "s-", color=ACCENT, markersize=4)
    ax.text(1024, 0.5, t("divided by √dₖ"), color=SECOND, fontsize=11, ha="right", va="bottom")
    ax.text(150, 0.003, t("not divided"), color=ACCENT, fontsize=11, ha="right", va="top")
    ax.set_xticks([4, 16, 64, 256, 1024], ["4", "16", "64", "256", "1024"])
    ax.minorticks_off()
    ax.set_ylim(3e-6, 4)
    ax.set_xlabel("dₖ", fontsize=11)
    ax.set_ylabel(t("gradient at the query (median)"), fontsize=11)
    ax.set_title(t("Not divided, the gradient at a typical\nquery fades once dₖ passes 64"))
    return fig


def typical_gradient(d_k: int, divide: bool) -> float:
    """Median norm of the gradient at 1,000 queries over 10 keys each."""
    generator = torch.Generator().manual_seed(0)
    query = torch.randn(1000, 1, d_k, generator=generator, requires_grad=True)
    key = torch.randn(1000, 10, d_k, generator=generator)
    value = torch.randn(1000, 10, 1, generator=generator)
    scores = attention_scores(query, key) * (1 if divide else d_k**0.5)
    output = attention_weights(scores) @ value
    (gradient,) = torch.autograd.grad(output.sum(), query)
    return gradient.norm(dim=-1).median().item()


def claims() -> dict[str, bool]:
    """Say of title, description and the page's sentences whether they are so."""
    plain = {d_k: typical_gradient(d_k, divide=False) for d_k in (4, 24, *WIDTHS[1:])}
    divided = {d_k: typical_gradient(d_k, divide=True) for d_k in (24, *WIDTHS)}
    return {
        "divided: flat at about 0.3": all(0.24 < size < 0.33 for size in divided.values()),
        "not divided: above it up to 64": all(
            plain[d_k] > 0.9 * divided[d_k] for d_k in WIDTHS if d_k <= 64
        ),
        "fades once dₖ passes 64": plain[64] > 2 * plain[128] > 4 * plain[256],
        "0.00001 at 1024": 5e-6 < plain[1024] < 2e-5,
        "d_k = 24: larger without the division": plain[24] > 1.5 * divided[24],
    }
