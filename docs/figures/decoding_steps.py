"""Greedy decoding of one sentence: the three most probable tokens at every step."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, MUTED, PAPER
from transformer import greedy_decode, load_pretrained

Translate = Callable[[str], str]

ALT = (
    "A row for each step of a translation. On the left the text that is written so far, in the "
    "middle a bar as long as the probability of the best next token, on the right the second and "
    "third best with their percentages. The bars are long at every step, and the text grows by "
    "the best token each time, until the end token is the best."
)
SOURCE = "the cat ate two fish yesterday ."


def draw(t: Translate) -> Figure:
    """Draw a row for each step, from the first token to the end token."""
    model, tokenizer = load_pretrained()
    src = torch.tensor([tokenizer.encode_source(SOURCE)])
    written = greedy_decode(model, src)[0]
    with torch.inference_mode():
        logits = model(src, torch.tensor([[tokenizer.bos_id, *written]]))[0]
        logits[:, [tokenizer.pad_id, tokenizer.bos_id]] = -torch.inf  # never chosen
    best = logits.softmax(dim=-1).topk(3)

    fig = Figure(figsize=(4.8, 4.4), layout="constrained")
    ax = fig.subplots()
    for row, (probs, ids) in enumerate(zip(best.values.tolist(), best.indices)):
        first, *others = tokenizer.pieces(ids.tolist())
        so_far = tokenizer.decode(written[:row]) or "<bos>"
        ax.text(-0.04, row, so_far, ha="right", va="center", size=10)
        ax.barh(row, 1, 0.74, color="none", edgecolor=MUTED, linewidth=0.6)
        ax.barh(row, probs[0], 0.74, color=ACCENT)
        ax.text(0.03, row, first, ha="left", va="center", size=10, color=PAPER)
        ax.text(probs[0] - 0.02, row, f"{probs[0]:.0%}", ha="right", va="center", color=PAPER)
        for x, token, prob in zip((1.04, 1.46), others, probs[1:]):
            ax.text(x, row, f"{token} {prob:.2%}", ha="left", va="center", size=9, color=INK)
    ax.set(xlim=(-0.95, 1.9), ylim=(len(written) + 0.5, -1.5))
    for x, label in ((0.5, t("best next token")), (1.44, t("second, third"))):
        ax.text(x, -0.95, label, ha="center", va="center", size=10)
    ax.text(-0.04, -0.95, t("written so far"), ha="right", va="center", size=10)
    ax.axis("off")
    fig.suptitle(t("Every step is one choice among all tokens"), fontsize=11)
    return fig
