"""How many sentences a small model translates that was trained without positions."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._dots import dots, right

Translate = Callable[[str], str]

ALT = (
    "Two rows of three dots, one for each seed: how many of <!-- value: without.sentences --> "
    "sentences come out right. The whole model has <!-- value: without.whole -->, the model "
    "without positions <!-- value: without.positions -->."
)


def draw(t: Translate) -> Figure:
    """Draw three dots a row, one for each seed."""
    rows = {t("whole model"): "nothing", t("without\npositions"): "positions"}
    return dots(rows, t("Trained without positions,\nit loses a fifth of its sentences"), t)


def claims() -> dict[str, bool]:
    """Say of the numbers in title and description whether they are so."""
    whole, without = right("nothing"), right("positions")
    return {
        "it loses a fifth": 0.17 < 1 - sum(without) / sum(whole) < 0.23,
    }
