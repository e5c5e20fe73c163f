"""The model trained without the factor √d_model on its embeddings, beside the whole one."""

import json
from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._dots import draw_dots, right
from docs.figures._style import ACCENT, MUTED
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
        ("nothing", t("whole model"), MUTED, "-"),
        ("embedding_scale", t("without √d_model"), ACCENT, "--"),
    )
    fig = Figure(figsize=(4.8, 4.2), layout="constrained")
    above, below = fig.subplots(2, 1, height_ratios=(1, 2.2))
    for row, (key, label, colour, style) in enumerate(kinds):
        for run in runs[key]:
            steps = [1, *range(50, 1001, 50)]
            below.plot(steps, run["loss"], style, color=colour, linewidth=1.4)
        below.text(1000, (0.5, 4.9)[row], label, color=colour, ha="right", va="center", size=10)
    draw_dots(above, {label: key for key, label, _, _ in kinds}, t)
    below.set(xlim=(0, 1010), ylim=(0, 8.4))
    below.set_xlabel(t("step"))
    below.set_ylabel(t("training loss"))
    below.spines[["top", "right"]].set_visible(False)
    fig.suptitle(t("Without the factor √d_model the same training\ngets no sentence right"))
    return fig


def claims() -> dict[str, bool]:
    """Say of the numbers in title and description whether they are so."""
    runs = json.loads(RESULT.read_text("utf-8"))
    whole, without = runs["nothing"], runs["embedding_scale"]

    ends = [run["loss"][-1] for run in without]
    return {
        "500 sentences, 1,000 steps": (runs["sentences"], runs["steps"]) == (500, 1000),
        "21 losses: step 1, and every 50": {len(run["loss"]) for run in [*whole, *without]} == {21},
        "368, 379, 380 against 0, 0, 0": (
            sorted(right("nothing")),
            right("embedding_scale"),
        )
        == ([368, 379, 380], [0, 0, 0]),
        "falls to about 1.2": all(1.15 < run["loss"][-1] < 1.25 for run in whole),
        "above 5 for 150 steps": all(min(run["loss"][:4]) > 5 for run in without),
        "ends between 2.8 and 3.1": (round(min(ends), 1), round(max(ends), 1)) == (2.8, 3.1),
    }
