"""How many words the sentences of three splits have."""

from collections import Counter
from collections.abc import Callable
from functools import cache

from matplotlib.figure import Figure

from docs.figures._sentences import sentences
from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer.data.grammar import LONGEST

Translate = Callable[[str], str]

ALT = (
    "Three curves over the number of words: how many sentences in a hundred have so many. Those of "
    "the test and of the compositional split lie upon each other from 5 words on; both end at 18, "
    "and half of the sentences have 6 to 10. That of the longer split begins at 19 and ends at 30."
)
SENTENCES = 1000
MARKS = {".", ",", "?", "!"}
SPLITS = ("test", "compositional", "longer")


def draw(t: Translate) -> Figure:
    """Draw a line for each split, and the longest sentence of training."""
    fig = Figure(figsize=(4.8, 3.1), layout="constrained")
    axes = fig.subplots()
    names = (t("test"), t("compositional"), t("longer"))
    styles = ((MUTED, "-", 5.0), (ACCENT, "--", 1.8), (SECOND, "-", 1.8))
    for split, name, (colour, line, width) in zip(SPLITS, names, styles, strict=True):
        words = range(min(shares(split)), max(shares(split)) + 1)
        heights = [shares(split)[number] for number in words]
        axes.plot(words, heights, line, color=colour, linewidth=width, label=name)
    axes.axvline(LONGEST + 0.5, color=INK, linewidth=1, linestyle=":")
    axes.text(LONGEST + 2.5, 19.5, t("longer than any\nin training"), color=INK, size=9, va="top")
    axes.set(xlim=(0, 31), ylim=(0, 21), xlabel=t("words"), ylabel=t("sentences (%)"))
    axes.spines[["top", "right"]].set_visible(False)
    fig.legend(loc="outside lower center", ncols=3, frameon=False)
    fig.suptitle(t("One exam is as long as the test, one is longer"))
    return fig


@cache
def shares(split: str) -> Counter[int]:
    """How many per cent of the sentences have how many words; marks are none."""
    found = sentences(SENTENCES, split)
    counts = Counter(sum(word not in MARKS for word in pair.source.split()) for pair in found)
    return Counter({words: 100 * count / SENTENCES for words, count in counts.items()})


def claims() -> dict[str, bool]:
    """Say of the title and the description whether they are so."""
    test, compositional, longer = map(shares, SPLITS)
    return {
        "at most 18": max(test) == max(compositional) == LONGEST == 18,
        "upon each other": all(abs(test[n] - compositional[n]) < 1 for n in range(5, LONGEST + 1)),
        "half have 6 to 10": 50 < sum(test[n] for n in range(6, 11)) < 56,
        "longer: 19 to 30": (min(longer), max(longer)) == (19, 30),
    }
