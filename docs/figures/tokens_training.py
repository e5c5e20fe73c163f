"""Four rows of two numbers, and the way that each goes in 200 steps of training."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from torch import Tensor, nn
from torch.nn import functional as F

from docs.figures._style import ACCENT, INK, SECOND

Translate = Callable[[str], str]

ALT = (
    "A plane of two numbers with the rows of four nouns and the way of each row in 200 training "
    "steps. At the start fish lies in the direction of cat. At the end cat and dog, whose measure "
    "word is 隻, lie close together at the bottom; fish and skirt, whose measure word is 條, lie "
    "close together at the upper right."
)
NOUNS = {"cat": "隻", "dog": "隻", "fish": "條", "skirt": "條"}
STEPS = 200


def draw(t: Translate) -> Figure:
    """Draw a line from the start of each row to its end."""
    rows = trained()
    fig = Figure(figsize=(4.4, 3.8), layout="constrained")
    axes = fig.subplots()
    for place, (noun, measure_word) in enumerate(NOUNS.items()):
        x, y = rows[:, place].T.tolist()
        colour = SECOND if measure_word == "隻" else ACCENT
        axes.plot(x, y, color=colour, linewidth=1.2)
        axes.plot(x[0], y[0], "o", color=colour, markersize=6, markerfacecolor="none")
        axes.plot(x[-1], y[-1], "o", color=colour, markersize=6)
        left = noun in ("dog", "skirt")
        axes.annotate(
            f"{noun} {measure_word}", (x[-1], y[-1]), (-9 if left else 9, 0),
            textcoords="offset points", ha="right" if left else "left", va="center", size=10.5,
        )  # fmt: skip
    axes.plot(0, 0, "+", color=INK, markersize=7)
    axes.plot([], [], "o", color=INK, markerfacecolor="none", label=t("before training"))
    axes.plot([], [], "o", color=INK, label=t("after {n} steps").format(n=STEPS))
    axes.set(xlim=(-0.95, 2.05), ylim=(-2.15, 1.6))
    axes.set_xlabel(t("first number of a row"))
    axes.set_ylabel(t("second number of a row"))
    axes.legend(loc="lower right", frameon=False, fontsize=9.5)
    axes.set_title(t("Nouns with the same measure word\ncome to have similar rows"))
    return fig


def trained() -> Tensor:
    """Every row before the first step and after each, shape `(steps + 1, nouns, 2)`."""
    with torch.random.fork_rng():
        torch.manual_seed(2)  # fish begins in the direction of cat
        table, choose = nn.Embedding(4, 2), nn.Linear(2, 2)
    optimizer = torch.optim.SGD([*table.parameters(), *choose.parameters()], lr=0.5)
    answers = torch.tensor([["隻", "條"].index(one) for one in NOUNS.values()])
    rows = [table.weight.detach().clone()]
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = F.cross_entropy(choose(table.weight), answers)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        rows.append(table.weight.detach().clone())
    return torch.stack(rows)


def claims() -> dict[str, bool]:
    """Say of the description whether it is so."""
    rows = trained()
    alike = F.cosine_similarity(rows[:, 2:3], rows, dim=-1)  # of fish with each
    cat, dog, fish, skirt = rows[-1]
    return {
        "fish starts in the direction of cat": alike[0, 0].item() > 0.99,
        "cat and dog end close together": (cat - dog).norm().item() < 0.6,
        "fish and skirt end close together": (fish - skirt).norm().item() < 0.6,
        "one pair at the bottom": max(cat[1], dog[1]).item() < -1.5,
        "the other at the upper right": min(*fish.tolist(), *skirt.tolist()) > 0.5,
    }
