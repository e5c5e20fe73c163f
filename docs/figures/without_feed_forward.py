"""How many sentences a small model translates that was trained without feed-forward networks."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._dots import dots, right

Translate = Callable[[str], str]

ALT = (
    "Two rows of three dots, one for each seed: how many of <!-- value: without.sentences --> "
    "sentences come out right. The whole model has <!-- value: without.whole -->, the model "
    "without feed-forward networks <!-- value: without.feed_forward -->."
)


def draw(t: Translate) -> Figure:
    """Draw three dots a row, one for each seed."""
    rows = {t("whole model"): "nothing", t("without\nfeed-forward\nnetworks"): "feed_forward"}
    return dots(rows, t("On a small grammar, trained without them,\na model does as well"), t)


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    whole, without = right("nothing"), right("feed_forward")
    return {
        "as well: the spans overlap": min(without) < max(whole) and min(whole) < max(without),
    }
