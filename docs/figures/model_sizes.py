"""What a hyper-parameter costs: the base model's parameters with one of them changed."""

from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure

from docs.figures._style import ACCENT, MUTED
from docs.figures._table_3 import BIG, VOCABULARY, counts

Translate = Callable[[str], str]

ALT = (
    "Bars of the number of parameters in millions: the base model has 63.1. With 2 layers on each "
    "side 33.7; with heads of half the width 53.6; with 16 heads again 63.1; with an embedding "
    "for each language 82.0; with d_ff 4096, 88.3; with d_model 1024, 163.9. The big model has "
    "214.2."
)


def draw(t: Translate) -> Figure:
    """Draw one bar a change, the base model in grey."""
    names = {
        "base": t("base"),
        "layers": t("2 + 2 layers"),
        "narrow": "d_k = d_v = 32",
        "heads": "num_heads = 16",
        "apart": t("two embeddings"),
        "d_ff": "d_ff = 4096",
        "d_model": "d_model = 1024",
        "big": t("big"),
    }
    fig = Figure(figsize=(4.8, 3.4), layout="constrained")
    axes = fig.subplots()
    colours = [MUTED, *[ACCENT] * (len(names) - 1)]
    sizes = [millions(change) for change in names]
    drawn = axes.barh([*names.values()], sizes, 0.65, color=colours)
    axes.bar_label(drawn, fmt="{:.1f}", padding=3)
    axes.invert_yaxis()
    axes.set(xlim=(0, 250), xlabel=t("parameters (millions)"))
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right"]].set_visible(False)
    fig.suptitle(t("Width costs most, more heads nothing"), size=11)
    return fig


CHANGES: dict[str, dict[str, Any]] = {
    "base": {},
    "layers": {"num_encoder_layers": 2, "num_decoder_layers": 2},
    "narrow": {"d_k": 32, "d_v": 32},
    "heads": {"num_heads": 16},
    "d_ff": {"d_ff": 4096},
    "d_model": {"d_model": 1024},
    "big": BIG,
}


def millions(change: str) -> float:
    """Count the base model with this change; one embedding more for two of them."""
    if change == "apart":
        return millions("base") + VOCABULARY * 512 / 1e6
    return sum(counts(**CHANGES[change]).values()) / 1e6


def claims() -> dict[str, bool]:
    """Say of the numbers in the description and of the title whether they are so."""
    stated = {
        "base": 63.1,
        "layers": 33.7,
        "narrow": 53.6,
        "heads": 63.1,
        "apart": 82.0,
        "d_ff": 88.3,
        "d_model": 163.9,
        "big": 214.2,
    }
    singles = [change for change in CHANGES if change != "big"]
    return {
        **{
            f"{change}: {number}": round(millions(change), 1) == number
            for change, number in stated.items()
        },
        "width costs most": max(singles, key=millions) == "d_model",
        "more heads nothing": millions("heads") == millions("base"),
    }
