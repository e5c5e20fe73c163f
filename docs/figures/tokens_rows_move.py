"""The rows of an embedding before and after one step of SGD."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor

from docs.figures._style import ACCENT, INK, MUTED
from transformer import TokenEmbedding

Translate = Callable[[str], str]

ALT = (
    "Two tables of six rows and four columns: the embedding before and after one step of SGD on "
    "the ids 2, 4, 4 and the padding 0. Rows 0, 1, 3 and 5 are the same in both. Every number of "
    "row 2 has fallen by 0.2, every number of row 4, which was looked up twice, by 0.4. Row 0 is "
    "all zeros."
)
IDS = (2, 4, 4, 0)


def draw(t: Translate) -> Figure:
    """Draw the two tables, and mark the rows that moved."""
    before, after = tables()
    fig = Figure(figsize=(4.8, 3.0), layout="constrained")
    panels = fig.subplots(1, 2, sharey=True)
    titles = t("before"), t("after one step")
    for axes, table, title in zip(panels, (before, after), titles, strict=True):
        axes.set(xlim=(0, 4), ylim=(6, 0))
        for row, numbers in enumerate(table.tolist()):
            moved = row in IDS[:3]
            for column, number in enumerate(numbers):
                fill = {"facecolor": ACCENT, "alpha": 0.3} if moved else {"facecolor": "none"}
                axes.add_patch(Rectangle((column, row), 1, 1, linewidth=0, **fill))
                axes.add_patch(
                    Rectangle((column, row), 1, 1, facecolor="none", edgecolor=MUTED, linewidth=0.8)
                )
                text = f"{number:.1f}".replace("-", "−")
                axes.text(column + 0.5, row + 0.5, text, ha="center", va="center", color=INK)
        axes.set_title(title, size=10)
        axes.set_xticks([])
        axes.set_yticks([row + 0.5 for row in range(6)], [str(row) for row in range(6)])
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    panels[0].set_ylabel(t("id"))
    fig.suptitle(t("Looked up: 2, 4, 4 and the padding 0.\nOnly rows 2 and 4 move"))
    return fig


def tables() -> tuple[Tensor, Tensor]:
    """The embedding before and after one step of SGD on the sum of what was looked up."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        embedding = TokenEmbedding(vocab_size=6, d_model=4)
    before = embedding.weight.detach().clone()
    optimizer = torch.optim.SGD(embedding.parameters(), lr=0.1)
    embedding(torch.tensor([IDS])).sum().backward()
    optimizer.step()
    return before, embedding.weight.detach()


def claims() -> dict[str, bool]:
    """Say of the sentences in title and description whether they are so."""
    before, after = tables()
    moved = (before - after).round(decimals=5)
    return {
        "rows 0, 1, 3, 5 are the same": not moved[[0, 1, 3, 5]].any(),
        "row 2 by 0.2": bool((moved[2] == torch.tensor(0.2)).all()),
        "row 4 by 0.4": bool((moved[4] == torch.tensor(0.4)).all()),
        "row 0 is zeros": not after[0].any(),
    }
