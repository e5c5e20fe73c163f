"""Errors of the shipped model as bars, for the figures that show its scores by group."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes

MEASURED = Path(__file__).parents[1] / "measured" / "evaluation.json"
ENOUGH = 30  # sentences: a rate of fewer says nothing


def scores() -> dict[str, Any]:
    """Return what `transformer evaluate --json` wrote for each split."""
    result: dict[str, Any] = json.loads(MEASURED.read_text("utf-8"))["scores"]
    return result


def bar(axes: Axes, y: float, group: Mapping[str, float], height: float, colour: str) -> float:
    """Draw the errors per thousand sentences of a group, its counts beside; return the rate."""
    sentences = round(group["sentences"])
    errors = round(sentences * (1 - group["exact_match"] / 100))
    rate = 1000 * errors / sentences if sentences >= ENOUGH else 0.0
    axes.barh(y, rate, height, color=colour)
    counts, beside = f"{errors}/{sentences}", (3, 0)
    axes.annotate(counts, (rate, y), beside, textcoords="offset points", va="center", size=9)
    return rate
