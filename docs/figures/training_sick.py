"""Six training runs of one small model: one in good health, five with one thing wrong."""

import json
from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._sick_runs import RESULT
from docs.figures._style import ACCENT, INK, MUTED, SECOND

Translate = Callable[[str], str]

ALT = (
    "Six panels of training and validation loss over 800 steps, with the share of sentences that "
    "the model writes rightly by itself. Healthy: both fall together to nearly 0, 98 percent "
    "right. Rate ten times too high: both fall, then jump up and stay. Six post-norm layers "
    "without warm-up: both fall a little and stay flat, while a dotted line shows the same model "
    "learning with a warm-up. No causal mask: both fall to 0, and nothing is written rightly. "
    "Padding counted: the training loss runs below the validation loss from the first "
    "steps. Overfitting: the training loss falls to 0 while the validation loss turns and rises."
)

THIN = slice(None, None, 5)  # every 50 steps are enough for the eye


def draw(t: Translate) -> Figure:
    """Draw the runs as small multiples."""
    runs = json.loads(RESULT.read_text("utf-8"))
    panels = {
        "healthy": t("healthy"),
        "rate": t("learning rate × 10"),
        "cold": t("deep, no warm-up"),
        "leak": t("no causal mask"),
        "padding": t("padding in the loss"),
        "overfit": t("128 sentences only"),
    }
    fig = Figure(figsize=(5.2, 6.2), layout="constrained")
    fig.suptitle(t("One healthy curve and five sick ones"))
    grid = fig.subplots(3, 2, sharex=True, sharey=True)
    for axes, (name, title) in zip(grid.flat, panels.items(), strict=True):
        run = runs[name]
        steps = run["step"][THIN]
        if name == "cold":
            warm = runs["warm"]["validation"][THIN]
            axes.plot(steps, warm, ":", color=MUTED, label=t("with warm-up"))
        axes.plot(steps, run["training"][THIN], color=ACCENT, label=t("training"))
        axes.plot(steps, run["validation"][THIN], "--", color=SECOND, label=t("validation"))
        axes.set_title(title, size=10)
        axes.text(
            0.97,
            0.95,
            t("writes {:.0f}%").format(100 * run["written"]),
            transform=axes.transAxes,
            ha="right",
            va="top",
            size=9,
            color=INK,
        )
        axes.spines[["top", "right"]].set_visible(False)
    grid[0, 0].set(ylim=(0, 3.4), xlim=(0, 800), xticks=[0, 400, 800])
    for axes in grid[:, 0]:
        axes.set_ylabel(t("loss"))
    for axes in grid[2]:
        axes.set_xlabel(t("step"))
    handles, labels = grid[1, 0].get_legend_handles_labels()
    fig.legend(
        handles[1:] + handles[:1],
        labels[1:] + labels[:1],
        loc="outside lower center",
        ncols=3,
        frameon=False,
    )
    return fig
