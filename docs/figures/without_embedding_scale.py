"""The model trained without the factor √d_model on its embeddings, beside the whole one."""

import json
from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._dots import dots_and_losses, right
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
    title = t("Without the factor √d_model the same training\ngets no sentence right")
    return dots_and_losses("embedding_scale", t("without √d_model"), 4.9, title, t)


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
