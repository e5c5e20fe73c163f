"""A window of pairs as `serpentine` sorts them: their lengths on both sides."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise

import numpy as np
from matplotlib.figure import Figure

from docs.figures._sentences import sentences
from docs.figures._style import ACCENT, SECOND
from transformer import Tokenizer, encode_pairs
from transformer.data.batching import serpentine

Translate = Callable[[str], str]

ALT = (
    "Two lines over the places of 1,000 sorted pairs. The length of the source climbs in stairs. "
    "The length of the target climbs and falls in turn, once on each stair, so that it hardly "
    "jumps where one stair ends and the next begins."
)
PAIRS = 1000


def draw(t: Translate) -> Figure:
    """Draw both lengths over the place in the order."""
    src, tgt = lengths().T
    fig = Figure(figsize=(4.8, 3.0), layout="constrained")
    axes = fig.subplots()
    axes.plot(tgt, color=SECOND, linewidth=1.4, label=t("target"))
    axes.plot(src, color=ACCENT, linewidth=2.2, label=t("source"))
    axes.set(xlim=(0, PAIRS), ylim=(0, None))
    axes.set(xlabel=t("place in the order"), ylabel=t("ids"))
    axes.spines[["top", "right"]].set_visible(False)
    fig.legend(loc="outside lower center", ncols=2, frameon=False)
    fig.suptitle(t("Sources climb, targets go up and down"))
    return fig


@cache
def lengths() -> np.ndarray:
    """Lengths of source and target in the order of `serpentine`, shape `(pairs, 2)`."""
    pairs = [(pair.source, pair.target) for pair in sentences(PAIRS, "train")]
    tokenizer = Tokenizer.train((text for pair in pairs for text in pair), vocab_size=1500)
    found = np.array([(len(src), len(tgt)) for src, tgt in encode_pairs(pairs, tokenizer)])
    return found[serpentine(found)]


def claims() -> dict[str, bool]:
    """Say of the title and the description whether they are so."""
    src, tgt = lengths().T
    stairs = [tgt[src == length] for length in range(src.min(), src.max() + 1)]
    stairs = [stair for stair in stairs if len(stair)]
    jumps = [abs(after[0] - before[-1]) for before, after in pairwise(stairs)]
    return {
        "the source climbs": bool((np.diff(src) >= 0).all()),
        "the target climbs on one stair and falls on the next": all(
            (np.diff(tgt[src == length]) * (1 if length % 2 else -1) >= 0).all() for length in src
        ),
        "it hardly jumps": float(np.mean(jumps)) < float(np.mean([np.ptp(s) for s in stairs])) / 3,
    }
