"""The book's sentence through one vector, and with a vector of its own for each token."""

from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle

from docs.figures._style import ACCENT, MUTED
from docs.figures.home_bridge import SOURCE, at, found, lines, spread

Translate = Callable[[str], str]

ALT = (
    "Two drawings of the English sentence “the cat ate two fish yesterday .” above "
    "and the Chinese one that the model wrote, 那隻貓昨天吃了兩條魚。, below. First, one vector "
    "for the whole sentence: a funnel leads from all words into a single row of four "
    "cells, and from there a second one opens to all characters. Then, with "
    "attention: every word keeps four cells of its own, as does the end token, and "
    "lines lead from each character to the words that it looks at, thick for large "
    "weights: 貓 to cat, 昨 to yesterday, 吃 to ate, 兩 to two, 魚 to fish."
)
WORDS, CHARACTERS = 2.75, 0.5  # heights, of 3.6
CELLS, SIDE, HEIGHT = 4, 0.022, 0.15  # of a vector


def draw(t: Translate) -> Figure:
    """Draw the one vector above, attention below."""
    read, written, weights = found()
    words = [t("(end)") if word == "<eos>" else word for word in read]
    above = spread([max(len(word), 1.6) + 1.2 for word in words])
    below = spread([1.0] * len(written))
    fig = Figure(figsize=(4.6, 5.4))
    panels = [fig.add_axes((0, bottom, 1, 0.47)) for bottom in (0.53, 0.05)]
    titles = t("One vector for the whole sentence"), t("Attention: every word stays in reach")
    for axes, title in zip(panels, titles, strict=True):
        axes.set(xlim=(0, 1), ylim=(0, 3.6))
        axes.set_axis_off()
        axes.text(0.5, 3.35, title, ha="center", weight="bold", size=11)
        for x, word in zip(above, words, strict=True):
            at(axes, x, WORDS + 0.2, word, 11, lit=False)
        for x, character in zip(below, written, strict=True):
            at(axes, x, CHARACTERS - 0.25, character, 15, lit=False)
    one, each = panels
    middle = (WORDS + CHARACTERS) / 2
    _funnel(one, WORDS - 0.05, middle + HEIGHT / 2)
    _funnel(one, CHARACTERS + 0.1, middle - HEIGHT / 2)
    _vector(one, 0.5, middle)
    for x in above:
        _vector(each, x, WORDS - 0.1)
    top = WORDS - 0.1 - HEIGHT / 2
    for row, column, weight in lines(weights):
        ends = [above[column], below[row]], [top, CHARACTERS + 0.08]
        each.plot(*ends, color=MUTED, alpha=weight, linewidth=4 * weight, zorder=0)
    key = t("the thicker the line, the larger the attention weight")
    each.text(0.5, -0.1, key, ha="center", va="center", size=9)
    return fig


def _funnel(axes: Axes, wide: float, narrow: float) -> None:
    """Lead from the whole width of a sentence, at one height, to a vector at another."""
    half = CELLS * SIDE / 2
    corners = [(0.02, wide), (0.98, wide), (0.5 + half, narrow), (0.5 - half, narrow)]
    axes.add_patch(Polygon(corners, facecolor=MUTED, alpha=0.3, linewidth=0))


def _vector(axes: Axes, x: float, y: float) -> None:
    """Draw the cells of a vector around a point."""
    for cell in range(CELLS):
        corner = x + (cell - CELLS / 2) * SIDE, y - HEIGHT / 2
        for look in ({"facecolor": ACCENT, "alpha": 0.35}, {"facecolor": "none"}):
            axes.add_patch(Rectangle(corner, SIDE, HEIGHT, edgecolor=ACCENT, **look))


def claims() -> dict[str, bool]:
    """Say of the sentences that the description claims whether they are so."""
    read, written, weights = found()
    best = dict(zip(written, (read[at] for at in weights.argmax(-1).tolist()), strict=True))
    partners = {"貓": "cat", "昨": "yesterday", "吃": "ate", "兩": "two", "魚": "fish"}
    return {
        "what the model reads": read == [*SOURCE.split(), "<eos>"],
        "what the model writes": "".join(written) == "那隻貓昨天吃了兩條魚。",
        "the partners": all(best[one] == other for one, other in partners.items()),
        "a line from each character": {row for row, *_ in lines(weights)} == {*range(len(written))},
    }
