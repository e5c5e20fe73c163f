"""What each part of the hand-made model is worth: wrong sentences without it."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._hand_made import worth, wrong_by_forcing, wrong_by_greedy
from docs.figures._style import ACCENT, INK
from transformer import load_hand_made

Translate = Callable[[str], str]

ALT = (
    "Bars: how many of 90 sentences are wrong when one part is taken out. Encoder self-attention "
    "82, encoder neuron 18, masked self-attention 90, cross-attention 90, decoder neuron 30; "
    "positions of the source 70, of the target 13; the factor √8 on the source 36, on the target "
    "30; all LayerNorms together 90. Dividing the scores by 2: none. Without the causal mask none "
    "is wrong when the model writes by itself, and all 90 are when the right words are given, as "
    "in training."
)


def rows(t: Translate) -> list[tuple[str, int]]:
    """Return the bars from top to bottom."""
    count = worth()
    whole, _ = load_hand_made()
    return [
        (t("encoder self-attention"), count["encoder.layers.0.self_attention", "sub-layer"]),
        (t("encoder neuron"), count["encoder.layers.0.feed_forward", "sub-layer"]),
        (t("masked self-attention"), count["decoder.layers.0.self_attention", "sub-layer"]),
        (t("cross-attention"), count["decoder.layers.0.cross_attention", "sub-layer"]),
        (t("decoder neuron"), count["decoder.layers.0.feed_forward", "sub-layer"]),
        (t("positions, source"), count["src", "positions"]),
        (t("positions, target"), count["tgt", "positions"]),
        (t("√8, source"), count["src", "scale"]),
        (t("√8, target"), count["tgt", "scale"]),
        (t("all LayerNorms"), count["all", "norm"]),
        (t("division of scores"), count["all", "division"]),
        (t("causal mask, writing"), wrong_by_greedy(whole)),  # the cache holds no future
        (t("causal mask, right words given"), wrong_by_forcing(whole, hide_future=False)),
    ]


def draw(t: Translate) -> Figure:
    """Draw a bar a part."""
    bars = rows(t)
    fig = Figure(figsize=(4.8, 4.4), layout="constrained")
    axes = fig.subplots()
    for row, (_, wrong) in enumerate(bars):
        axes.barh(row, wrong, 0.7, color=ACCENT)
        axes.text(wrong + 1.5, row, str(wrong), va="center", color=INK)
    axes.set_yticks(range(len(bars)), [label for label, _ in bars], size=9)
    axes.set(xlim=(0, 100), ylim=(len(bars) - 0.4, -0.6), xticks=[0, 30, 60, 90])
    axes.set_xlabel(t("wrong, of 90 sentences"))
    axes.tick_params(axis="y", length=0)
    fig.suptitle(t("Without most parts,\nmany of the 90 sentences go wrong"), size=11)
    return fig


def claims() -> dict[str, bool]:
    """Check what the text says."""
    found = [wrong for _, wrong in rows(str)]
    return {
        "the bars": found == [82, 18, 90, 90, 30, 70, 13, 36, 30, 90, 0, 0, 90],
        "nothing is wrong with all parts": wrong_by_forcing(load_hand_made()[0]) == 0,
    }
