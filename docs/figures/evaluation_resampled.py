"""Two systems that differ in one sentence of a hundred, and in twenty: how much chance can do."""

import random
from collections.abc import Callable
from functools import cache

from matplotlib.figure import Figure

from docs.figures._sentences import sentences
from docs.figures._style import ACCENT, MUTED
from transformer.inference.evaluation import metrics

Translate = Callable[[str], str]

ALT = (
    "Two histograms over the difference in BLEU, for a thousand draws of a hundred sentences each, "
    "with the mean moved to zero: what chance does by itself. A line marks the difference that was "
    "measured. Where the systems differ in one sentence, a good part of the draws lies beyond the "
    "line; where they differ in twenty, hardly any."
)
SENTENCES, DRAWS = 100, 1000
WRONG = "她跑。"
WORSE = (1, 20)  # sentences that the other system gets wrong


def draw(t: Translate) -> Figure:
    """Draw a histogram for each number of sentences."""
    fig = Figure(figsize=(4.8, 3.8), layout="constrained")
    panels = fig.subplots(2, 1)
    titles = (t("one sentence of 100 differs"), t("20 sentences of 100 differ"))
    for axes, count, title in zip(panels, WORSE, titles, strict=True):
        real, by_chance = differences()[count]
        end = 1.3 * max(real, *map(abs, by_chance))
        axes.hist(by_chance, bins=31, range=(-end, end), color=MUTED)
        axes.axvline(real, color=ACCENT, linewidth=2)
        axes.set_title(title, size=10)
        axes.set(yticks=[], xlim=(-end, end))
        axes.spines[["top", "right", "left"]].set_visible(False)
    top = panels[1].get_ylim()[1]
    real, _ = differences()[WORSE[1]]
    label, look = t("measured"), {"color": ACCENT, "ha": "right", "va": "top"}
    panels[1].annotate(label, (real, 0.9 * top), (-5, 0), textcoords="offset points", **look)
    panels[1].set_xlabel(t("difference in BLEU"))
    fig.supylabel(t("draws"), size=10)
    fig.suptitle(t("One sentence may be luck, twenty hardly are"), size=11)
    return fig


@cache
def differences() -> dict[int, tuple[float, list[float]]]:
    """For each number of worse sentences: the difference, and those of the draws about 0."""
    right = [pair.target for pair in sentences(SENTENCES)]
    bleu, _ = metrics("zh")

    def counts(text: str, reference: str) -> list[int]:
        """What is added up over sentences: matches, runs, both lengths."""
        one = bleu.sentence_score(text, [reference])
        return [*one.counts, *one.totals, one.sys_len, one.ref_len]

    def corpus(rows: list[list[int]]) -> float:
        added = [sum(column) for column in zip(*rows, strict=True)]
        return float(bleu.compute_bleu(added[:4], added[4:8], added[8], added[9]).score)

    good = [counts(text, text) for text in right]
    bad = [counts(WRONG, text) for text in right]
    chance = random.Random(0)
    found = {}
    for worse in WORSE:
        other = [*bad[:worse], *good[worse:]]
        drawn = [chance.choices(range(SENTENCES), k=SENTENCES) for _ in range(DRAWS)]
        gaps = [corpus([good[i] for i in d]) - corpus([other[i] for i in d]) for d in drawn]
        mean = sum(gaps) / DRAWS
        found[worse] = corpus(good) - corpus(other), [gap - mean for gap in gaps]
    return found


def claims() -> dict[str, bool]:
    """Say of the description whether it is so."""
    beyond = {}
    for worse, (real, by_chance) in differences().items():
        beyond[worse] = sum(abs(gap) > real for gap in by_chance) / DRAWS
    return {
        "one: a good part": 0.1 < beyond[1] < 0.3,
        "twenty: hardly any": beyond[20] < 0.01,
    }
