"""The logits of the shipped model at every step of the book's sentence."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, MUTED
from docs.figures.output_layer_lens import book_run

Translate = Callable[[str], str]

ALT = (
    "A row for each of the twelve tokens of the translation. A grey bar holds the logits of the "
    "1,592 wrong ids, from −4.3 to 4.6 over all rows. A dot far to the right of it, between 9.4 "
    "and 11.1, is the right token's logit, with its probability beside it: 92% to 97%."
)


def draw(t: Translate) -> Figure:
    """Draw a bar for the wrong ids and a dot for the right one, a row a step."""
    logits, right, words = steps()
    fig = Figure(figsize=(4.8, 3.9), layout="constrained")
    ax = fig.subplots()
    for row, (scores, best) in enumerate(zip(logits, right)):
        wrong = scores[:best] + scores[best + 1 :]
        ax.barh(row, max(wrong) - min(wrong), 0.5, min(wrong), color=MUTED)
        ax.plot(scores[best], row, "o", color=ACCENT, markersize=6)
        ax.text(12, row, f"{probability(scores, best):.0%}", va="center", color=INK)
    ax.set_yticks(range(len(words)), words)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.invert_yaxis()
    ax.plot([0, 0], [-0.6, 11.5], color=INK, linewidth=0.6)
    ax.set(xlim=(-5, 14), xticks=[-4, 0, 4, 8, 12], xlabel=t("logit"))
    ax.text(0, 12.05, t("1,592 wrong ids"), ha="center", va="center", color=INK, size=9)
    ax.text(10.3, 12.05, t("the right one"), ha="center", va="center", color=ACCENT, size=9)
    ax.set_ylim(12.6, -0.6)
    ax.set_title(t("At every step one logit is far ahead"), fontsize=11)
    return fig


def steps() -> tuple[list[list[float]], list[int], list[str]]:
    """Return the logits of each step, the right ids, and the right tokens."""
    logits, _, right, words = book_run()
    return logits[-1].tolist(), right.tolist(), words


def probability(scores: list[float], best: int) -> float:
    """Return the softmax of one score."""
    return float(torch.tensor(scores).softmax(dim=-1)[best])


def claims() -> dict[str, bool]:
    """Say of the numbers in title and description whether they are so."""
    logits, right, words = steps()
    wrong = [scores[:best] + scores[best + 1 :] for scores, best in zip(logits, right)]
    own = [scores[best] for scores, best in zip(logits, right)]
    probs = [f"{probability(scores, best):.0%}" for scores, best in zip(logits, right)]
    every = [number for row in wrong for number in row]
    return {
        "twelve tokens, 1,592 wrong ids": (len(words), len(wrong[0])) == (12, 1592),
        "from −4.3 to 4.6": (round(min(every), 1), round(max(every), 1)) == (-4.3, 4.6),
        "between 9.4 and 11.1": min(own) > 9.4 and max(own) < 11.11,
        "92% to 97%": (min(probs), max(probs)) == ("92%", "97%"),
        "far ahead: by more than six": min(a - max(b) for a, b in zip(own, wrong)) > 6,
    }
