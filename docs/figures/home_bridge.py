"""The book's sentence, read and written: a line from each character to what it was written from."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._style import ACCENT, INK, MUTED
from transformer.inference.attention_table import bridge_attention
from transformer.inference.shipped import load_pretrained
from transformer.inference.translation import translate

Translate = Callable[[str], str]

ALT = (
    "Above, the English sentence “the cat ate two fish yesterday .”, below, the Chinese one that "
    "the model wrote, 那隻貓昨天吃了兩條魚。 Lines lead from each Chinese character to the English "
    "words that it looks at, thick for large weights: 那 to the, 隻 and 貓 to cat, 吃 to ate, 兩 "
    "to two, 條 and 魚 to fish. One line, in colour, crosses the others: from 昨, the fourth "
    "character, to yesterday, the last word, with 93 per cent of the weight. 天 and 了 look "
    "elsewhere."
)
SOURCE = "the cat ate two fish yesterday ."
SIZE = 4.0, 2.9  # inches
TOP, BOTTOM = 2.62, 0.62  # of the space between the two sentences


def draw(t: Translate) -> Figure:
    """Draw both sentences, and each weight that is worth a line."""
    read, written, weights = found()
    fig = Figure(figsize=SIZE)
    axes = fig.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 1), ylim=(0, 3.6))
    axes.set_axis_off()
    words = [t("(end)") if word == "<eos>" else word for word in read]
    above = spread([max(len(word), 1.6) + 1.2 for word in words])
    below = spread([1.0] * len(written))
    for row, column, weight in lines(weights):
        lit = written[row] == "昨" and read[column] == "yesterday"
        ends = [above[column], below[row]], [TOP, BOTTOM]
        colour = ACCENT if lit else MUTED
        axes.plot(*ends, color=colour, alpha=weight, linewidth=4 * weight, zorder=2 + lit)
    for x, word in zip(above, words, strict=True):
        at(axes, x, TOP + 0.16, word, 11, lit=word == "yesterday")
    for x, character in zip(below, written, strict=True):
        at(axes, x, BOTTOM - 0.22, character, 15, lit=character == "昨")
    title = t("English says “yesterday” last, Chinese early:\nattention finds it")
    axes.text(0.5, 3.08, title, ha="center", weight="bold", size=11)
    key = t("the thicker the line, the larger the attention weight")
    axes.text(0.5, 0.0, key, ha="center", size=9)
    return fig


@cache
def found() -> tuple[list[str], list[str], Tensor]:
    """What was read, what was written, and the weights between; the step of the end left out."""
    model, tokenizer = load_pretrained()
    [target] = translate(model, tokenizer, [SOURCE])
    read, written, weights = bridge_attention(model, tokenizer, SOURCE, target)
    return [word.strip() for word in read], written[:-1], weights[:-1]


def lines(weights: Tensor) -> Iterator[tuple[int, int, float]]:
    """Row, column and weight of each weight of 5 per cent and more."""
    for row, shares in enumerate(weights.tolist()):
        for column, share in enumerate(shares):
            if share >= 0.05:
                yield row, column, share


def spread(widths: list[float]) -> list[float]:
    """The middles of words of these widths that fill the drawing from left to right."""
    ends = list(accumulate(widths))
    return [(end - width / 2) / ends[-1] for end, width in zip(ends, widths, strict=True)]


def at(axes: Axes, x: float, y: float, word: str, size: int, *, lit: bool) -> None:
    """Write a word, in colour where the drawing is about it."""
    colour, weight = (ACCENT, "bold") if lit else (INK, "normal")
    axes.text(x, y, word, color=colour, weight=weight, size=size, ha="center", va="center")


def claims() -> dict[str, bool]:
    """Say of the sentences that title and description claim whether they are so."""
    read, written, weights = found()
    best = dict(zip(written, (read[at] for at in weights.argmax(-1).tolist()), strict=True))
    partners = {
        **{"那": "the", "隻": "cat", "貓": "cat", "昨": "yesterday", "吃": "ate", "兩": "two"},
        **{"條": "fish", "魚": "fish"},
    }
    row, column = written.index("昨"), read.index("yesterday")
    return {
        "what the model writes": "".join(written) == "那隻貓昨天吃了兩條魚。",
        "yesterday is the last word": read[column + 1 :] == [".", "<eos>"],
        "昨 is the fourth character": row == 3,
        "the partners": all(best[one] == other for one, other in partners.items()),
        "天 and 了 look elsewhere": (best["天"], best["了"]) == ("<eos>", "two"),
        "93 per cent": round(100 * weights[row, column].item()) == 93,
    }
