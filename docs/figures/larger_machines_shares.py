"""Which parts of a file of ids two processes copy for one batch, and the rows that these become."""

from collections.abc import Callable
from functools import cache
from tempfile import TemporaryDirectory

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from docs.figures._sentences import sentences
from docs.figures._style import ACCENT, MUTED, PAPER, SECOND
from transformer import EncodedBatches, EncodedPairs, Tokenizer, encode_pairs

Translate = Callable[[str], str]
Side = tuple[int, ...]
Pair = tuple[Side, Side]

ALT = (
    "Above, a file of 60 pairs as one long row of ids, broken into 17 lines: sources and targets "
    "end to end. Six pairs, scattered over it, are coloured, three in the colour of each process; "
    "all others are grey. Below, these six as the rows of two rectangles, sources and targets: the "
    "rows go to the first and the second process in turn, and the empty places are padding."
)
PAIRS, BUDGET, WORLD_SIZE = 60, 150, 2
LINE = 100  # ids in a line of the picture
COLOURS = (ACCENT, SECOND)


def draw(t: Translate) -> Figure:
    """Draw the file, and below it the batch."""
    pairs, shares = file_and_shares()
    fig = Figure(figsize=(4.8, 4.3), layout="constrained")
    above, below = fig.subplots(2, 1, height_ratios=[1.5, 1])
    draw_file(above, pairs, shares)
    above.set_title(t("the file: {} pairs, their ids end to end").format(len(pairs)), size=10)
    draw_batch(below, shares)
    below.set_title(t("one batch: sources and targets"), size=10)
    names = t("process 0"), t("process 1"), t("not copied"), t("padding")
    colours = *COLOURS, MUTED, "none"
    legend = [
        Patch(facecolor=colour, edgecolor=MUTED, linewidth=colour == "none", label=name)
        for name, colour in zip(names, colours, strict=True)
    ]
    fig.legend(handles=legend, loc="outside lower center", ncols=2, frameon=False)
    fig.suptitle(t("Each process copies its own rows only"), size=11)
    return fig


def draw_file(axes: Axes, pairs: list[Pair], shares: list[list[Pair]]) -> None:
    """Draw each side as a bar as long as it has ids, line below line."""
    place = 0
    for pair in pairs:
        readers = [colour for colour, rows in zip(COLOURS, shares, strict=True) if pair in rows]
        for side in pair:
            colour, left = readers[0] if readers else MUTED, len(side)
            while left:
                line, column = divmod(place, LINE)
                size = min(left, LINE - column)
                bar = Rectangle((column, line + 0.12), size, 0.76, facecolor=colour)
                bar.set(edgecolor=PAPER, linewidth=1)
                axes.add_patch(bar)
                place, left = place + size, left - size
    axes.set(xlim=(0, LINE), ylim=(-(-place // LINE), 0))
    axes.axis("off")


def draw_batch(axes: Axes, shares: list[list[Pair]]) -> None:
    """Draw each row of the batch, as wide as the longest, in the colour of who reads it."""
    rows = [(colour, pair) for pair, colour in in_turn(shares)]
    widths = [max(len(pair[side]) for _, pair in rows) for side in (0, 1)]
    for number, (colour, pair) in enumerate(rows):
        for left, side, width in zip((0, widths[0] + 3), pair, widths, strict=True):
            for column in range(width):
                box = Rectangle((left + column + 0.08, number + 0.08), 0.84, 0.84)
                real = column < len(side)
                box.set(facecolor=colour if real else "none", edgecolor=MUTED, linewidth=not real)
                axes.add_patch(box)
    axes.set(xlim=(-0.2, sum(widths) + 3.2), ylim=(len(rows) + 0.2, -0.2), aspect="equal")
    axes.axis("off")


def in_turn(shares: list[list[Pair]]) -> list[tuple[Pair, str]]:
    """Return the rows of a batch in their order, each with the colour of its process."""
    count = sum(map(len, shares))
    return [
        (shares[row % WORLD_SIZE][row // WORLD_SIZE], COLOURS[row % WORLD_SIZE])
        for row in range(count)
    ]


@cache
def file_and_shares() -> tuple[list[Pair], list[list[Pair]]]:
    """Return all pairs of a file, and the pairs that each process reads of its first batch."""
    texts = [(pair.source, pair.target) for pair in sentences(PAIRS, "train")]
    tokenizer = Tokenizer.train((text for pair in texts for text in pair), vocab_size=1500)
    with TemporaryDirectory() as folder:
        ids = EncodedPairs.write(folder, encode_pairs(texts, tokenizer), tokenizer.vocab_size)
        pairs = [(tuple(src), tuple(tgt)) for src, tgt in ids]
        made = EncodedBatches(ids, BUDGET)
        shares = [
            next(made.rank_batches(epoch=0, rank=rank, world_size=WORLD_SIZE))
            for rank in range(WORLD_SIZE)
        ]
    return pairs, [
        [(real(src), real(tgt)) for src, tgt in zip(share.src.numpy(), share.tgt.numpy())]
        for share in shares
    ]


def real(row: np.ndarray) -> Side:
    """Return the ids of a row that are not padding."""
    return tuple(row[row != Tokenizer.pad_id].tolist())


def claims() -> dict[str, bool]:
    """Say of the title and the description whether they are so."""
    pairs, shares = file_and_shares()
    ids = sum(len(side) for pair in pairs for side in pair)
    places = sorted(pairs.index(pair) for rows in shares for pair in rows)
    return {
        "60 different pairs on 17 lines": len(set(pairs)) == 60 and -(-ids // LINE) == 17,
        "six pairs, three each": [*map(len, shares)] == [3, 3],
        "scattered over the file": places[0] < 20 and places[-1] > 40,
    }
