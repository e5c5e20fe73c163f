"""Errors of the shipped model per thousand sentences, by the length of the source."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._error_bars import bar, scores
from docs.figures._style import ACCENT, SECOND

Translate = Callable[[str], str]

ALT = (
    "Errors per thousand sentences for sources of 1 to 5 words, 6 to 10, 11 to 15 and more, two "
    "bars for each length: the test split and the compositional one. On each bar stand the "
    "errors and the sentences as counts. Up to 15 words errors are rare; of the few sentences "
    "that are longer, about one in seven is wrong in both splits."
)


def draw(t: Translate) -> Figure:
    """Draw two bars for each length."""
    measured = scores()
    splits = (
        (-0.2, measured["test"]["by_length"], SECOND, t("test")),
        (0.2, measured["compositional"]["by_length"], ACCENT, t("unseen combinations")),
    )
    lengths = sorted({key for _, groups, _, _ in splits for key in groups}, key=_lowest)
    fig = Figure(figsize=(4.8, 0.9 + 0.55 * len(lengths)), layout="constrained")
    axes = fig.subplots()
    highest = 1.0
    for offset, groups, colour, label in splits:
        for row, length in enumerate(lengths):
            if length in groups:
                rate = bar(axes, row + offset, groups[length], 0.36, colour)
                highest = max(highest, rate)
        axes.barh(0, 0, color=colour, label=label)
    axes.set_yticks(range(len(lengths)), [length.replace("-", "–") for length in lengths])
    axes.set(xlim=(0, highest * 1.2), ylim=(len(lengths) - 0.4, -0.6), ylabel=t("words"))
    axes.set_xlabel(t("errors per thousand sentences"))
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right"]].set_visible(False)
    fig.suptitle(t("Errors by the length of the source"), size=11)
    fig.legend(loc="outside lower center", ncols=2, frameon=False)
    return fig


def _lowest(length: str) -> int:
    return int(length.split("-")[0])
