"""How many sentences come out right without residual connections, and without normalization."""

import json
from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._dots import dots
from docs.figures._without import RESULT

Translate = Callable[[str], str]

ALT = (
    "Three rows of three dots, one for each seed: how many of <!-- value: without.sentences --> "
    "validation sentences come out right. The whole model: <!-- value: without.whole -->. Without "
    "residual connections: <!-- value: without.residuals -->. Without normalization: <!-- value: "
    "without.norms -->."
)

PARTS = ("nothing", "residuals", "norms")


def draw(t: Translate) -> Figure:
    """Draw three dots a row, one for each seed."""
    labels = [t("whole model"), t("without residual\nconnections"), t("without\nnormalization")]
    title = t("Without residual connections nothing is right,\nwithout normalization a little less")
    return dots(dict(zip(labels, PARTS, strict=True)), title, t)


def claims() -> dict[str, bool]:
    """Say of the description, and of the page's sentences, whether they are so."""
    runs = json.loads(RESULT.read_text("utf-8"))
    return {
        "500 sentences, 1,000 steps": (runs["sentences"], runs["steps"]) == (500, 1000),
        "no run ended early": all(run["last_step"] == 1000 for p in PARTS for run in runs[p]),
    }
