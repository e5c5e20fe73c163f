"""Three translators of one size: how many sentences are right, by their number of words."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._race import KINDS, LONG, shares
from docs.figures._style import ACCENT, MUTED, SECOND
from docs.figures._variants_run import STEPS

Translate = Callable[[str], str]

ALT = (
    "Two panels, after 1,000 steps of training and after 4,000. In each, three lines over the "
    "number of words in a sentence, from 1 to 18, each with the span of three seeds: how many in "
    "a hundred are right. Of the longest sentences, one vector gets <!-- value: race.vector_long "
    ".0% --> first and <!-- value: race.vector_later .0% --> later, the Transformer <!-- "
    "value: race.transformer_long .0% --> and <!-- value: race.transformer_later .0% -->, "
    "the recurrent one with attention <!-- value: race.attention_long .0% --> and <!-- value: "
    "race.attention_later .0% -->."
)

GROUPS = ((1, 4), (5, 6), (7, 8), (9, 10), (11, 18))  # words
RUNS = {"runs": STEPS, "long": LONG}  # in the record, and how many steps they had


def draw(t: Translate) -> Figure:
    """Draw a panel for each time; in it a line for each translator, with its three seeds' range."""
    fig = Figure(figsize=(4.6, 4.8), layout="constrained")
    fig.suptitle(
        t("One vector loses most where sentences are long,\nafter more training too"), size=11
    )
    panels = fig.subplots(2, 1, sharex=True)
    names = (t("one vector"), t("recurrent, with attention"), t("Transformer"))
    for axes, (runs, steps) in zip(panels, RUNS.items(), strict=True):
        for kind, name, colour, line in zip(
            KINDS, names, (MUTED, SECOND, ACCENT), ("s:", "^--", "o-"), strict=True
        ):
            found = by_words(kind, runs)
            places = range(len(GROUPS))
            axes.fill_between(
                places, [min(some) for some in found], [max(some) for some in found],
                color=colour, alpha=0.25, linewidth=0,
            )  # fmt: skip
            middle = [sorted(some)[1] for some in found]
            axes.plot(places, middle, line, color=colour, markersize=4, label=name)
        axes.set_title(t("after {} steps").format(f"{steps:,}"), size=10)
        axes.set(ylabel=t("right (%)"), ylim=(-3, 103))
        axes.spines[["top", "right"]].set_visible(False)
    panels[-1].set_xticks(range(len(GROUPS)), [f"{least}–{most}" for least, most in GROUPS])
    panels[-1].set_xlabel(t("words of the sentence"))
    handles, labels = panels[0].get_legend_handles_labels()
    fig.legend(
        handles, labels, loc="outside lower center", ncols=2, frameon=False, handlelength=1.8
    )
    return fig


def claims() -> dict[str, bool]:
    """Say of title and description whether they are so."""
    holds = {"after 1,000 steps and after 4,000": tuple(RUNS.values()) == (1000, 4000)}
    for runs, steps in RUNS.items():
        vector, *others = (by_words(kind, runs) for kind in KINDS)
        holds[f"one vector loses most, after {steps}"] = all(
            min(vector[0]) - max(vector[-1]) > max(other[0]) - min(other[-1]) for other in others
        )
    return holds


def by_words(kind: str, runs: str = "runs") -> list[list[float]]:
    """Per cent right of each group, one number a seed."""
    return [shares(kind, fewest, most, runs) for fewest, most in GROUPS]
