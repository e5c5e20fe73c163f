"""The shipped model, fine-tuned on longer sentences at three rates: what it learns and forgets."""

import json
from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure

from docs.figures._fine_tuning import RATES, RESULT
from docs.figures._style import ACCENT, SECOND

Translate = Callable[[str], str]

ALT = (
    "Five rows of marks, over how many of <!-- value: tuning.sentences --> sentences are right: "
    "dots for sentences longer than any in the first training, squares for ordinary ones. Before: "
    "<!-- value: tuning.longer_before --> and <!-- value: tuning.test_before -->. At a rate of "
    "0.00003: <!-- value: tuning.longer_small --> and <!-- value: tuning.test_small -->. At "
    "0.0003: <!-- value: tuning.longer_middle --> and <!-- value: tuning.test_middle -->. At "
    "0.003: <!-- value: tuning.longer_large --> and <!-- value: tuning.test_large -->. From random "
    "parameters: none."
)


def draw(t: Translate) -> Figure:
    """Draw a row for the model before, for each rate, and for a model from nothing."""
    record = read()
    rows = {
        t("before"): [record["before"]],
        **{t("rate {}").format(f"{rate:f}".rstrip("0")): record[str(rate)] for rate in RATES[::-1]},
        t("random\nparameters"): record["from_nothing"],
    }
    fig = Figure(figsize=(4.6, 3.0), layout="constrained")
    axes = fig.subplots()
    for row, runs in enumerate(rows.values()):
        for split, marker, colour in (("longer", "o", ACCENT), ("test", "s", SECOND)):
            counts = [run[split] for run in runs]
            axes.plot(counts, [row] * len(counts), marker, color=colour, markersize=5)
    axes.plot([], [], "o", color=ACCENT, label=t("longer sentences"))
    axes.plot([], [], "s", color=SECOND, label=t("ordinary ones"))
    axes.set_yticks(range(len(rows)), list(rows))
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    axes.set(xlim=(-8, record["sentences"] + 8))
    axes.set_xlabel(t("right, of {}").format(record["sentences"]))
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="y", alpha=0.3)
    fig.legend(loc="outside lower center", ncols=2, frameon=False)
    fig.suptitle(t("A high rate learns more, and forgets more"), size=11)
    return fig


def claims() -> dict[str, bool]:
    """Say of the description, and of what the page says of it, whether it is so."""
    record = read()
    longer = [min(run["longer"] for run in record[str(rate)]) for rate in RATES]
    test = [max(run["test"] for run in record[str(rate)]) for rate in RATES]
    return {
        "none from random parameters": all(
            sum(run.values()) == 0 for run in record["from_nothing"]
        ),
        "a high rate learns more": longer == sorted(longer, reverse=True),
        "it forgets more": test == sorted(test),
    }


def read() -> dict[str, Any]:
    """Return what was measured."""
    record: dict[str, Any] = json.loads(RESULT.read_text("utf-8"))
    return record
