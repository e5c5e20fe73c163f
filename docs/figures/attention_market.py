"""The night market: a craving, five signs, and the share of the bowl that each stall gets."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, MUTED, SECOND

Translate = Callable[[str], str]

ALT = (
    "A plane with sweetness to the right and warmth upwards. An arrow marks the craving: sweet "
    "and a little warm. Five stalls are discs at the place that their sign describes, larger "
    "the more of the bowl they fill. Hot tofu pudding, nearest to the arrow's direction, fills "
    "most of it; stinky tofu, on the other side, next to nothing."
)

CRAVING = torch.tensor([2.0, 1.0])
SIGNS = torch.tensor([[2.0, 2.0], [2.0, 0.0], [2.0, -2.0], [-1.0, 2.0], [-2.0, 1.0]])


def draw(t: Translate) -> Figure:
    shares = (SIGNS @ CRAVING).softmax(dim=0)
    names = [
        t("hot tofu pudding"),
        t("bubble tea"),
        t("shaved ice"),
        t("fried chicken"),
        t("stinky tofu"),
    ]
    fig = Figure(figsize=(4.4, 4.4), layout="constrained")
    ax = fig.subplots()
    ax.axhline(0, color=MUTED, linewidth=0.8, zorder=0)
    ax.axvline(0, color=MUTED, linewidth=0.8, zorder=0)
    for name, (sweet, warm), share in zip(names, SIGNS.tolist(), shares.tolist()):
        ax.scatter(sweet, warm, s=30 + 1500 * share, color=SECOND, alpha=0.35, linewidths=0)
        ax.scatter(sweet, warm, s=12, color=SECOND)
        side = 1 if warm > 1 else -1  # above the warmest, away from the arrow and the others
        ax.annotate(
            f"{name}\n{share:.0%}",
            (sweet, warm),
            xytext=(0, side * (7 + 18 * share**0.5)),
            textcoords="offset points",
            ha="center",
            va="bottom" if side > 0 else "top",
            fontsize=11,
        )
    arrow = {"arrowstyle": "-|>", "color": ACCENT, "linewidth": 2.2, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", tuple(CRAVING.tolist()), (0, 0), arrowprops=arrow)
    ax.text(0.9, 0.6, t("craving"), color=ACCENT, fontsize=11, ha="right", va="bottom")
    ax.set(xlim=(-3.2, 4.2), ylim=(-3.3, 3.5), xticks=[], yticks=[])
    ax.set_xlabel(t("sweeter →"), color=INK, fontsize=11)
    ax.set_ylabel(t("warmer →"), color=INK, fontsize=11)
    ax.set_title(t("The better the sign fits the craving,\nthe larger the share of the bowl"))
    return fig


def claims() -> dict[str, bool]:
    """Say of title and description whether they are so."""
    shares = (SIGNS @ CRAVING).softmax(dim=0)
    return {
        "tofu pudding fills most of it": shares[0].item() > 0.5,
        "stinky tofu fills next to nothing": round(shares[4].item(), 2) == 0,
        "the better the fit, the larger the share": (SIGNS @ CRAVING).argsort().tolist()
        == shares.argsort().tolist(),
    }
