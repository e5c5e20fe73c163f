"""Three translators of one size: how many sentences are right, by how far the time word moves."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._race import KINDS, shares
from docs.figures._style import ACCENT, INK, MUTED, SECOND

Translate = Callable[[str], str]

ALT = (
    "Three bars for each of four distances, with a dot for each of three seeds: how many in a "
    "hundred are right of the sentences whose time moves over 1 to 3, 4 to 5, 6 to 8, or 9 and "
    "more characters. In the last group one vector has <!-- value: race.vector_far .0% -->, the "
    "Transformer <!-- value: race.transformer_far .0% -->, the recurrent one with attention <!-- "
    "value: race.attention_far .0% -->; in the others all three have more than 70."
)

GROUPS = ((1, 3), (4, 5), (6, 8), (9, 30))  # Chinese characters


def draw(t: Translate) -> Figure:
    """Draw bars for each distance, one for each translator, with a dot for each seed."""
    fig = Figure(figsize=(4.6, 2.9), layout="constrained")
    axes = fig.subplots()
    names = (t("one vector"), t("recurrent, with attention"), t("Transformer"))
    for row, (kind, name, colour) in enumerate(
        zip(KINDS, names, (MUTED, SECOND, ACCENT), strict=True)
    ):
        for group, some in enumerate(by_distance(kind)):
            place = group + 0.27 * (row - 1)
            axes.bar(place, sorted(some)[1], width=0.24, color=colour, alpha=0.45)
            axes.plot([place] * len(some), some, ".", color=colour, markersize=5)
        axes.bar(0, 0, color=colour, alpha=0.45, label=name)
    labels = [f"{least}–{most}" for least, most in GROUPS[:-1]] + [f"≥ {GROUPS[-1][0]}"]
    axes.set_xticks(range(len(GROUPS)), labels)
    axes.set(xlabel=t("characters that the time moves over"), ylabel=t("right (%)"), ylim=(0, 103))
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(t("Where the time moves far,\nattention is worth most"), color=INK)
    fig.legend(loc="outside lower center", ncols=3, frameon=False, handlelength=1.2)
    return fig


def claims() -> dict[str, bool]:
    """Say of the numbers in title and description whether they are so."""
    found = {kind: by_distance(kind) for kind in KINDS}
    gains = [
        sorted(more)[1] - sorted(less)[1]
        for less, more in zip(found["one vector"], found["attention"], strict=True)
    ]
    return {
        "the others above 70": min(min(s) for some in found.values() for s in some[:-1]) > 70,
        "attention is worth most where the time moves farthest": max(gains) == gains[-1],
    }


def by_distance(kind: str) -> list[list[float]]:
    """Per cent right of each group, one number a seed."""
    return [
        shares(kind, lambda _, moved: moved is not None and least <= moved <= most)  # noqa: B023
        for least, most in GROUPS
    ]
