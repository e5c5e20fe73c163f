"""How many sentences a small model translates that was trained without an encoder."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._dots import dots, right

Translate = Callable[[str], str]

ALT = (
    "Two rows of three dots, one for each seed: how many of <!-- value: without.sentences --> "
    "sentences come out right. The whole model has <!-- value: without.whole -->, the model "
    "without an encoder <!-- value: without.encoder -->."
)


def draw(t: Translate) -> Figure:
    """Draw three dots a row, one for each seed."""
    rows = {t("whole model"): "nothing", t("without\nthe encoder"): "encoder"}
    return dots(rows, t("Trained without an encoder,\na small model loses a little"), t)


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    whole, without = right("nothing"), right("encoder")
    return {
        "it loses: the spans do not overlap": max(without) < min(whole),
    }
