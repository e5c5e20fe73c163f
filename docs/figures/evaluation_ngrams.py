"""All n-grams of a sentence with one wrong character, up to the length that chrF counts."""

from collections import Counter
from collections.abc import Callable

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from docs.figures._style import ACCENT, INK, MUTED, PAPER

Translate = Callable[[str], str]

ALT = (
    "The nine characters of a sentence, the sixth of them wrong. Above them a row for each length "
    "of n-gram, from one to six, with a box for each n-gram, over the middle of its characters. "
    "The boxes of n-grams that hold the wrong character are filled: one, two, three, four, four "
    "and four of them, a funnel that opens upwards. At the edge is how many are right: 8 of 9, "
    "6 of 8, 4 of 7, 2 of 6, 1 of 5, 0 of 4."
)
RIGHT, SAID = "我昨天買了三本書。", "我昨天買了兩本書。"
LONGEST, BLEU = 6, 4  # characters in an n-gram: of chrF, of BLEU


def draw(t: Translate) -> Figure:
    """Draw a box for each n-gram, the wrong ones filled."""
    fig = Figure(figsize=(4.8, 3.4), layout="constrained")
    ax = fig.subplots()
    for n in range(1, LONGEST + 1):
        found = spoilt(n)
        for start, wrong in enumerate(found):
            left = start + (n - 1) / 2
            box = Rectangle((left + 0.06, n - 0.4), 0.88, 0.8, edgecolor=INK, linewidth=0.8)
            box.set_facecolor(ACCENT if wrong else "none")
            ax.add_patch(box)
            if n == 1:
                colour = PAPER if wrong else INK
                ax.text(left + 0.5, n, SAID[start], ha="center", va="center", color=colour)
        ax.text(9.9, n, f"{found.count(False)}/{len(found)}", ha="center", va="center")
        ax.text(-0.4, n, str(n), ha="right", va="center")
    ax.axhline(BLEU + 0.5, color=MUTED, linewidth=0.8, linestyle=":")
    ax.text(-0.2, BLEU + 0.55, t("chrF only"), ha="left", va="bottom", size=9)
    ax.text(-0.4, LONGEST + 0.75, t("length"), ha="center", va="center", size=10)
    ax.text(9.9, LONGEST + 0.75, t("right"), ha="center", va="center", size=10)
    ax.set(xlim=(-1.2, 10.8), ylim=(0.4, LONGEST + 1.1))
    ax.axis("off")
    fig.suptitle(t("One wrong character spoils every n-gram that holds it"), size=11)
    return fig


def spoilt(n: int) -> list[bool]:
    """For each n-gram of n characters, from left to right: does the reference lack it?"""
    left = Counter(RIGHT[i : i + n] for i in range(len(RIGHT) - n + 1))
    found = []
    for start in range(len(SAID) - n + 1):
        gram = SAID[start : start + n]
        found.append(not left[gram])
        left[gram] -= left[gram] > 0
    return found


def claims() -> dict[str, bool]:
    """Say of the description whether it is so."""
    counts = [spoilt(n) for n in range(1, LONGEST + 1)]
    return {
        "one, two, three, four, four and four": [sum(c) for c in counts] == [1, 2, 3, 4, 4, 4],
        "8 of 9, 6 of 8, …": [(c.count(False), len(c)) for c in counts]
        == [(8, 9), (6, 8), (4, 7), (2, 6), (1, 5), (0, 4)],
    }
