"""The model trained without the factor √d_model on its embeddings, beside the whole one."""

import json
from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._dots import dots_and_losses
from docs.figures._without import RESULT

Translate = Callable[[str], str]

ALT = (
    "Above, two rows of three dots, one for each seed: of <!-- value: without.sentences --> "
    "sentences the whole model gets <!-- value: without.whole --> right, the one without the "
    "factor <!-- value: without.embedding_scale -->. Below, the training loss over <!-- value: "
    "without.steps --> steps: that of the whole model ends at <!-- value: without.last_loss .1f "
    "-->, that without the factor stays above 5 for the first 150 steps and ends at <!-- value: "
    "without.last_loss_embedding_scale .1f -->."
)


def draw(t: Translate) -> Figure:
    """Draw the counts as dots, and the losses as lines."""
    title = t("Without the factor √d_model the same training\ngets no sentence right")
    return dots_and_losses("embedding_scale", t("without √d_model"), 4.9, title, t)


def claims() -> dict[str, bool]:
    """Say of the numbers in title and description whether they are so."""
    runs = json.loads(RESULT.read_text("utf-8"))
    whole, without = runs["nothing"], runs["embedding_scale"]
    return {
        "500 sentences, 1,000 steps": (runs["sentences"], runs["steps"]) == (500, 1000),
        "21 losses: step 1, and every 50": {len(run["loss"]) for run in [*whole, *without]} == {21},
        "above 5 for 150 steps": all(min(run["loss"][:4]) > 5 for run in without),
    }
