"""The three rows of ids that one pair becomes: source, decoder input and labels."""

from collections.abc import Callable, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from docs.figures._style import ACCENT, INK, MUTED, PAPER, SECOND
from transformer import collate, encode_pairs, load_pretrained

Translate = Callable[[str], str]

ALT = (
    "Three rows of cells. Source: the, cat, ate, two, fish, yesterday, full stop, eos. Below it, "
    "cell over cell, decoder input: bos, 那, 隻, 貓, 昨, 天, 吃, 了, 兩, 條, 魚, full stop; and "
    "labels: 那, 隻, 貓, 昨, 天, 吃, 了, 兩, 條, 魚, full stop, eos. A slanted line joins each "
    "character of the input to the same one in the labels, one cell further left."
)
PAIR = "the cat ate two fish yesterday .", "那隻貓昨天吃了兩條魚。"


def draw(t: Translate) -> Figure:
    """Draw the three rows, those of the target cell over cell."""
    source, reads, answers = rows()
    wide = len(reads)
    fig = Figure(figsize=(5.0, 2.7), layout="constrained")
    axes = fig.subplots()
    axes.set(xlim=(-0.1, wide + 0.1), ylim=(5.5, -0.65))
    axes.set_axis_off()
    row(axes, 0, source, wide / len(source), SECOND)
    row(axes, 2, reads, 1, MUTED)
    row(axes, 4, answers, 1, ACCENT)
    for column in range(1, wide):
        axes.plot([column + 0.5, column - 0.5], [2.85, 4], color=MUTED, linewidth=1, zorder=0)
    names = (
        (-0.28, t("source: the encoder reads")),
        (1.72, t("decoder input: the decoder reads")),
        (5.18, t("labels: the decoder should answer")),
    )
    for y, name in names:
        axes.text(0, y, name, color=INK, fontsize=10, va="center")
    axes.set_title(t("Labels are the decoder input, one place further left"), fontsize=11)
    return fig


def row(axes: Axes, y: float, tokens: Sequence[str], width: float, colour: str) -> None:
    """Draw a cell for each token."""
    for column, token in enumerate(tokens):
        corner = column * width + 0.03, y
        axes.add_patch(Rectangle(corner, width - 0.06, 0.85, facecolor=colour))
        size = 9.5 if len(token) == 1 else 8.5
        middle = (column + 0.5) * width, y + 0.43
        axes.text(*middle, token, color=PAPER, fontsize=size, ha="center", va="center")


def rows() -> tuple[list[str], list[str], list[str]]:
    """Return the tokens of the source, of what the decoder reads, of what it should answer."""
    _, tokenizer = load_pretrained()
    batch = collate(list(encode_pairs([PAIR], tokenizer)))
    ids = batch.src[0], batch.tgt[0, :-1], batch.tgt[0, 1:]
    source, reads, answers = ([p.strip() for p in tokenizer.pieces(r.tolist())] for r in ids)
    return source, reads, answers


def claims() -> dict[str, bool]:
    """Say of the title and the description whether they are so."""
    source, reads, answers = rows()
    return {
        "eight, twelve and twelve": (len(source), len(reads), len(answers)) == (8, 12, 12),
        "one place further left": reads[1:] == answers[:-1],
        "begin and end": (reads[0], answers[-1], source[-1]) == ("<bos>", "<eos>", "<eos>"),
    }
