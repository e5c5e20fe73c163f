"""One next-token distribution at three temperatures, cut by top_k and by top_p."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, MUTED
from transformer import load_pretrained

Translate = Callable[[str], str]

ALT = (
    "Three bar charts, for the temperatures 0.5, 1 and 2: the eight most probable next tokens, "
    "and all others together. At 0.5 the first few tokens have nearly everything. At 2 the eight "
    "bars are low and the others together hold most of the probability. A dashed line after the "
    "third bar is top_k = 3, at the same place in all charts. What top_p keeps is coloured: a few "
    "tokens at first, then hundreds."
)
SOURCE, WRITTEN = "i bought a piano .", "我買了一"
SHOWN, TOP_K, TOP_P = 8, 3, 0.6


def draw(t: Translate) -> Figure:
    """Draw one panel for each temperature."""
    model, tokenizer = load_pretrained()
    src = torch.tensor([tokenizer.encode_source(SOURCE)])
    tgt = torch.tensor([[tokenizer.bos_id, *tokenizer.encode(WRITTEN)]])
    with torch.inference_mode():
        logits, ids = model(src, tgt)[0, -1].sort(descending=True)
    others = len(ids) - SHOWN

    fig = Figure(figsize=(4.8, 4.8), layout="constrained")
    panels = fig.subplots(3, 1, sharex=True, sharey=True)
    for ax, temperature in zip(panels, (0.5, 1.0, 2.0)):
        probs = (logits / temperature).softmax(dim=-1)
        kept = int((probs.cumsum(dim=-1) - probs < TOP_P).sum())
        heights = [*probs[:SHOWN].tolist(), probs[SHOWN:].sum().item()]
        inside = [*probs[: min(kept, SHOWN)].tolist(), *[0.0] * (SHOWN - kept)]
        inside.append(probs[SHOWN:kept].sum().item())
        ax.bar(range(SHOWN + 1), heights, color=MUTED)
        ax.bar(range(SHOWN + 1), inside, color=ACCENT)
        ax.axvline(TOP_K - 0.5, color=INK, linestyle="--", linewidth=1)
        ax.text(TOP_K - 0.35, 1.0, f"T = {temperature:g}", va="top", size=11)
        kept_text = t("top_p = 0.6 keeps {count}").format(count=f"{kept:,}")
        ax.text(TOP_K - 0.35, 0.8, kept_text, va="top", color=ACCENT, size=10)
        ax.set(ylim=(0, 1.02), yticks=[0, 0.5, 1])
    panels[0].text(TOP_K - 0.65, 1.0, f"top_k = {TOP_K}", ha="right", va="top", size=10)
    shown = tokenizer.pieces(ids[:SHOWN].tolist())
    names = [*shown, t("{count}\nothers").format(count=f"{others:,}")]
    panels[2].set_xticks(range(SHOWN + 1), names)
    fig.supylabel(t("probability of the next token"), fontsize=11)
    return fig
