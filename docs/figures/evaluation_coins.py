"""Ten coins, all ways in which they can fall: how rare nine to one is."""

from collections.abc import Callable
from math import comb

from matplotlib.figure import Figure

from docs.figures._style import ACCENT, MUTED

ALT = (
    "Eleven bars, for 0 to 10 of ten coins that fall to system B. Above each is the number of ways "
    "in which that can happen: 1, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1. The two bars at each "
    "end are coloured: together 22 of 1,024 ways, 2 per cent."
)
COINS = 10
FEWEST = 1  # coins on the smaller side, in what was seen


def draw(t: Callable[[str], str]) -> Figure:
    """Draw a bar for each number of coins, those as one-sided as what was seen in colour."""
    fig = Figure(figsize=(4.8, 3.0), layout="constrained")
    axes = fig.subplots()
    colours = [ACCENT if min(n, COINS - n) <= FEWEST else MUTED for n in range(COINS + 1)]
    bars = axes.bar(range(COINS + 1), ways(), 0.8, color=colours)
    axes.bar_label(bars, padding=2, size=9)
    axes.set_xticks(range(COINS + 1))
    axes.set(xlabel=t("of ten disagreements, B is right in"), ylabel=t("ways"), yticks=[])
    axes.margins(y=0.12)
    axes.spines[["top", "right", "left"]].set_visible(False)
    fig.suptitle(t("Nine to one is rare for ten coins: 22 of 1,024 ways"), size=11)
    return fig


def ways() -> list[int]:
    """For 0 to 10 coins: in how many ways so many fall to the same system."""
    return [comb(COINS, n) for n in range(COINS + 1)]


def claims() -> dict[str, bool]:
    """Say of the title and the description whether they are so."""
    counts = ways()
    return {
        "22 of 1,024 ways": (2 * sum(counts[: FEWEST + 1]), sum(counts)) == (22, 1024),
        "1, 10, 45, …": counts == [1, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1],
    }
