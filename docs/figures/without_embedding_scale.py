"""The model trained without the factor √d_model on its embeddings, beside the whole one."""

import json
from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure

from docs.figures._style import ACCENT, SECOND
from docs.figures._without import RESULT

Translate = Callable[[str], str]

ALT = (
    "Above, two rows of three dots, one for each seed: of 500 sentences the whole model gets 368, "
    "379 and 380 right, the one without the factor none, three times. Below, the training loss "
    "over 1,000 steps: that of the whole model falls to about 1.2, that without the factor stays "
    "above 5 for the first 150 steps and ends between 2.8 and 3.1."
)


def draw(t: Translate) -> Figure:
    """Draw the counts as dots, and the losses as lines."""
    runs = json.loads(RESULT.read_text("utf-8"))
    kinds = (
        ("nothing", t("whole model"), SECOND, "-"),
        ("embedding_scale", t("without √d_model"), ACCENT, "--"),
    )
    fig = Figure(figsize=(4.8, 4.2), layout="constrained")
    above, below = fig.subplots(2, 1, height_ratios=(1, 2.2))
    for row, (key, label, colour, style) in enumerate(kinds):
        right = [run["right"] for run in runs[key]]
        above.plot(right, [row] * len(right), "o", color=colour, markersize=8, alpha=0.8)
        for run in runs[key]:
            steps = [1, *range(50, 1001, 50)]
            below.plot(steps, run["loss"], style, color=colour, linewidth=1.4)
        below.text(1000, (0.5, 4.9)[row], label, color=colour, ha="right", va="center", size=10)
    above.set(xlim=(-15, 515), ylim=(1.6, -0.6))
    above.set_yticks([0, 1], [label for _, label, _, _ in kinds])
    above.tick_params(axis="y", length=0)
    above.set_xlabel(t("sentences right, of 500; a dot is a seed"))
    below.set(xlim=(0, 1010), ylim=(0, 8.4))
    below.set_xlabel(t("step"))
    below.set_ylabel(t("training loss"))
    for axes in (above, below):
        axes.spines[["top", "right"]].set_visible(False)
    fig.suptitle(t("Without the factor √d_model the same training\ngets no sentence right"))
    return fig


def claims() -> dict[str, bool]:
    """Say of the numbers in title and description whether they are so."""
    runs = json.loads(RESULT.read_text("utf-8"))
    whole, without = runs["nothing"], runs["embedding_scale"]

    def right(kind: list[dict[str, Any]]) -> list[int]:
        return sorted(run["right"] for run in kind)

    ends = [run["loss"][-1] for run in without]
    return {
        "500 sentences, 1,000 steps": (runs["sentences"], runs["steps"]) == (500, 1000),
        "21 losses: step 1, and every 50": {len(run["loss"]) for run in [*whole, *without]} == {21},
        "368, 379, 380 against 0, 0, 0": (right(whole), right(without))
        == ([368, 379, 380], [0, 0, 0]),
        "falls to about 1.2": all(1.15 < run["loss"][-1] < 1.25 for run in whole),
        "above 5 for 150 steps": all(min(run["loss"][:4]) > 5 for run in without),
        "ends between 2.8 and 3.1": (round(min(ends), 1), round(max(ends), 1)) == (2.8, 3.1),
    }
