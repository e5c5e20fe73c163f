"""How the time of greedy decoding grows with the length, with the cache and without."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from matplotlib.figure import Figure

from docs.figures._style import ACCENT, SECOND

Translate = Callable[[str], str]

ALT = (
    "Seconds over tokens written. Both lines are nearly straight, and the one without the cache "
    "rises far more steeply. At the right end the distance is largest."
)
MEASURED = Path(__file__).parents[1] / "measured" / "bench.json"


def draw(t: Translate) -> Figure:
    """Draw both curves from what `make bench` measured."""
    lengths, cached, plain = zip(*seconds(), strict=True)
    fig = Figure(figsize=(4.8, 3.0), layout="constrained")
    axes = fig.subplots()
    axes.plot(lengths, plain, "--o", color=SECOND)
    axes.plot(lengths, cached, "-o", color=ACCENT)
    ends = (
        (t("without cache"), plain[-1], 4, SECOND),
        (t("with cache"), cached[-1], 12, ACCENT),
    )
    for label, height, up, colour in ends:
        axes.annotate(
            label,
            (lengths[-1], height),
            (-8, up),
            textcoords="offset points",
            ha="right",
            va="center",
            color=colour,
        )
    axes.set(
        title=t("The cache saves more the longer the sentence"),
        xlabel=t("tokens written"),
        ylabel=t("seconds"),
        xticks=lengths,
    )
    axes.set_ylim(0, 1.15 * max(plain))
    axes.margins(x=0.06)
    return fig


def seconds() -> list[tuple[int, float, float]]:
    """Return tokens written, seconds with the cache and seconds without."""
    rows = json.loads(MEASURED.read_text("utf-8"))["rows"]
    return [
        (int(match[1]), row["ours"], row["theirs"])
        for row in rows
        if (match := re.fullmatch(r"greedy decoding, (\d+) tokens", row["what"]))
        and row["other"] == "without cache"
    ]


def claims() -> dict[str, bool]:
    """Say of each sentence of the title and the description whether it is so."""
    saved = [plain / cached for _, cached, plain in seconds()]
    apart = [plain - cached for _, cached, plain in seconds()]
    return {
        "with the cache, each length takes less": min(saved) > 1,
        "the cache saves more the longer the sentence": saved == sorted(saved),
        "at the right end the distance is largest": max(apart) == apart[-1],
    }
