"""How many sentences the shipped model translates rightly, by length, under two single scores."""

import json
from collections.abc import Callable
from pathlib import Path

from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, SECOND
from transformer.data.grammar import LONGEST

Translate = Callable[[str], str]

ALT = (
    "A bar for each of seven ranges of words: per cent of sentences translated rightly. Up to 15 "
    "words the bars are near 100, from 16 to 18 it is <!-- value: scores.longest .0% -->. A line "
    "over these four says that together they score <!-- value: scores.seen .0% -->. Past <!-- "
    "value: default.longest_sentence --> words, the longest of training, the bars are <!-- value: "
    "scores.longer_19_to_20 .0% -->, <!-- value: scores.longer_21_to_25 .0% --> and <!-- value: "
    "scores.longer_26_to_30 .0% -->; together they score <!-- value: scores.longer .0% -->."
)
MEASURED = Path(__file__).parents[1] / "measured" / "evaluation.json"


def draw(t: Translate) -> Figure:
    """Draw a bar for each range, and over each kind of sentences its one score."""
    seen, longer = groups("test", "compositional"), groups("longer")
    names = [*seen, *longer]
    names[len(seen) - 1] = f"16-{LONGEST}"
    names[len(seen)] = f"{LONGEST + 1}-20"
    fig = Figure(figsize=(4.8, 3.2), layout="constrained")
    axes = fig.subplots()
    start = 0
    kinds = ((seen, SECOND, t("as long as in training")), (longer, ACCENT, t("longer")))
    for some, colour, label in kinds:
        places = range(start, start + len(some))
        bars = axes.bar(places, [share(*group) for group in some.values()], 0.8, color=colour)
        axes.bar_label(bars, fmt="%.0f", padding=2, size=9)
        ends = places[0] - 0.4, places[-1] + 0.4
        axes.plot(ends, (117, 117), color=INK, linewidth=1)
        score = t("score: {percent}").format(percent=f"{together(some):.0f}")
        axes.text(sum(ends) / 2, 120, f"{label}\n{score}", ha="center", va="bottom", size=9)
        start += len(some)
    axes.set_xticks(range(start), [name.replace("-", "–") for name in names], size=9)
    axes.set(xlabel=t("words"), ylabel=t("right (%)"), ylim=(0, 145), yticks=(0, 50, 100))
    axes.spines[["top", "right"]].set_visible(False)
    fig.suptitle(t("One score hides what length does"), size=11)
    return fig


def groups(*splits: str) -> dict[str, tuple[int, int]]:
    """For each range of words: right ones and sentences of these splits."""
    scores = json.loads(MEASURED.read_text("utf-8"))["scores"]
    found: dict[str, tuple[int, int]] = {}
    for split in splits:
        for words, group in scores[split]["by_length"].items():
            right, sentences = found.get(words, (0, 0))
            good = round(group["sentences"] * group["exact_match"] / 100)
            found[words] = right + good, sentences + group["sentences"]
    return found


def share(right: int, sentences: int) -> float:
    """Per cent."""
    return 100 * right / sentences


def together(some: dict[str, tuple[int, int]]) -> float:
    """The one score of all ranges."""
    return share(*(sum(column) for column in zip(*some.values(), strict=True)))


def claims() -> dict[str, bool]:
    """Say of the description, and of what the page says beside it, whether it is so."""
    seen, longer = groups("test", "compositional"), groups("longer")
    return {
        "up to 15 near 100": min(share(*seen[name]) for name in list(seen)[:3]) > 99,
        "fewer beyond": share(*seen["16-20"]) > max(share(*group) for group in longer.values()),
    }
