"""How much attention a source token gets, and how often the translation changes without it."""

from collections import defaultdict
from collections.abc import Callable
from functools import cache

import torch
from matplotlib.figure import Figure

from docs.figures._sentences import sentences
from docs.figures._style import ACCENT, SECOND
from transformer import Transformer, greedy_decode, record_attention
from transformer.inference.shipped import load_pretrained

Translate = Callable[[str], str]

ALT = (
    "A row for each of nine frequent source tokens, two bars a row. Left: its share of "
    "cross-attention. The end token has the most, the full stop comes second. Right: how "
    "often the translation changes when the decoder may not look at the token. For not it "
    "nearly always does, for want mostly, for the end token seldom."
)
TOKENS = ("<eos>", "want", "will", "not", "these", "the", ".", "is", "to")
SENTENCES = 60


def draw(t: Translate) -> Figure:
    """Draw two bars a token, the one with the most attention on top."""
    shares, changes = measure()
    rows = sorted(TOKENS, key=lambda token: -shares[token])
    fig = Figure(figsize=(4.8, 3.4), layout="constrained")
    panels = fig.subplots(1, 2, sharey=True)
    columns = (
        (shares, SECOND, t("share of the attention (%)")),
        (changes, ACCENT, t("translations that change\nwhen it is hidden (%)")),
    )
    for axes, (values, colour, label) in zip(panels, columns, strict=True):
        bars = axes.barh(rows, [100 * values[token] for token in rows], 0.7, color=colour)
        axes.bar_label(bars, fmt="%.0f", padding=3, size=9)
        axes.set(xlabel=label, xticks=[])
        axes.margins(x=0.2)
        axes.tick_params(axis="y", length=0)
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].invert_yaxis()
    fig.suptitle(t("Hiding the most watched token changes little"), size=11)
    return fig


@cache
def measure() -> tuple[dict[str, float], dict[str, float]]:
    """Mean share of attention, and share of changed translations, by source token."""
    model, tokenizer = load_pretrained()
    shares, changes = defaultdict(list), defaultdict(list)
    for pair in sentences(SENTENCES):
        src = torch.tensor([tokenizer.encode_source(pair.source)])
        attention, changed = look_and_hide(model, src)
        for piece, share, change in zip(tokenizer.pieces(src[0].tolist()), attention, changed):
            shares[piece.strip()].append(share)
            changes[piece.strip()].append(change)
    mean = {token: sum(values) / len(values) for token, values in shares.items()}
    return mean, {token: sum(values) / len(values) for token, values in changes.items()}


@torch.no_grad()
def look_and_hide(model: Transformer, src: torch.Tensor) -> tuple[list[float], list[bool]]:
    """For each source token: its share of cross-attention; does hiding it change the output?"""
    tgt = torch.tensor([[model.config.bos_id, *greedy_decode(model, src)[0]]])
    answers = torch.tensor([[*tgt[0, 1:].tolist(), model.config.eos_id]])
    with record_attention(model) as recorded:
        model(src, tgt)
    bridge = [calls[0][0] for name, calls in recorded.items() if name.endswith("cross_attention")]
    count = src.size(1)
    hide_one = ~torch.eye(count, dtype=torch.bool).view(count, 1, 1, count)
    memory = model.encode(src).expand(count, -1, -1)
    logits = model.project(model.decode(tgt.expand(count, -1), memory, hide_one))
    changed = (logits.argmax(dim=-1) != answers).any(dim=-1)
    return torch.stack(bridge).mean(dim=(0, 1, 2)).tolist(), changed.tolist()
