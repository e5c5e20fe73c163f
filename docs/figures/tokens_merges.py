"""Byte-pair encoding on nine words, merge by merge."""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from docs.figures._style import ACCENT, INK, MUTED

Translate = Callable[[str], str]
Words = dict[tuple[str, ...], int]

ALT = (
    "Five rows of boxes, one row for each state of a toy corpus: eat three times, eats twice, cat "
    "three times, hat once. First every letter is a box of its own, 29 pieces in all. Then at is "
    "joined, 9 times, then eat, 5 times, cat, 3 times, and eats, twice. At the end cat, eat and "
    "eats are one box each, hat is h and at, and 10 pieces are left."
)
CORPUS = "eat eat eat eats eats cat cat cat hat"
MERGES = 4
LETTER = 0.25  # width of a box for each letter


def draw(t: Translate) -> Figure:
    """Draw a row for each merge, the new piece in colour."""
    rows = steps(CORPUS, MERGES)
    fig = Figure(figsize=(4.8, 3.4), layout="constrained")
    axes = fig.subplots()
    axes.set(xlim=(-1.65, 5.15), ylim=(len(rows) - 0.3, -1.0))
    axes.set_axis_off()
    starts = (0, 1.05, 2.35, 3.4)
    for x, (word, count) in zip(starts, rows[0][1].items(), strict=True):
        middle = x + LETTER * len(word) / 2
        axes.text(middle, -0.62, f"{count} ×", ha="center", va="center", size=10, color=INK)
    axes.text(5.1, -0.62, t("pieces"), ha="right", va="center", size=10, color=INK)
    for y, (merged, words, times) in enumerate(rows):
        label = f"{'+'.join(merged)}: {times} ×" if merged else t("letters")
        axes.text(-1.6, y, label, va="center", size=10, color=ACCENT if merged else INK)
        for x, pieces in zip(starts, words, strict=True):
            at = x
            for piece in pieces:
                new = piece == "".join(merged)
                wide = LETTER * len(piece)
                fill = {"facecolor": ACCENT, "alpha": 0.3} if new else {"facecolor": "none"}
                axes.add_patch(Rectangle((at, y - 0.3), wide, 0.6, linewidth=0, **fill))
                axes.add_patch(
                    Rectangle(
                        (at, y - 0.3), wide, 0.6, facecolor="none",
                        edgecolor=ACCENT if new else MUTED, linewidth=1.2,
                    )
                )  # fmt: skip
                axes.text(at + wide / 2, y, piece, ha="center", va="center", size=10, color=INK)
                at += wide
        axes.text(5.1, y, str(total(words)), ha="right", va="center", size=10, color=INK)
    fig.suptitle(t("Join the commonest neighbours, count again:\nfrequent words become one piece"))
    return fig


def steps(corpus: str, merges: int) -> list[tuple[tuple[str, ...], Words, int]]:
    """The words after each merge, with the pair that was joined and how often it occurred."""
    words: Words = {tuple(word): count for word, count in Counter(corpus.split()).items()}
    rows: list[tuple[tuple[str, ...], Words, int]] = [((), words, 0)]
    for _ in range(merges):
        pairs: Counter[tuple[str, str]] = Counter()
        for pieces, count in words.items():
            for pair in pairwise(pieces):
                pairs[pair] += count
        best, times = pairs.most_common(1)[0]
        words = {join(pieces, best): count for pieces, count in words.items()}
        rows.append((best, words, times))
    return rows


def join(pieces: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """Make one piece of every such pair."""
    joined: list[str] = []
    for piece in pieces:
        if joined and (joined[-1], piece) == pair:
            joined[-1] += piece
        else:
            joined.append(piece)
    return tuple(joined)


def total(words: Words) -> int:
    return sum(len(pieces) * count for pieces, count in words.items())


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    rows = steps(CORPUS, MERGES)
    pieces = {"".join(word): word for word in rows[-1][1]}
    return {
        "at 9, eat 5, cat 3, eats 2": [("".join(pair), n) for pair, _, n in rows[1:]]
        == [("at", 9), ("eat", 5), ("cat", 3), ("eats", 2)],
        "29 pieces, then 10": (total(rows[0][1]), total(rows[-1][1])) == (29, 10),
        "cat, eat, eats are whole": all(len(pieces[word]) == 1 for word in ("cat", "eat", "eats")),
        "hat is h and at": pieces["hat"] == ("h", "at"),
    }
