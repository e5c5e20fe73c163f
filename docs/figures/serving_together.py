"""What company gains and costs: sentences a second, and seconds until the last one is there."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from matplotlib.figure import Figure

from docs.figures._style import ACCENT, MUTED, SECOND

Translate = Callable[[str], str]

ALT = (
    "Three curves over the sentences in a batch, 1, 8 and 32: this package, and CTranslate2 in "
    "float32 and in int8. Above, the sentences finished in a second: all curves rise. Below, the "
    "seconds until the batch is done: all rise as well. CTranslate2 in int8 is ahead at every "
    "point; in float32 it is ahead of this package at 1 and 32, and behind at 8."
)
MEASURED = Path(__file__).parents[1] / "measured" / "serving.json"
FLOAT32, INT8 = "CTranslate2, float32", "CTranslate2, int8"  # as the measured rows name them


def draw(t: Translate) -> Figure:
    """Draw throughput above latency, on one axis of batch sizes."""
    batches, ours, float32, int8 = zip(*seconds(), strict=True)
    fig = Figure(figsize=(4.8, 4.4), layout="constrained")
    above, below = fig.subplots(2, sharex=True)
    lines = (
        (t("ours"), ours, "-o", ACCENT),
        (t("CTranslate2, float32"), float32, ":s", MUTED),
        (t("CTranslate2, int8"), int8, "--o", SECOND),
    )
    for label, times, mark, colour in lines:
        above.plot(batches, throughput(batches, times), mark, color=colour, label=label)
        below.plot(batches, times, mark, color=colour, label=label)
    above.set(ylabel=t("sentences a second"))
    below.set(ylabel=t("seconds for the batch"), xlabel=t("sentences in the batch"), xticks=batches)
    for axes in (above, below):
        axes.set_ylim(bottom=0)
    fig.legend(
        *above.get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False
    )
    fig.suptitle(t("Together: more sentences a second, a longer wait"), fontsize=11)
    return fig


def throughput(batches: tuple[int, ...], times: tuple[float, ...]) -> list[float]:
    return [batch / time for batch, time in zip(batches, times, strict=True)]


def seconds() -> list[tuple[int, float, float, float]]:
    """Return sentences at once, our seconds and the engine's in float32 and int8: base, greedy."""
    found: dict[int, dict[str, float]] = {}
    for row in json.loads(MEASURED.read_text("utf-8"))["rows"]:
        if match := re.fullmatch(r"base, 1 beams, (\d+) at once", row["what"]):
            times = found.setdefault(int(match[1]), {"ours": row["ours"]})
            times[row["other"]] = row["theirs"]
    return [(batch, each["ours"], each[FLOAT32], each[INT8]) for batch, each in found.items()]


def claims() -> dict[str, bool]:
    """Say of each sentence of the title and the description whether it is so."""
    batches, *curves = zip(*seconds(), strict=True)
    ours, float32, int8 = curves
    finished = [throughput(batches, times) for times in curves]
    return {
        "batches of 1, 8 and 32": batches == (1, 8, 32),
        "more sentences a second": all(rates == sorted(rates) for rates in finished),
        "a longer wait": all([*times] == sorted(times) for times in curves),
        "int8 is ahead": all(a < min(b, c) for a, b, c in zip(int8, float32, ours, strict=True)),
        "float32 is ahead at 1 and 32": [a < b for a, b in zip(float32, ours, strict=True)]
        == [True, False, True],
    }
