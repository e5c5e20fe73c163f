"""What the shipped model still translates when a head is muted, or all of an attention."""

import json
from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure

from docs.figures._heads_muted import RESULT
from docs.figures._style import ACCENT, INK, MUTED, SECOND

Translate = Callable[[str], str]

ALT = (
    "For the six attentions of the shipped model, how many of <!-- value: muted.sentences --> "
    "sentences are right when heads are muted. With one head muted it is <!-- value: muted.head "
    "-->, mostly close to the <!-- value: muted.whole --> of the whole model. With all four muted "
    "it is <!-- value: muted.attention -->: fewer in each of the six attentions than with any "
    "single head gone, and fewest in the last cross-attention."
)


def draw(t: Translate) -> Figure:
    """Draw a row an attention: four dots for one head gone, a diamond for all four gone."""
    record = measured()
    fig = Figure(figsize=(4.8, 3.7), layout="constrained")
    axes = fig.subplots()
    axes.axvline(record["whole"], color=MUTED, linestyle=":", linewidth=1)
    rows = list(record["heads"])
    for row, name in enumerate(rows):
        counts = record["heads"][name]
        places = [row - 0.27 + 0.18 * head for head in range(len(counts))]  # one above the other
        one = axes.scatter(counts, places, 26, color=ACCENT, label=t("one head muted"))
        all_ = axes.scatter(
            record["layers"][name], row, 40, color=SECOND, marker="D", label=t("all four muted")
        )
    axes.set_yticks(range(len(rows)), [label(t, name) for name in rows])
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    axes.set(xlim=(-6, 206), xlabel=t("right, of 200"))
    axes.text(197, -0.62, t("whole model"), ha="right", va="center", color=INK, size=9)
    axes.spines[["top", "right", "left"]].set_visible(False)
    fig.legend(handles=[one, all_], loc="outside lower center", ncols=2, frameon=False)
    fig.suptitle(t("Most heads can be muted one at a time,\nno attention as a whole"), size=11)
    return fig


def label(t: Translate, name: str) -> str:
    """Name an attention shortly."""
    side, _, number, kind = name.split(".")
    if side == "encoder":
        return t("encoder, layer {layer}").format(layer=int(number) + 1)
    if kind == "cross_attention":
        return t("cross-attention, layer {layer}").format(layer=int(number) + 1)
    return t("decoder, layer {layer}").format(layer=int(number) + 1)


def measured() -> dict[str, Any]:
    """What was measured: right ones of the whole model, without each head, without each layer."""
    record: dict[str, Any] = json.loads(RESULT.read_text("utf-8"))
    return record


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    record = measured()
    heads, layers, whole = record["heads"], record["layers"], record["whole"]
    single = [count for counts in heads.values() for count in counts]
    return {
        "of 200 sentences, as the axis says": record["sentences"] == 200,
        "24 heads in six attentions": (len(single), len(layers)) == (24, 6),
        "all muted is worse than any one": all(layers[n] < min(heads[n]) for n in heads),
        "fewest in the last cross-attention": min(layers, key=layers.__getitem__)
        == "decoder.layers.1.cross_attention",
        "all cost more than each added up": all(
            whole - layers[n] > sum(whole - count for count in heads[n]) for n in heads
        ),
        "the two dearest heads are in the last cross-attention": sorted(single)[:2]
        == sorted(heads["decoder.layers.1.cross_attention"])[:2],
        "most heads cost at most 10": sum(whole - count <= 10 for count in single) > 12,
    }
