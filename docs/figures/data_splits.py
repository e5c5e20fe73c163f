"""Eight sentence pairs, the number that each source is hashed to, and the split that it gives."""

from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from docs.figures._style import ACCENT, INK, MUTED, PAPER, SECOND
from transformer.data.generator import _per_cent, _split_of

Translate = Callable[[str], str]

ALT = (
    "Eight English sentences, one below the other, each with its Chinese translation, a number "
    "and a split. “the teacher sleeps .” has 4 and is for the test, “the bat sleeps .” has 16 and "
    "is for validation. The six others have 25 to 92 and are for training; “thank you .” stands "
    "there twice, with 25 both times."
)
PAIRS = (
    ("thank you .", "謝謝你。"),
    ("good morning .", "早安。"),
    ("the cat sleeps .", "那隻貓在睡覺。"),
    ("the bat sleeps .", "那隻蝙蝠在睡覺。"),
    ("the rat sleeps .", "那隻老鼠在睡覺。"),
    ("the teacher sleeps .", "那位老師在睡覺。"),
    ("she drinks hot tea .", "她喝熱茶。"),
    ("thank you .", "謝謝你。"),
)
COLUMNS = 0.0, 2.2, 4.35, 4.85  # source, translation, middle of the number, split


def draw(t: Translate) -> Figure:
    """Draw a line for each pair."""
    looks = {
        "test": (ACCENT, t("test")),
        "validation": (SECOND, t("validation")),
        "train": (MUTED, t("training")),
    }
    fig = Figure(figsize=(4.8, 3.1), layout="constrained")
    axes = fig.subplots()
    axes.set(xlim=(-0.1, 6.2), ylim=(len(PAIRS) - 0.3, -1.2))
    axes.set_axis_off()
    source, translation, number, split = COLUMNS
    head: dict[str, Any] = {"fontsize": 10, "color": MUTED, "va": "center"}
    axes.text(source, -0.8, t("source"), **head)
    axes.text(translation, -0.8, t("translation"), **head)
    axes.text(number, -0.8, t("hash"), ha="center", **head)
    axes.text(split, -0.8, t("is for"), **head)
    for y, (english, chinese) in enumerate(PAIRS):
        colour, name = looks[split_of(english)]
        axes.text(source, y, english, color=INK, fontsize=10, va="center")
        axes.text(translation, y, chinese, color=INK, fontsize=10, va="center")
        axes.add_patch(Rectangle((number - 0.3, y - 0.4), 0.6, 0.8, facecolor=colour))
        axes.text(
            number, y, str(_per_cent(english)), color=PAPER, fontsize=10, ha="center", va="center"
        )
        axes.text(split, y, name, color=INK, fontsize=10, va="center")
    axes.set_title(t("The source decides where its pair goes"), color=INK, fontsize=11)
    return fig


def split_of(source: str) -> str:
    """Where the grammar puts a sentence without reserved words."""
    return _split_of(source, set(), deep=False)


def claims() -> dict[str, bool]:
    """Say of the description whether it is so."""
    found = [(_per_cent(source), split_of(source)) for source, _ in PAIRS]
    return {
        "one for the test, one for validation": [found[5], found[3]]
        == [(4, "test"), (16, "validation")],
        "six for training": sorted(n for n, split in found if split == "train")
        == [25, 25, 45, 48, 69, 92],
    }
