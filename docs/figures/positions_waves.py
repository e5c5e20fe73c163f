"""Four dimensions of the shipped model's encoding over the positions: waves of growing length."""

import math
from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import PositionalEncoding

Translate = Callable[[str], str]

ALT = (
    "Four panels over 100 positions, each with a sine and a dashed cosine of one pair of "
    "dimensions of a model of width 128. Pair 0, with a dot on its sine at every position, repeats "
    "after 6.3 places, pair 8 after 20, pair 16 after 63. Pair 32, with a wavelength of 628, is "
    "still in its first rise: the sine climbs to 0.8, the cosine sinks to 0.5."
)

PAIRS = (0, 8, 16, 32)
POSITIONS, D_MODEL = 101, 128


def draw(t: Translate) -> Figure:
    """Draw sine and cosine of each pair; on the fastest a dot at each position."""
    fig = Figure(figsize=(4.8, 4.6), layout="constrained")
    fig.suptitle(t("The later the pair, the longer its wave"), size=11)
    fine = torch.linspace(0, POSITIONS - 1, 501)
    for axes, pair in zip(fig.subplots(len(PAIRS), 1, sharex=True), PAIRS, strict=True):
        axes.axhline(0, color=MUTED, linewidth=0.6)
        angles = fine * 2 * math.pi / wavelength(pair)
        axes.plot(fine, angles.sin(), color=ACCENT, label=t("sine"))
        axes.plot(fine, angles.cos(), "--", color=SECOND, linewidth=1, label=t("cosine"))
        axes.set_title(
            t("pair {}: again after {:.3g} positions").format(pair, wavelength(pair)),
            size=10, loc="left",
        )  # fmt: skip
        axes.set(xlim=(0, POSITIONS - 1), ylim=(-1.2, 1.2), yticks=[-1, 0, 1])
        axes.spines[["top", "right"]].set_visible(False)
    fig.axes[0].plot(
        PositionalEncoding(D_MODEL, POSITIONS).table[:, 0], "o", color=ACCENT, markersize=2.5
    )
    axes.set_xlabel(t("position"))
    handles, labels = axes.get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False, labelcolor=INK)
    return fig


def wavelength(pair: int) -> float:
    """After how many positions a pair repeats."""
    return 2 * math.pi * 10000 ** float(2 * pair / D_MODEL)


def claims() -> dict[str, bool]:
    """What title and text say."""
    table = PositionalEncoding(D_MODEL, POSITIONS).table
    last = table[-1, 2 * PAIRS[-1] :]
    return {
        "the curves go through the table": all(
            torch.allclose(table[:, 2 * pair], angles.sin(), atol=1e-4)
            and torch.allclose(table[:, 2 * pair + 1], angles.cos(), atol=1e-4)
            for pair in PAIRS
            for angles in [torch.arange(POSITIONS) * 2 * math.pi / wavelength(pair)]
        ),
        "wavelengths of 6.3, 20, 63, 628": [f"{wavelength(pair):.3g}" for pair in PAIRS]
        == ["6.28", "19.9", "62.8", "628"],
        "the sine climbs to 0.8, the cosine sinks to 0.5": [
            round(number, 1) for number in last[:2].tolist()
        ]
        == [0.8, 0.5],
    }
