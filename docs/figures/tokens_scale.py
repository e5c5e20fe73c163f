"""How large an embedded token is beside its position, by how the rows were initialized."""

import math
from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from torch import nn

from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import PositionalEncoding

Translate = Callable[[str], str]

ALT = (
    "A chart of sizes on a logarithmic axis, for 10,000 rows of width 512. A line marks the "
    "positional encoding at 0.71. Multiplied by √512, rows of variance 1/512 have size 1.0, just "
    "right of the line; those of Xavier 0.31, left of it; PyTorch's default 22.6, far to the "
    "right. Not multiplied, they have 0.04, 0.01 and 1.0."
)
VOCAB_SIZE, D_MODEL = 10_000, 512


def draw(t: Translate) -> Figure:
    """Draw a point for each initialization, with and without the multiplication."""
    names = [t("this package:\nvariance 1/512"), "Xavier", t("PyTorch's default:\nvariance 1")]
    fig = Figure(figsize=(4.8, 2.9), layout="constrained")
    axes = fig.subplots()
    for factor, marker, colour, name in (
        (1, "o", SECOND, t("as it is")),
        (math.sqrt(D_MODEL), "s", ACCENT, t("× √512")),
    ):
        scaled = [factor * size for size in sizes()]
        axes.plot(scaled, range(3), marker, color=colour, markersize=7, label=name)
        for y, x in enumerate(scaled):
            side, align, digits = (8, "left", 1) if x > position() else (-8, "right", 2)
            axes.annotate(
                f"{x:.{digits}f}", (x, y), (side, 0), textcoords="offset points", ha=align,
                va="center", size=10, color=colour,
            )  # fmt: skip
    axes.axvline(position(), color=MUTED, linestyle="--", label=t("positions: 0.71"))
    axes.set(xscale="log", xlim=(0.003, 120), ylim=(2.5, -0.5))
    axes.set_xticks([0.01, 0.1, 1, 10], ["0.01", "0.1", "1", "10"])
    axes.minorticks_off()
    axes.set_yticks(range(3), names)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_xlabel(t("typical size of an entry"))
    fig.legend(loc="outside lower center", ncols=3, frameon=False, labelcolor=INK)
    fig.suptitle(
        t("Multiplied by √512, rows of variance 1/512\nare about as large as the positions")
    )
    return fig


def sizes() -> list[float]:
    """The standard deviation of the rows' entries: variance 1/d_model, Xavier, variance 1."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        weight = torch.empty(VOCAB_SIZE, D_MODEL)
        ours = nn.init.normal_(weight, std=D_MODEL**-0.5).std().item()
        xavier = nn.init.xavier_uniform_(weight).std().item()
        default = nn.init.normal_(weight).std().item()
    return [ours, xavier, default]


def position() -> float:
    """The root of the mean square of the positional encoding's entries."""
    return PositionalEncoding(D_MODEL).table.square().mean().sqrt().item()


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    as_is = [round(size, 2) for size in sizes()]
    scaled = [round(size * math.sqrt(D_MODEL), 2) for size in sizes()]
    return {
        "positions 0.71": round(position(), 2) == 0.71,
        "as they are 0.04, 0.01, 1.0": (as_is[0], as_is[1], round(as_is[2], 1))
        == (0.04, 0.01, 1.0),
        "multiplied 1.0, 0.31, 22.6": (round(scaled[0], 1), scaled[1], round(scaled[2], 1))
        == (1.0, 0.31, 22.6),
    }
