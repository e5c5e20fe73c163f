"""The loss over slope and intercept, and the paths of gradient descent and of Adam."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from docs.figures._line import adam, descent, loss
from docs.figures._style import ACCENT, INK, MUTED, SECOND

Translate = Callable[[str], str]

ALT = (
    "A map with the slope w across and the intercept b upward. Lines of equal loss are long, "
    "narrow, slanted ovals around the lowest point, w = 0.8 and b = 1.3. An arrow at the start, "
    "0 and 0, is square to the line of equal loss there. Gradient descent goes along the arrow in "
    "one long step, then in shorter and shorter ones to the lowest point. Adam goes from the start "
    "at 45 degrees, by 0.1 in w and in b, passes by the lowest point and comes back to it."
)
ENDS = -0.25, 1.6
LABELS = {  # of each line of equal loss, and where it stands
    0.5: (0.67, 1.3), 0.8: (0.6, 1.05), 1.5: (0.45, 0.9), 3: (0.18, 0.8), 5: (0, 0.57),
    7.5: (-0.13, 0.28),
}  # fmt: skip


def draw(t: Translate) -> Figure:
    """Draw the lines of equal loss and both paths."""
    fig = Figure(figsize=(4.6, 4.5), layout="constrained")
    axes = fig.subplots()
    w, b = torch.linspace(*ENDS, 161), torch.linspace(*ENDS, 161)
    surface = loss(*torch.meshgrid(w, b, indexing="xy"))
    lines = axes.contour(w, b, surface, levels=list(LABELS), colors=MUTED, linewidths=1)
    axes.clabel(lines, fontsize=9, fmt="%g", manual=list(LABELS.values()))
    for path, color, marker, name in [
        (descent(100), ACCENT, "o", t("gradient descent")),
        (adam(100), SECOND, "s", "Adam"),
    ]:
        across, upward = zip(*path)
        axes.plot(across, upward, color=color, marker=marker, markersize=2.2, label=name)
    slope = gradient(0.0, 0.0)
    across, upward = (-0.045 * slope).tolist()
    axes.annotate(
        "", (across, upward), (0, 0), arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 2}
    )
    axes.plot(0.8, 1.3, "*", color=INK, markersize=12)
    axes.set(xlim=ENDS, ylim=ENDS, aspect="equal", xticks=[0, 0.5, 1, 1.5], yticks=[0, 0.5, 1, 1.5])
    axes.set_xlabel(t("slope w"), fontsize=10)
    axes.set_ylabel(t("intercept b"), fontsize=10)
    fig.legend(loc="outside lower center", ncols=2, frameon=False, labelcolor=INK)
    fig.suptitle(t("Against the gradient, straight across\nthe lines of equal loss"), size=11)
    return fig


def gradient(w: float, b: float) -> torch.Tensor:
    """Return the derivatives of the loss with respect to slope and intercept."""
    numbers = torch.tensor([w, b], requires_grad=True)
    (slopes,) = torch.autograd.grad(loss(numbers[0], numbers[1]), numbers)
    return slopes


def claims() -> dict[str, bool]:
    """Say of the sentences in the title and the description whether they are so."""
    slope = gradient(0.0, 0.0)
    along = torch.stack([-slope[1], slope[0]]) / slope.norm() * 0.001  # a small step, turned by 90°
    start, beside = (loss(*p) for p in (torch.zeros(2), along))
    paths = [torch.tensor(path(100)) for path in (descent, adam)]
    strides = [path.diff(dim=0).norm(dim=-1) for path in paths]
    ends = torch.stack([path[-1] for path in paths])
    lowest = torch.tensor([0.8, 1.3])
    return {
        "square to the line of equal loss": bool((beside - start).abs() < 1e-4 * start),
        "lowest at 0.8 and 1.3": bool(gradient(0.8, 1.3).abs().max() < 1e-5),
        "one long step, then shorter": bool(strides[0][0] > 4 * strides[0][1:].max()),
        "shorter and shorter": bool((strides[0].diff() < 1e-6).all()),
        "Adam begins with 0.1 and 0.1": torch.allclose(paths[1][1], torch.tensor([0.1, 0.1])),
        "Adam passes by": bool(paths[1][:, 0].max() > 1.1),
        "both arrive": bool((ends - lowest).abs().max() < 0.01),
    }
