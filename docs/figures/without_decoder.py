"""How many sentences a small model translates whose decoder lacks one of its attentions."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._dots import dots, right

Translate = Callable[[str], str]

ALT = (
    "Three rows of three dots, one for each seed: how many of <!-- value: without.sentences --> "
    "sentences come out right. The whole model has <!-- value: without.whole -->, the model whose "
    "decoder has no self-attention <!-- value: without.self_attention -->, the model without "
    "cross-attention <!-- value: without.cross_attention -->."
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
    """Say of the title whether it is so."""
    return {"without cross-attention nothing is translated": not any(right("cross_attention"))}
