"""Few pairs, learned with dropout and without: the losses of training and of validation."""

import json
from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure

from docs.figures._dropout import RESULT
from docs.figures._style import ACCENT, INK, SECOND

Translate = Callable[[str], str]

ALT = (
    "Two panels of loss over <!-- value: dropout.steps --> steps, three runs each. Left, on pairs "
    "of training: the three with dropout fall more slowly, and all six end near 0. Right, on "
    "unseen sentences: without dropout the loss soon stays where it is, with dropout it goes on "
    "falling, and ends lower than without in each of the three seeds."
)


def draw(t: Translate) -> Figure:
    """Draw the losses on pairs of training on the left, those on others on the right."""
    record = read()
    steps = range(record["every"], record["steps"] + 1, record["every"])
    fig = Figure(figsize=(4.8, 3.5), layout="constrained")
    panels = fig.subplots(1, 2, sharey=True)
    titles = {"training": t("pairs of training"), "validation": t("unseen sentences")}
    for axes, (name, title) in zip(panels, titles.items(), strict=True):
        for rate, colour, label in (
            ("0.0", SECOND, t("without dropout")),
            ("0.1", ACCENT, t("dropout 0.1")),
        ):
            for seed, (run, line) in enumerate(zip(record[rate], ("-", "--", ":"), strict=True), 1):
                axes.plot(
                    steps,
                    run[name],
                    line,
                    color=colour,
                    label=t("{}, seed {}").format(label, seed),
                    linewidth=1.3,
                )
        axes.set_title(title, size=10)
        axes.set(xlabel=t("step"), xlim=(0, None), ylim=(0, 2))
        axes.locator_params(axis="x", nbins=3)
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel(t("loss"))
    handles, labels = panels[0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False, labelcolor=INK)
    fig.suptitle(t("With dropout, the loss on unseen\nsentences ends lower"), size=11)
    return fig


def claims() -> dict[str, bool]:
    """Say of the description, and of what the page says of it, whether it is so."""
    record = read()
    with_it, without = record["0.1"], record["0.0"]
    pairs = list(zip(with_it, without, strict=True))
    return {
        "all six end near 0": all(run["training"][-1] < 0.1 for run in with_it + without),
        "with dropout the loss ends lower": all(
            one["validation"][-1] < other["validation"][-1] for one, other in pairs
        ),
        "two of three get more right": sum(a["right"] > b["right"] for a, b in pairs) == 2,
    }


def read() -> dict[str, Any]:
    """Return what was measured."""
    record: dict[str, Any] = json.loads(RESULT.read_text("utf-8"))
    return record
