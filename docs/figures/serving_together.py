"""What company gains and costs: sentences a second, and seconds until the last one is there."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from matplotlib.figure import Figure

from docs.figures._style import ACCENT, SECOND

Translate = Callable[[str], str]

ALT = (
    "Two curves over the sentences in a batch, 1, 8 and 32, for this package and for CTranslate2 "
    "in int8. Above, the sentences finished in a second: both curves rise. Below, the seconds "
    "until the batch is done: both rise as well. CTranslate2 in int8 is ahead at every point."
)
MEASURED = Path(__file__).parents[1] / "measured" / "serving.json"
INT8 = "CTranslate2, int8"  # as the measured rows name it


def draw(t: Translate) -> Figure:
    """Draw throughput above latency, on one axis of batch sizes."""
    batches, ours, theirs = zip(*seconds(), strict=True)
    fig = Figure(figsize=(4.8, 4.0), layout="constrained")
    above, below = fig.subplots(2, sharex=True)
    lines = (
        (t("ours"), ours, "-o", ACCENT),
        (t("CTranslate2, int8"), theirs, "--o", SECOND),
    )
    for label, times, mark, colour in lines:
        above.plot(batches, throughput(batches, times), mark, color=colour, label=label)
        below.plot(batches, times, mark, color=colour, label=label)
    above.set(ylabel=t("sentences a second"))
    below.set(ylabel=t("seconds to wait"), xlabel=t("sentences in the batch"), xticks=batches)
    above.legend(frameon=False, loc="upper left")
    for axes in (above, below):
        axes.set_ylim(bottom=0)
    fig.suptitle(t("Together: more sentences a second, a longer wait"), fontsize=11)
    return fig


def throughput(batches: tuple[int, ...], times: tuple[float, ...]) -> list[float]:
    return [batch / time for batch, time in zip(batches, times, strict=True)]


def seconds() -> list[tuple[int, float, float]]:
    """Return sentences at once, our seconds and those of the other engine: base model, greedy."""
    rows = json.loads(MEASURED.read_text("utf-8"))["rows"]
    return [
        (int(match[1]), row["ours"], row["theirs"])
        for row in rows
        if (match := re.fullmatch(r"base, 1 beams, (\d+) at once", row["what"]))
        and row["other"] == INT8
    ]


def claims() -> dict[str, bool]:
    """Say of each sentence of the title and the description whether it is so."""
    batches, ours, theirs = zip(*seconds(), strict=True)
    finished = [throughput(batches, times) for times in (ours, theirs)]
    return {
        "batches of 1, 8 and 32": batches == (1, 8, 32),
        "more sentences a second": all(rates == sorted(rates) for rates in finished),
        "a longer wait": all([*times] == sorted(times) for times in (ours, theirs)),
        "int8 is ahead": all(there < here for here, there in zip(ours, theirs, strict=True)),
    }
