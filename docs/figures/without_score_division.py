"""The model trained without dividing its scores by √dₖ, beside the whole one."""

import json
from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._dots import dots_and_losses, right
from docs.figures._hand_made import worth
from docs.figures._without import RESULT, SIZES

Translate = Callable[[str], str]

ALT = (
    "Above, two rows of three dots, one for each seed: of 500 sentences the whole model gets 368, "
    "379 and 380 right, the one without the division by √dₖ 2, 2 and 8. Below, the training loss "
    "over 1,000 steps: that of the whole model falls to about 1.2, that without the division "
    "stays above it after the first 100 steps and ends between 2.0 and 2.2."
)


def draw(t: Translate) -> Figure:
    """Draw the counts as dots, and the losses as lines."""
    title = t("Without the division by √dₖ,\nhardly a sentence comes out right")
    return dots_and_losses("score_division", t("not divided"), 3.2, title, t)


def claims() -> dict[str, bool]:
    """Say of title, description and the page's sentences whether they are so."""
    runs = json.loads(RESULT.read_text("utf-8"))
    whole, without = runs["nothing"], runs["score_division"]
    ends = [run["loss"][-1] for run in without]
    by_hand = worth()
    attentions = ("encoder.layers.0.self", "decoder.layers.0.self", "decoder.layers.0.cross")
    return {
        "500 sentences, 1,000 steps": (runs["sentences"], runs["steps"]) == (500, 1000),
        "21 losses: step 1, and every 50": {len(run["loss"]) for run in [*whole, *without]} == {21},
        "368, 379, 380": sorted(right("nothing")) == [368, 379, 380],
        "2, 2, 8": sorted(right("score_division")) == [2, 2, 8],
        "whole: falls to about 1.2": all(1.15 < run["loss"][-1] < 1.25 for run in whole),
        "above it after 100 steps": all(
            min(run["loss"][step] for run in without) > max(run["loss"][step] for run in whole)
            for step in range(3, 21)
        ),
        "ends between 2.0 and 2.2": (round(min(ends), 1), round(max(ends), 1)) == (2.0, 2.2),
        "its d_k is 24": SIZES.d_model // SIZES.num_heads == 24,
        "hand-made: 82, 90, 90 of 90 wrong": [
            by_hand[f"{name}_attention", "sub-layer"] for name in attentions
        ]
        == [82, 90, 90],
        "hand-made: the division is not missed": by_hand["all", "division"] == 0,
    }
