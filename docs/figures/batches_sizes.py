"""How large batches become, with a number of sentences and with a token budget."""

from collections.abc import Callable
from functools import cache

from matplotlib.figure import Figure

from docs.figures._sentences import sentences
from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import Tokenizer, batches, collate, encode_pairs

Translate = Callable[[str], str]

ALT = (
    "Two panels of bars, one bar a batch, from short sentences to long ones: its positions on the "
    "target side. With 64 sentences a batch the bars climb from under 500 to 2,368, and the last "
    "one is a small rest. With a budget of 1,024 nearly all reach just below it."
)
PAIRS, PER_BATCH, BUDGET = 5000, 64, 1024


def draw(t: Translate) -> Figure:
    """Draw a bar for each batch."""
    fig = Figure(figsize=(4.8, 2.8), layout="constrained")
    panels = fig.subplots(1, 2, sharey=True)
    titles = (t("64 sentences a batch"), t("at most 1,024 positions"))
    for axes, sizes, title, colour in zip(panels, both(), titles, (SECOND, ACCENT), strict=True):
        axes.stairs(sizes, fill=True, color=colour)
        axes.axhline(BUDGET, color=INK, linewidth=1, linestyle=":")
        axes.set(xlim=(0, len(sizes)), xticks=[], xlabel=t("batches, short to long"))
        axes.set_title(title, size=10)
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(color=MUTED)
    panels[0].set_ylabel(t("target positions"))
    fig.suptitle(t("A budget makes batches alike in size"))
    return fig


@cache
def both() -> tuple[list[int], list[int]]:
    """Target positions of each batch, short sentences first: so many sentences, and a budget."""
    pairs = [(pair.source, pair.target) for pair in sentences(PAIRS, "train")]
    tokenizer = Tokenizer.train((text for pair in pairs for text in pair), vocab_size=2000)
    ids = list(encode_pairs(pairs, tokenizer))
    in_order = sorted(ids, key=lambda pair: len(pair[1]))
    fixed = [collate(in_order[i : i + PER_BATCH]) for i in range(0, PAIRS, PER_BATCH)]
    budget = sorted(batches(ids, max_tokens=BUDGET), key=lambda batch: batch.tgt.shape[1])
    return [batch.tgt.numel() for batch in fixed], [batch.tgt.numel() for batch in budget]


def claims() -> dict[str, bool]:
    """Say of the title and the description whether they are so."""
    fixed, budget = both()
    return {
        "from under 500 to 2,368": fixed[0] < 500 and max(fixed) == 2368,
        "nearly all just below 1,024": sum(900 < size <= BUDGET for size in budget)
        > 0.9 * len(budget),
        "never above": max(budget) <= BUDGET,
    }
