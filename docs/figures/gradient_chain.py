"""One point's error, forward and backward: the road that `backward` takes."""

from collections.abc import Callable

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from torch import Tensor

from docs.figures._style import ACCENT, INK, MUTED

Translate = Callable[[str], str]

ALT = (
    "A chain of four operations for the point x = 3, y = 4. Forward, from left to right: w = 0, "
    "times 3 gives 0, plus b = 0 gives 0, minus 4 gives -4, squared gives 16. Backward, from right "
    "to left: the gradient is 1 at the end, -8 before the square, and still -8 before minus 4; it "
    "reaches b as -8, and w, times 3, as -24."
)
NAMES = ("× 3", "+ b", "− 4", "( )²")  # the four operations
GAP = 2.0  # from one operation to the next


def chain() -> tuple[list[float], list[float], float]:
    """Return the numbers between the operations, their gradients, and the gradient of b."""
    w, b = torch.zeros((), requires_grad=True), torch.zeros((), requires_grad=True)
    road: list[Tensor] = [w]
    road.append(road[-1] * 3)
    road.append(road[-1] + b)
    road.append(road[-1] - 4)
    road.append(road[-1].square())
    for number in road[1:]:
        number.retain_grad()
    torch.autograd.backward(road[-1])
    gradients = [number.grad.item() for number in road if number.grad is not None]
    return [number.item() for number in road], gradients, 0.0 if b.grad is None else b.grad.item()


def draw(t: Translate) -> Figure:
    """Draw the operations, the numbers above the road and the gradients below it."""
    numbers, gradients, of_b = chain()
    fig = Figure(figsize=(4.8, 2.9), layout="constrained")
    axes = fig.subplots()
    axes.set(xlim=(-1.3, 4 * GAP + 1.0), ylim=(-3.3, 1.5), aspect="equal")
    axes.axis("off")
    for i, name in enumerate(NAMES):
        x = (i + 0.5) * GAP
        axes.add_patch(
            FancyBboxPatch(
                (x - 0.5, -0.4), 1, 0.8, boxstyle="round,pad=0.08", facecolor="none", edgecolor=INK
            )
        )
        axes.text(x, 0, name, ha="center", va="center", size=10)
    for i, (number, gradient) in enumerate(zip(numbers, gradients, strict=True)):
        x = i * GAP
        ends = (x - 0.95 if i == 0 else x - 0.4), (x + 0.95 if i == 4 else x + 0.4)
        arrow(axes, (ends[0], 0.15), (ends[1], 0.15), MUTED)
        arrow(axes, (ends[1], -0.15), (ends[0], -0.15), ACCENT)
        axes.text(x, 0.75, f"{number:.0f}".replace("-", "−"), ha="center", va="center")
        text = f"{gradient:.0f}".replace("-", "−")
        axes.text(x, -0.8, text, color=ACCENT, ha="center", va="center", weight="bold")
    axes.text(-0.6, 0.75, "w =", ha="center", va="center")
    x = 1.5 * GAP
    arrow(axes, (x - 0.12, -1.9), (x - 0.12, -0.55), MUTED)
    arrow(axes, (x + 0.12, -0.55), (x + 0.12, -1.9), ACCENT)
    axes.text(x - 0.25, -1.5, "b = 0", ha="right", va="center")
    axes.text(
        x + 0.3, -1.5, f"{of_b:.0f}".replace("-", "−"), color=ACCENT, va="center", weight="bold"
    )
    axes.text(-1.2, -2.6, t("grey, forward: the numbers"), color=INK, va="center", size=10)
    axes.text(-1.2, -3.15, t("bold, backward: the gradients"), color=ACCENT, va="center", size=10,
              weight="bold")  # fmt: skip
    fig.suptitle(t("Backward, each operation multiplies\nby its own derivative"), size=11)
    return fig


def arrow(axes: Axes, here: tuple[float, float], there: tuple[float, float], color: str) -> None:
    """Draw a straight arrow."""
    axes.add_patch(
        FancyArrowPatch(
            here,
            there,
            arrowstyle="-|>",
            mutation_scale=8,
            linewidth=1.3,
            shrinkA=0,
            shrinkB=0,
            color=color,
        )
    )


def claims() -> dict[str, bool]:
    """Say of the sentences in the description whether they are so."""
    numbers, gradients, of_b = chain()
    return {
        "0, 0, 0, -4, 16": numbers == [0, 0, 0, -4, 16],
        "-24, -8, -8, -8, 1": gradients == [-24, -8, -8, -8, 1],
        "b gets -8": of_b == -8,
    }
