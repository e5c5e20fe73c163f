"""How long a training step of one attention takes: looped, explicit, fused."""

import json
from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure

from docs.figures._heads_speed import RESULT
from docs.figures._style import ACCENT, MUTED, SECOND

Translate = Callable[[str], str]

ALT = (
    "Bars: the time of a step, forward and backward, of one attention with 2,048 tokens, as a "
    "multiple of the fused one's, for sentences of 32, 128 and 512 tokens. The fused "
    "implementation is the fastest at each length. Neither the loop nor the explicit formula "
    "takes twice as long."
)


def draw(t: Translate) -> Figure:
    """Draw three bars for each length."""
    record = measured()
    times = record["milliseconds"]
    kinds = (
        ("looped", t("looped"), MUTED),
        ("explicit", t("explicit"), SECOND),
        ("fused", t("fused"), ACCENT),
    )
    fig = Figure(figsize=(4.8, 2.8), layout="constrained")
    axes = fig.subplots()
    for place, (kind, words, colour) in enumerate(kinds):
        ratios = [row[kind] / row["fused"] for row in times.values()]
        spots = [group + 0.27 * (place - 1) for group in range(len(ratios))]
        axes.bar(spots, ratios, 0.25, color=colour, label=words)
        for spot, ratio in zip(spots, ratios, strict=True):
            axes.text(spot, ratio + 0.02, f"{ratio:.2f}", ha="center", va="bottom", size=9)
    axes.set_xticks(range(len(times)), [str(length) for length in times])
    axes.set(xlabel=t("tokens in a sentence"), ylabel=t("time (fused = 1)"))
    axes.tick_params(axis="x", length=0)
    axes.spines[["top", "right"]].set_visible(False)
    fig.legend(loc="outside lower center", ncols=3, frameon=False)
    fig.suptitle(t("The fused kernel is the fastest of three"), size=11)
    return fig


def measured() -> dict[str, Any]:
    """What was measured: for each length, the milliseconds of each implementation."""
    record: dict[str, Any] = json.loads(RESULT.read_text("utf-8"))
    return record


def claims() -> dict[str, bool]:
    """Say of the title and the description whether they are so."""
    record = measured()
    rows = list(record["milliseconds"].values())
    behind = [row["explicit"] / row["fused"] for row in rows]
    return {
        "2,048 tokens": record["tokens"] == 2048,
        "fused is the fastest": all(row["fused"] == min(row.values()) for row in rows),
        "most clearly for long sentences": behind[-1] == max(behind),
        "at 512 the loop beats the formula": rows[-1]["looped"] < rows[-1]["explicit"],
        "nothing takes twice as long": all(max(row.values()) < 2 * row["fused"] for row in rows),
    }
