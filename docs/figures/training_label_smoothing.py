"""The smoothed target of one token, and what being certain costs with it and without."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, SECOND
from transformer import label_smoothed_cross_entropy

Translate = Callable[[str], str]

ALT = (
    "Left: probabilities of five tokens. Without smoothing the right token has 1 and the others 0; "
    "with smoothing of 0.1 the right one has 0.92 and each of the others 0.02. Right: the loss "
    "over the lead of the right logit. Without smoothing it falls towards 0 for ever. With "
    "smoothing it is lowest at a lead of 3.8, where the model gives 0.92, and rises after that."
)

SMOOTHING, SIZE = 0.1, 5


def draw(t: Translate) -> Figure:
    """Draw both targets, and beside them both losses."""
    right = SMOOTHING / SIZE + 1 - SMOOTHING
    leads = torch.linspace(0, 10, 101)
    target = torch.tensor([2])

    def losses(smoothing: float) -> list[float]:
        rows = torch.zeros(len(leads), 1, SIZE)
        rows[:, 0, 2] = leads
        return [label_smoothed_cross_entropy(row, target, smoothing).item() for row in rows]

    fig = Figure(figsize=(4.8, 2.9), layout="constrained")
    fig.suptitle(t("Smoothing: too much certainty costs again"))
    bars, curves = fig.subplots(1, 2)
    places = torch.arange(SIZE)
    hard = [float(place == 2) for place in range(SIZE)]
    soft = [right if place == 2 else SMOOTHING / SIZE for place in range(SIZE)]
    bars.bar(places - 0.2, hard, 0.4, color=SECOND)
    bars.bar(places + 0.2, soft, 0.4, color=ACCENT)
    for place, share in ((2.45, right), (3.2, SMOOTHING / SIZE)):
        bars.text(place, share + 0.02, f"{share:.2f}", size=9, color=INK)
    bars.set(xlabel=t("token"), ylabel=t("target probability"), ylim=(0, 1.12), yticks=[0, 0.5, 1])
    bars.set_xticks(places.tolist())
    curves.plot(leads, losses(0.0), "--", color=SECOND, label=t("without smoothing"))
    curves.plot(leads, smooth := losses(SMOOTHING), color=ACCENT, label=t("with 0.1"))
    lowest = min(range(len(smooth)), key=smooth.__getitem__)
    curves.plot(leads[lowest], smooth[lowest], "o", color=ACCENT)
    curves.annotate(
        f"{leads[lowest]:.1f}",
        (leads[lowest].item(), smooth[lowest]),
        xytext=(0, 6),
        textcoords="offset points",
        ha="center",
        size=9,
        color=INK,
    )
    curves.set(xlabel=t("lead of the right logit"), ylabel=t("loss"), xlim=(0, 10), ylim=(0, 1.7))
    curves.set_xticks([0, 5, 10])
    fig.legend(loc="outside lower center", ncols=2, frameon=False)
    for axes in (bars, curves):
        axes.spines[["top", "right"]].set_visible(False)
    return fig
