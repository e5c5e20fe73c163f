"""An English sentence of the grammar and its Chinese translation, with a line for each partner."""

import re
from collections.abc import Callable
from functools import cache
from itertools import islice

from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer.data.generator import generate_pairs

Translate = Callable[[str], str]

ALT = (
    "An English sentence above, its Chinese translation below, both cut into words, and a line "
    "from each word to its partner. The relative clause follows its noun in English and comes "
    "before it in Chinese; place and time stand at the end in English and before the verb in "
    "Chinese. So seven of the nine lines cross another. The measure word has no line."
)

# The driver who likes birds danced at school yesterday: 那位喜歡鳥的司機昨天在學校跳舞.
ENGLISH = re.compile(
    r"(?P<the>the|this|that) (?P<noun>\w+) (?P<who>who) (?P<likes>likes) (?P<thing>\w+s) "
    r"(?P<verb>\w+) (?P<place>(?:at|in) (?:the )?\w+) "
    r"(?P<time>yesterday|last night|last week|this morning) (?P<stop>\.)"
)
CHINESE = re.compile(
    r"(?P<the>[那這])(?P<measure>.)(?P<likes>喜歡)(?P<thing>.+)(?P<who>的)(?P<noun>.+)"
    r"(?P<time>昨天|昨天晚上|上星期|今天早上)(?P<place>在.+)"
    r"(?P<verb>睡覺|工作|跑步|游泳|唱歌|跳舞|休息)(?P<stop>。)"
)
CLAUSE = ("who", "likes", "thing")
MOVED = ("place", "time")
GAP = 0.9  # between words, in widths of a Chinese character


def draw(t: Translate) -> Figure:
    """Draw the first sentence of this form, English above and Chinese below."""
    english, chinese = example()
    fig = Figure(figsize=(5.6, 2.7), layout="constrained")
    axes = fig.subplots()
    above, below = places(english, 0.5), places(chinese, 1.0)
    total = max(end for _, end in above.values())
    shift = (total - max(end for _, end in below.values())) / 2
    below = {part: (start + shift, end + shift) for part, (start, end) in below.items()}
    for part, (start, end) in above.items():
        left, right = (start + end) / 2, sum(below[part]) / 2
        axes.plot([left, right], [0.86, 0.14], color=colour(part), linewidth=1.8)
    for words, spans, y in ((english, above, 1.0), (chinese, below, 0.0)):
        for part, word in words.items():
            x = sum(spans[part]) / 2
            axes.text(x, y, word, color=colour(part), ha="center", va="center", size=11)
    keys = ((ACCENT, t("relative clause")), (SECOND, t("place and time")), (INK, t("the rest")))
    for key, label in keys:
        axes.plot([], [], color=key, linewidth=1.8, label=label)
    axes.set(xlim=(-0.3, total + 0.3), ylim=(-0.15, 1.15))
    axes.set_axis_off()
    axes.set_title(t("What English says after, Chinese says before"))
    fig.legend(loc="outside lower center", ncols=3, frameon=False)
    return fig


@cache
def example() -> tuple[dict[str, str], dict[str, str]]:
    """The parts of the first sentence of this form in both languages, in their order."""
    for pair in islice(generate_pairs(seed=0), 100_000):
        english, chinese = ENGLISH.fullmatch(pair.source), CHINESE.fullmatch(pair.target)
        if english and chinese:
            return english.groupdict(), chinese.groupdict()
    raise ValueError(f"the grammar must have a sentence like {ENGLISH.pattern!r}: found none")


def places(words: dict[str, str], width: float) -> dict[str, tuple[float, float]]:
    """Where each word begins and ends, in widths of a Chinese character."""
    spans, x = {}, 0.0
    for part, word in words.items():
        spans[part] = (x, x + width * len(word))
        x = spans[part][1] + GAP
    return spans


def colour(part: str) -> str:
    """The colour of a part of the sentence."""
    if part == "measure":
        return MUTED
    return ACCENT if part in CLAUSE else SECOND if part in MOVED else INK
