"""How many sentences are translated rightly by their length, with sines and with learned rows."""

import json
from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure

from docs.figures._positions import KINDS, RESULT
from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer.data.grammar import LONGEST

Translate = Callable[[str], str]

ALT = (
    "Per cent of sentences translated rightly, by their number of words, for sinusoidal and for "
    "learned positions: a thin line for each of three runs, a thick one for all three together. "
    "Up to 12 words all are above 90. From there on they fall, learned positions faster: a dotted "
    "line marks 18 words, the longest of training, and just beyond it about 34 and 13 per cent "
    "are right. At 25 words both are near 0."
)

STEP = 2  # words that are counted together
FEW = 60  # sentences of three runs below which a share says little


def draw(t: Translate) -> Figure:
    """Draw the share of each run, and of all runs, over the number of words."""
    fig = Figure(figsize=(4.8, 3.2), layout="constrained")
    axes = fig.subplots()
    for kind, colour, label in zip(
        KINDS, (ACCENT, SECOND), (t("sines and cosines"), t("learned rows")), strict=True
    ):
        for run in runs()[kind]:
            axes.plot(*zip(*shares([run], FEW // 3), strict=True), color=colour, linewidth=0.6)
        together = shares(runs()[kind], FEW)
        axes.plot(*zip(*together, strict=True), color=colour, linewidth=2, label=label)
    axes.axvline(LONGEST + 0.5, color=MUTED, linestyle=":")
    axes.text(LONGEST, 8, t("longest of training"), color=INK, ha="right", size=9)
    axes.set(xlabel=t("words"), ylabel=t("right (%)"), ylim=(0, 104))
    axes.spines[["top", "right"]].set_visible(False)
    fig.suptitle(t("Past the longest sentence of training"))
    fig.legend(loc="outside lower center", ncols=2, frameon=False)
    return fig


def runs() -> dict[str, list[dict[str, Any]]]:
    """What was measured: for each run and split, sentences and right ones by number of words."""
    record: dict[str, list[dict[str, Any]]] = json.loads(RESULT.read_text("utf-8"))
    return record


def shares(some: list[dict[str, Any]], least: int) -> list[tuple[float, float]]:
    """Number of words, and per cent right, where there are enough sentences."""
    counts: dict[int, list[int]] = {}
    for run in some:
        for words, (all_, right) in [*run["validation"].items(), *run["longer"].items()]:
            group = counts.setdefault((int(words) - 1) // STEP, [0, 0])
            group[0] += all_
            group[1] += right
    return [
        (STEP * group + (STEP + 1) / 2, 100 * right / all_)
        for group, (all_, right) in sorted(counts.items())
        if all_ >= least
    ]
