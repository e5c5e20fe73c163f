"""The paper's learning rate for several widths, and for several lengths of the warm-up."""

from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import learning_rate

Translate = Callable[[str], str]

ALT = (
    "Two panels of learning rate over 20,000 steps; each curve rises in a straight line, then "
    "falls like one over the root of the step. Left, with a warm-up of 4,000 steps: a width of "
    "128 reaches 0.0014, 512 half of that, 1024 about a third. Right, with a width of 512: a "
    "warm-up of 1,000 steps peaks at 0.0014, one of 4,000 at 0.0007, one of 8,000 at 0.0005, and "
    "from step 8,000 on all three are the same curve."
)

STEPS = range(1, 20_001, 50)
COLOURS = (SECOND, ACCENT, MUTED)
LINES = ("--", "-", "-.")


def draw(t: Translate) -> Figure:
    """Draw three widths on the left, three warm-ups on the right."""
    fig = Figure(figsize=(5.2, 3.0), layout="constrained")
    fig.suptitle(t("Up in a line, down with 1/√step"))
    left, right = fig.subplots(1, 2, sharey=True)
    left.set_title("warmup = 4000", size=10)
    for d_model, colour, line in zip((128, 512, 1024), COLOURS, LINES, strict=True):
        _curve(left, d_model, 4000, colour, line, f"d_model = {d_model}")
    right.set_title("d_model = 512", size=10)
    for warmup, colour, line in zip((1000, 4000, 8000), COLOURS, LINES, strict=True):
        _curve(right, 512, warmup, colour, line, f"warmup = {warmup}")
    left.set(ylabel=t("learning rate (thousandths)"), ylim=(0, 1.75), yticks=[0, 0.5, 1, 1.5])
    for axes in (left, right):
        axes.set(xlabel=t("step"), xlim=(0, 20_000))
        axes.set_xticks([0, 8000, 16000], ["0", "8000", "16000"])
        axes.legend(frameon=False, fontsize=9, labelcolor=INK, loc="upper right")
        axes.spines[["top", "right"]].set_visible(False)
    return fig


def _curve(axes: Axes, d_model: int, warmup: int, colour: str, line: str, label: str) -> None:
    rates = [1000 * learning_rate(step, d_model, warmup) for step in STEPS]
    axes.plot(STEPS, rates, line, color=colour, label=label)
