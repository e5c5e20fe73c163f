"""How many sentences a small model translates that was trained without feed-forward networks."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._dots import dots, right

Translate = Callable[[str], str]

ALT = (
    "Two rows of three dots, one for each seed: how many of 500 sentences come out right. The "
    "whole model has between 368 and 380, the model without feed-forward networks between 357 "
    "and 387."
)


def draw(t: Translate) -> Figure:
    """Draw three dots a row, one for each seed."""
    rows = {t("whole model"): "nothing", t("without\nfeed-forward\nnetworks"): "feed_forward"}
    return dots(rows, t("On a small grammar, trained without them,\na model does as well"), t)


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    whole, without = right("nothing"), right("feed_forward")
    return {
        "whole: 368 to 380": (min(whole), max(whole)) == (368, 380),
        "without: 357 to 387": (min(without), max(without)) == (357, 387),
        "as well: the spans overlap": min(without) < max(whole) and min(whole) < max(without),
    }
