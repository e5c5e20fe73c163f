"""The model trained without dividing its scores by √dₖ, beside the whole one."""

import json
from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._dots import dots_and_losses
from docs.figures._hand_made import worth
from docs.figures._without import RESULT, SIZES

Translate = Callable[[str], str]

ALT = (
    "Above, two rows of three dots, one for each seed: of <!-- value: without.sentences --> "
    "sentences the whole model gets <!-- value: without.whole --> right, the one without the "
    "division by √dₖ <!-- value: without.score_division -->. Below, the training loss over <!-- "
    "value: without.steps --> steps: that of the whole model ends at <!-- value: "
    "without.last_loss .1f -->, that without the division stays above it after the first 100 "
    "steps and ends at <!-- value: without.last_loss_score_division .1f -->."
)


def draw(t: Translate) -> Figure:
    """Draw the counts as dots, and the losses as lines."""
    title = t("Without the division by √dₖ,\nhardly a sentence comes out right")
    return dots_and_losses("score_division", t("not divided"), 3.2, title, t)


def claims() -> dict[str, bool]:
    """Say of title, description and the page's sentences whether they are so."""
    runs = json.loads(RESULT.read_text("utf-8"))
    whole, without = runs["nothing"], runs["score_division"]
    by_hand = worth()
    attentions = ("encoder.layers.0.self", "decoder.layers.0.self", "decoder.layers.0.cross")
    return {
        "500 sentences, 1,000 steps": (runs["sentences"], runs["steps"]) == (500, 1000),
        "21 losses: step 1, and every 50": {len(run["loss"]) for run in [*whole, *without]} == {21},
        "above it after 100 steps": all(
            min(run["loss"][step] for run in without) > max(run["loss"][step] for run in whole)
            for step in range(3, 21)
        ),
        "its d_k is 24": SIZES.d_model // SIZES.num_heads == 24,
        "hand-made: 82, 90, 90 of 90 wrong": [
            by_hand[f"{name}_attention", "sub-layer"] for name in attentions
        ]
        == [82, 90, 90],
        "hand-made: the division is not missed": by_hand["all", "division"] == 0,
    }
