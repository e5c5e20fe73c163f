"""How many sentences come out right without residual connections, and without normalization."""

import json
from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._dots import dots, right
from docs.figures._without import RESULT

Translate = Callable[[str], str]

ALT = (
    "Three rows of three dots, one for each seed: how many of 500 validation sentences come out "
    "right. The whole model: 368, 379 and 380. Without residual connections: 0 three times. "
    "Without normalization: 345, 348 and 369."
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
    found = {part: right(part) for part in PARTS}
    first = {part: [run["loss"][0] for run in runs[part]] for part in PARTS}
    return {
        "500 sentences, 1,000 steps": (runs["sentences"], runs["steps"]) == (500, 1000),
        "the whole model: 368, 379, 380": sorted(found["nothing"]) == [368, 379, 380],
        "without residual connections none": found["residuals"] == [0, 0, 0],
        "without normalization: 345, 348, 369": sorted(found["norms"]) == [345, 348, 369],
        "no run ended early": all(run["last_step"] == 1000 for p in PARTS for run in runs[p]),
        "whole: the first loss is near 8": all(7.5 < loss < 8.5 for loss in first["nothing"]),
        "without norms: between 23 and 28": all(23 < loss < 28 for loss in first["norms"]),
    }
