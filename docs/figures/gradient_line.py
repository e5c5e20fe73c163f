"""A line before training, after one step and after a hundred."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from docs.figures._line import X, Y, descent, loss
from docs.figures._style import ACCENT, INK, MUTED

Translate = Callable[[str], str]

ALT = (
    "Three panels with the same four points and a line. At the start the line is flat, at height "
    "0, dashes show how far each point is from it, and the loss is 7.5. After one step it is steep "
    "and near the points, loss 0.81. After 100 steps it lies between them, loss 0.45."
)
STEPS = (0, 1, 100)


def draw(t: Translate) -> Figure:
    """Draw the points, the line and the errors at three moments."""
    fig = Figure(figsize=(4.8, 2.7), layout="constrained")
    path = descent(max(STEPS))
    names = t("start"), t("1 step"), t("100 steps")
    for axes, step, name in zip(fig.subplots(1, 3, sharey=True), STEPS, names, strict=True):
        w, b = path[step]
        axes.vlines(X, Y, w * X + b, color=MUTED, linestyle="--", linewidth=1.2)
        ends = torch.tensor([-0.4, 3.4])
        axes.plot(ends, w * ends + b, color=ACCENT, linewidth=2)
        axes.plot(X, Y, "o", color=INK, markersize=5)
        axes.set_xticks([0, 1, 2, 3])
        value = f"{loss_of(step):.2f}"
        axes.set_title(name + "\n" + t("loss {value}").format(value=value), size=10)
        axes.set_xlabel("x", fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)
    fig.axes[0].annotate(
        "y", (0, 1), (0, 4), xycoords="axes fraction", textcoords="offset points", ha="center"
    )
    fig.suptitle(t("Step by step, the line finds its place"), size=11)
    return fig


def loss_of(step: int) -> float:
    """Return the loss after so many steps."""
    w, b = descent(step)[-1]
    return loss(torch.tensor(w), torch.tensor(b)).item()


def claims() -> dict[str, bool]:
    """Say of the sentences in the description whether they are so."""
    (_, flat), (steep, _) = descent(0)[-1], descent(1)[-1]
    losses = [round(loss_of(step), 2) for step in STEPS]
    w, b = descent(100)[-1]
    errors = Y - (w * X + b)
    return {
        "flat at 0, then steep": flat == 0 and steep > 0.9,
        "7.5, 0.81, 0.45": losses == [7.5, 0.81, 0.45],
        "between the points": bool(errors.max() > 0 > errors.min()),
    }
