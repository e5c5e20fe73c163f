"""How many sentences a small model translates whose decoder lacks one of its attentions."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._dots import dots, right

Translate = Callable[[str], str]

ALT = (
    "Three rows of three dots, one for each seed: how many of 500 sentences come out right. The "
    "whole model has between 368 and 380, the model whose decoder has no self-attention between "
    "325 and 333, the model without cross-attention 0 with every seed."
)


def draw(t: Translate) -> Figure:
    """Draw three dots a row, one for each seed."""
    rows = {
        t("whole model"): "nothing",
        t("without\nself-attention"): "self_attention",
        t("without\ncross-attention"): "cross_attention",
    }
    return dots(rows, t("Without cross-attention,\nnothing is translated"), t)


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    whole, own, cross = (right(p) for p in ("nothing", "self_attention", "cross_attention"))
    return {
        "whole: 368 to 380": (min(whole), max(whole)) == (368, 380),
        "without self-attention: 325 to 333": (min(own), max(own)) == (325, 333),
        "without cross-attention: 0": cross == [0, 0, 0],
    }
