"""What a wider hidden layer can draw: as many bends as it has neurons, and none without ReLU."""

from collections.abc import Callable
from math import tau

import torch
from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._style import ACCENT, MUTED, SECOND
from transformer import PositionwiseFeedForward

Translate = Callable[[str], str]

ALT = (
    "Four small panels, each with the same grey line: first flat, then one wave. A network without "
    "ReLU draws a straight line. A dot marks where each neuron can bend the line. With 2 neurons "
    "it misses the wave by far; with 4 it follows the wave, with 8 it nearly covers it."
)
X = torch.linspace(-0.25, 1, 251)
WAVE = torch.sin(tau * X) * (X > 0)


def draw(t: Translate) -> Figure:
    """Draw the wave and what networks of four kinds make of it."""
    fig = Figure(figsize=(4.8, 4.0), layout="constrained")
    panels = fig.subplots(2, 2, sharex=True, sharey=True).flatten()
    drawn = [(t("no ReLU, any width"), straight(), 0)]
    drawn += [(t("{n} neurons").format(n=n), bent(n), n) for n in (2, 4, 8)]
    for axes, (title, y, neurons) in zip(panels, drawn, strict=True):
        axes.plot(X, WAVE, color=MUTED, linewidth=4, alpha=0.5)
        colour = SECOND if axes is panels[0] else ACCENT
        axes.plot(X, y, color=colour, linewidth=1.8)
        bends = [50 + 200 * neuron // max(neurons, 1) for neuron in range(neurons)]  # X is 0 at 50
        axes.plot(X[bends], y[bends], "o", color=colour, markersize=4)
        axes.set_title(title, size=10)
        axes.set_xticks([0, 0.5, 1])
        axes.set_yticks([-1, 0, 1])
    panels[0].text(0.42, 0.85, t("wanted"), color=MUTED)
    fig.supxlabel(t("one number in"), fontsize=10)
    fig.supylabel(t("one number out"), fontsize=10)
    fig.suptitle(t("Every neuron can bend the line once"), fontsize=11)
    return fig


def straight() -> Tensor:
    """The best straight line."""
    ones = torch.stack([X, torch.ones_like(X)], dim=1).double()
    return (ones @ torch.linalg.lstsq(ones, WAVE.double()[:, None]).solution)[:, 0].float()


def bent(neurons: int) -> Tensor:
    """What a network draws whose neurons bend at even distances, their heights fitted."""
    network = PositionwiseFeedForward(1, neurons)
    with torch.no_grad():
        network.expand.weight.fill_(1.0)
        network.expand.bias.copy_(-torch.arange(neurons) / neurons)
        hidden = network.expand(X[:, None]).relu()
        ones = torch.cat([hidden, torch.ones_like(X)[:, None]], dim=1).double()
        best = torch.linalg.lstsq(ones, WAVE.double()[:, None]).solution[:, 0].float()
        network.contract.weight.copy_(best[None, :-1])
        network.contract.bias.copy_(best[-1:])
        out: Tensor = network(X[None, :, None])
    return out[0, :, 0]


def claims() -> dict[str, bool]:
    """Say of the sentences in the description whether they are so."""
    lines = straight(), *(bent(n) for n in (2, 4, 8))
    errors = [float((line - WAVE).abs().max()) for line in lines]
    means = [float((line - WAVE).square().mean()) for line in lines]
    straightness = straight().diff().diff().abs().max()
    return {
        "without ReLU a straight line": bool(straightness < 1e-5),
        "2 miss by far": errors[1] > 0.4,
        "4 follow, 8 nearly cover": 0.1 < errors[2] < 0.35 and errors[3] < 0.12,
        "the wider, the closer on the whole": means == sorted(means, reverse=True),
    }
