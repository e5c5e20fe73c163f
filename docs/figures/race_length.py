"""Three translators of one size: how many sentences are right, by their number of words."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._race import KINDS, shares
from docs.figures._style import ACCENT, INK, MUTED, SECOND

Translate = Callable[[str], str]

ALT = (
    "Three lines over the number of words in a sentence, from 1 to 18, each with the span of "
    "three seeds: how many in a hundred are right. Of the shortest and the longest, one vector "
    "gets <!-- value: race.vector_short .0% --> and <!-- value: race.vector_long .0% -->, the "
    "Transformer <!-- value: race.transformer_short .0% --> and <!-- value: race.transformer_long "
    ".0% -->, the recurrent one with attention <!-- value: race.attention_short .0% --> and <!-- "
    "value: race.attention_long .0% -->."
)

GROUPS = ((1, 4), (5, 6), (7, 8), (9, 10), (11, 18))  # words


def draw(t: Translate) -> Figure:
    """Draw a line for each translator, and the range of its three seeds."""
    fig = Figure(figsize=(4.6, 3.0), layout="constrained")
    axes = fig.subplots()
    names = (t("one vector"), t("recurrent, with attention"), t("Transformer"))
    for kind, name, colour in zip(KINDS, names, (MUTED, SECOND, ACCENT), strict=True):
        found = by_words(kind)
        places = range(len(GROUPS))
        axes.fill_between(
            places, [min(some) for some in found], [max(some) for some in found],
            color=colour, alpha=0.25, linewidth=0,
        )  # fmt: skip
        middle = [sorted(some)[1] for some in found]
        axes.plot(places, middle, "o-", color=colour, markersize=4, label=name)
    axes.set_xticks(range(len(GROUPS)), [f"{least}–{most}" for least, most in GROUPS])
    axes.set(xlabel=t("words of the sentence"), ylabel=t("right (%)"), ylim=(-3, 103))
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(
        t("One vector fails where sentences are long;\nattention mends most of it"), color=INK
    )
    fig.legend(loc="outside lower center", ncols=3, frameon=False, handlelength=1.2)
    return fig


def claims() -> dict[str, bool]:
    """Say of the numbers in title and description whether they are so."""
    vector, attention, transformer = (by_words(kind) for kind in KINDS)
    return {
        "one vector falls most": max(vector[-1]) < min(transformer[-1]),
        "attention falls least": max(transformer[-1]) < min(attention[-1]),
    }


def by_words(kind: str, runs: str = "runs") -> list[list[float]]:
    """Per cent right of each group, one number a seed."""
    return [
        shares(kind, lambda words, _: least <= words <= most, runs)  # noqa: B023
        for least, most in GROUPS
    ]
