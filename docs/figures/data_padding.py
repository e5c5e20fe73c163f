"""The same sentences in batches of random order, and batched by length and token budget."""

from collections.abc import Callable, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from docs.figures._sentences import sentences
from docs.figures._style import ACCENT, SECOND
from transformer import Batch, Tokenizer, batches, collate, encode_pairs, padding_share

Translate = Callable[[str], str]

ALT = (
    "Two columns of horizontal lines, one line a target, in blocks that are batches. On the "
    "left, in random order, every block is as wide as its longest target, and much of it is "
    "padding: 41% of all positions. On the right, by length, the blocks have different widths "
    "and heights and little padding: 11%."
)

SENTENCES, PER_BATCH, BUDGET = 192, 16, 256


def draw(t: Translate) -> Figure:
    """Draw the target side of all batches, real tokens and padding in two colours."""
    random_order, by_length = both()
    fig = Figure(figsize=(4.8, 4.2), layout="constrained")
    fig.suptitle(t("Batches of like length hold little padding"))
    left, right = fig.subplots(1, 2, sharex=True)
    stack(left, random_order, t("random order: {:.0%} padding"))
    stack(right, by_length, t("by length: {:.0%} padding"))
    left.set_ylabel(t("targets, one block a batch"))
    for axes in (left, right):
        axes.set_xlabel(t("position"))
    legend = [Patch(color=SECOND, label=t("token")), Patch(color=ACCENT, label=t("padding"))]
    fig.legend(handles=legend, loc="outside lower center", ncols=2, frameon=False)
    return fig


def both() -> tuple[list[Batch], list[Batch]]:
    """Batch the same sentences as they come, and by length."""
    pairs = [(pair.source, pair.target) for pair in sentences(1000, "train")]
    tokenizer = Tokenizer.train((text for pair in pairs for text in pair), vocab_size=1500)
    ids = list(encode_pairs(pairs[:SENTENCES], tokenizer))
    random_order = [collate(ids[i : i + PER_BATCH]) for i in range(0, SENTENCES, PER_BATCH)]
    return random_order, list(batches(ids, max_tokens=BUDGET))


def claims() -> dict[str, bool]:
    """Say of the title and the description whether they are so."""
    random_order, by_length = map(padding_share, both())
    return {
        "in random order about half is padding": 0.4 < random_order < 0.6,
        "by length there is much less": by_length < random_order / 3,
        "41 and 11 in a hundred": (round(100 * random_order), round(100 * by_length)) == (41, 11),
    }


def stack(axes: Axes, some: Sequence[Batch], title: str) -> None:
    """Draw batches below each other, in the order they come."""
    y = 0
    for batch in some:
        rows, width = batch.tgt.shape
        lengths = batch.tgt.count_nonzero(dim=1).tolist()
        axes.barh(y + rows / 2, width, rows, color=ACCENT)  # one block; tokens cover it
        edges = range(y, y + rows + 1)
        axes.stairs(lengths, edges, orientation="horizontal", fill=True, color=SECOND)
        y += rows + 4
    axes.set(ylim=(y, -4), yticks=[])
    axes.set_title(title.format(padding_share(some)), size=10)
    axes.spines["left"].set_visible(False)
