"""One step of training as a circle: a batch goes in, every parameter moves, and again."""

from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from docs.figures._style import ACCENT, INK, MUTED

Translate = Callable[[str], str]

ALT = (
    "Five boxes one below the other, joined by arrows. Batch: sentences and their translations, as "
    "ids. Forward: a score for every id at every position, the logits. Loss: one number, how wrong "
    "the scores were. Backward: a gradient for each parameter. Step: each parameter moves a little "
    "against its gradient. From the last box an arrow leads back to the first: the next batch."
)
HEIGHT, PITCH, WIDTH = 0.62, 1.0, 1.35


def draw(t: Translate) -> Figure:
    """Draw the five boxes, what each gives, and the way back."""
    steps = (
        (t("batch"), t("sentences and translations, as ids")),
        (t("forward"), t("logits: a score for every id")),
        (t("loss"), t("one number: how wrong they were")),
        (t("backward"), t("a gradient for each parameter")),
        (t("step"), t("each parameter moves a little")),
    )
    fig = Figure(figsize=(4.4, 3.5), layout="constrained")
    axes = fig.subplots()
    axes.set(xlim=(-0.6, 5.0), ylim=(-5 * PITCH + 0.3, 0.1))
    axes.set_axis_off()
    arrow: dict[str, Any] = {"arrowstyle": "->", "color": MUTED, "linewidth": 1.5}
    for row, (name, gives) in enumerate(steps):
        y = -PITCH * row - HEIGHT
        box = Rectangle((0, y), WIDTH, HEIGHT, facecolor=ACCENT, alpha=0.15, edgecolor="none")
        axes.add_patch(box)
        middle: dict[str, Any] = {"va": "center", "color": INK, "size": 11}
        axes.text(WIDTH / 2, y + HEIGHT / 2, name, ha="center", **middle)
        axes.text(WIDTH + 0.2, y + HEIGHT / 2, gives, **middle)
        if row + 1 < len(steps):
            axes.annotate("", (WIDTH / 2, y - PITCH + HEIGHT), (WIDTH / 2, y), arrowprops={**arrow})
    bottom = -PITCH * (len(steps) - 1) - HEIGHT / 2
    axes.plot((0, -0.4, -0.4), (bottom, bottom, -HEIGHT / 2), color=MUTED, linewidth=1.5)
    axes.annotate("", (0.05, -HEIGHT / 2), (-0.43, -HEIGHT / 2), arrowprops=arrow)
    axes.set_title(t("Every batch moves every parameter a little"), color=INK)
    return fig
