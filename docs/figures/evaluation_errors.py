"""Errors of the shipped model per thousand sentences, by construction, on both splits."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, MUTED, SECOND

Translate = Callable[[str], str]

ALT = (
    "A row for each construction of the grammar, such as negation or relative clause, and one for "
    "all sentences. Two columns of horizontal bars: the test split and the compositional one. A "
    "bar is as long as the errors per thousand sentences with the construction, and beside it "
    "stand the errors and the sentences as counts. No bar comes near the thousand. Groups of "
    "fewer than thirty sentences have counts only."
)
MEASURED = Path(__file__).parents[1] / "measured" / "evaluation.json"
ENOUGH = 30  # sentences: a rate of fewer says nothing


def draw(t: Translate) -> Figure:
    """Draw one bar a construction and split, the most frequent constructions first."""
    splits = json.loads(MEASURED.read_text("utf-8"))["scores"]
    test, compositional = splits["test"], splits["compositional"]
    groups = [test["by_construction"], compositional["by_construction"]]
    names = {name: _name(name, t) for name in groups[0]}
    rows = sorted(names, key=lambda name: -groups[0][name]["sentences"])
    columns = (
        (t("test"), test["overall"], groups[0], SECOND),
        (t("unseen combinations"), compositional["overall"], groups[1], ACCENT),
    )
    fig = Figure(figsize=(4.8, 5.4), layout="constrained")
    panels = fig.subplots(1, 2, sharex=True, sharey=True)
    longest = 0.0
    for axes, (title, overall, by_name, colour) in zip(panels, columns, strict=True):
        found = [overall, *(by_name.get(name) for name in rows)]
        for y, group in enumerate(found):
            if group:
                longest = max(longest, _bar(axes, y, group, colour if y else INK))
        axes.set_title(title, size=10)
        axes.axhline(0.5, color=MUTED, linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
    panels[0].set_yticks(range(len(rows) + 1), [t("all"), *(names[name] for name in rows)], size=9)
    panels[0].set(xlim=(0, max(longest, 1) * 1.75), ylim=(len(rows) + 0.6, -0.6))
    fig.supxlabel(t("errors per thousand sentences"), size=10)
    fig.suptitle(t("Few errors, and no construction is hopeless"), size=11)
    return fig


def _bar(axes: Axes, y: float, group: Mapping[str, float], colour: str) -> float:
    """Draw the errors per thousand sentences of a group, its counts beside; return the rate."""
    sentences = round(group["sentences"])
    errors = round(sentences * (1 - group["exact_match"] / 100))
    rate = 1000 * errors / sentences if sentences >= ENOUGH else 0.0
    axes.barh(y, rate, 0.7, color=colour)
    counts, beside = f"{errors}/{sentences}", (3, 0)
    axes.annotate(counts, (rate, y), beside, textcoords="offset points", va="center", size=9)
    return rate


def _name(construction: str, t: Translate) -> str:
    """A construction's name for the reader."""
    return {
        "adjective": t("adjective"),
        "cause": t("cause"),
        "command": t("command"),
        "comparison": t("comparison"),
        "condition": t("condition"),
        "conjunction": t("conjunction"),
        "demonstrative": t("demonstrative"),
        "existence": t("existence"),
        "future": t("future"),
        "habitual": t("habitual"),
        "measure word": t("measure word"),
        "modal": t("modal verb"),
        "negation": t("negation"),
        "past": t("past"),
        "place": t("place"),
        "possessive": t("possessive"),
        "progressive": t("progressive"),
        "pronoun": t("pronoun"),
        "question": t("question"),
        "relative clause": t("relative clause"),
        "time": t("time"),
        "wh-question": t("wh-question"),
        "yes-no question": t("yes-no question"),
    }[construction]
