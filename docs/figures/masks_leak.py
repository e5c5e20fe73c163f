"""A tiny Transformer that learns to reverse its source, with and without the causal mask."""

import json
from collections.abc import Callable
from statistics import fmean
from typing import Any

from matplotlib.figure import Figure

from docs.figures._masks import RESULT
from docs.figures._style import ACCENT, INK, MUTED, SECOND

Translate = Callable[[str], str]

ALT = (
    "Left: the training loss over <!-- value: masks.steps --> steps, averaged over three models "
    "with the causal mask and three without; the six runs are drawn thin. All fall to nearly zero, "
    "those without the mask sooner. Right: the share of correct words. When each model reads the "
    "correct words, all six reach <!-- value: masks.given low .0% -->, rounded. When it reads its "
    "own words, the models with the mask stay there, and those without the mask get <!-- value: "
    "masks.written .0% -->; guessing gives 11%."
)


def draw(t: Translate) -> Figure:
    """Draw the losses, and beside them what each model can do."""
    fig = Figure(figsize=(4.8, 3.0), layout="constrained")
    fig.suptitle(t("No causal mask: perfect only in training"))
    left, right = fig.subplots(1, 2, width_ratios=(1, 1.25))
    groups = (
        ("masked", -0.2, SECOND, "-", t("with the mask")),
        ("leaky", 0.2, ACCENT, "--", t("without the mask")),
    )
    for name, offset, colour, line, label in groups:
        runs = measured(name)
        losses = [run["loss"] for run in runs]
        for loss in losses:
            left.plot(loss, color=colour, linewidth=0.6, alpha=0.35)
        mean = [fmean(step) for step in zip(*losses, strict=True)]
        left.plot(mean, line, color=colour, linewidth=2, label=label)
        for place, kind in enumerate(("given", "written")):
            shares = [100 * run[kind] for run in runs]
            places = [1.3 * place + offset + 0.1 * (number - 1) for number in range(len(runs))]
            right.plot(places, shares, "o", color=colour, markersize=6)
    low, high = (round(100 * share) for share in span("leaky", "written"))
    right.text(1.5, high + 5, f"{low} – {high}", ha="center", color=INK, size=9)
    left.set(xlabel=t("step"), ylabel=t("training loss"), ylim=(0, None))
    right.set(ylabel=t("correct words (%)"), xlim=(-0.6, 2.1), ylim=(0, 108), yticks=[0, 50, 100])
    right.set_xticks([0, 1.3], [t("reads the\ncorrect words"), t("reads its\nown words")])
    right.axhline(100 / 9, color=MUTED, linestyle=":")
    right.text(0.3, 100 / 9 + 2, t("guessing"), color=INK, size=9)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    fig.legend(loc="outside lower center", ncols=2, frameon=False)
    return fig


def measured(name: str) -> list[dict[str, Any]]:
    """Return the runs with the mask, or those without: `masked` or `leaky`."""
    runs: list[dict[str, Any]] = json.loads(RESULT.read_text("utf-8"))[name]
    return runs


def span(name: str, kind: str) -> tuple[float, float]:
    """Return the smallest and the largest share of words that are right."""
    shares = [run[kind] for run in measured(name)]
    return min(shares), max(shares)


def claims() -> dict[str, bool]:
    """Say of the sentences that title and description claim whether they are so."""

    def sooner(run: dict[str, Any]) -> int:
        return next(step for step, loss in enumerate(run["loss"]) if loss < 0.5)

    masked, leaky = measured("masked"), measured("leaky")
    return {
        "all fall to nearly zero": all(run["loss"][-1] < 0.05 for run in masked + leaky),
        "those without the mask sooner": max(map(sooner, leaky)) < min(map(sooner, masked)),
        "those with the mask stay there": span("masked", "written")[0] >= 0.99,
        "those without fall": span("leaky", "written")[1] < 0.3,
    }
