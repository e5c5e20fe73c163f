"""What one word of the hand-made model looks at, with a mask and without."""

from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._style import ACCENT, SECOND
from transformer import attention_scores, attention_weights, causal_mask, load_hand_made
from transformer import padding_mask as hide_padding

Translate = Callable[[str], str]

ALT = (
    "Two charts of attention weights in the hand-made model, the query is 貓. Left, in "
    "self-attention: without the causal mask all the weight goes to 贏, two places later; with it "
    "<bos> and 貓 get a half each. Right, in cross-attention: without the padding mask 0.98 goes "
    "to the padding token; with it 0.95 goes to beat."
)


def draw(t: Translate) -> Figure:
    """Draw two bars for each key, one on the other: without the mask and with it."""
    fig = Figure(figsize=(4.8, 3.3), layout="constrained")
    fig.suptitle(t("Without the masks, 貓 looks at the wrong tokens"))
    titles = t("causal mask"), t("padding mask")
    for axes, title, (keys, without, masked) in zip(
        fig.subplots(1, 2), titles, (future(), padding()), strict=True
    ):
        axes.barh(keys, without.tolist(), 0.7, color=ACCENT, label=t("without the mask"))
        axes.barh(keys, masked.tolist(), 0.4, color=SECOND, label=t("with the mask"))
        axes.set(title=title, xlabel=t("attention weight"), xlim=(0, 1.05), xticks=[0, 0.5, 1])
        axes.invert_yaxis()
        axes.tick_params(axis="y", length=0)
        axes.spines[["top", "right"]].set_visible(False)
    handles, labels = axes.get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False)
    return fig


@cache
@torch.no_grad()
def future() -> tuple[list[str], Tensor, Tensor]:
    """Keys, and the weights of 貓 in head b of masked self-attention, without mask and with."""
    hand, words = load_hand_made()
    tgt = torch.tensor([words.encode_target("貓昨天贏了狗")])[:, :-1]
    attention: Any = hand.get_submodule("decoder.layers.0.self_attention")
    y = hand.tgt_position(hand.tgt_embedding(tgt))
    q, k = attention.q_proj(y)[0, :, 4:], attention.k_proj(y)[0, :, 4:]
    scores = attention_scores(q, k)
    without, masked = attention_weights(scores), attention_weights(scores, causal_mask(6)[0, 0])
    return words.pieces(tgt[0].tolist()), without[1], masked[1]


@cache
@torch.no_grad()
def padding() -> tuple[list[str], Tensor, Tensor]:
    """Keys, and the weights of 貓 in head a of cross-attention, without mask and with."""
    hand, words = load_hand_made()
    src = torch.tensor([[*words.encode_source("cats beat dogs"), words.pad_id]])
    tgt = torch.tensor([words.encode_target("貓贏狗")])[:, :-1]
    layer: Any = hand.decoder.layers[0]
    y = hand.tgt_position(hand.tgt_embedding(tgt))
    y = layer.self_attention_norm(y + layer.self_attention(y, y, y, causal_mask(4)))
    memory = hand.encode(src)
    attention = layer.cross_attention
    q, k = attention.q_proj(y)[0, :, :4], attention.k_proj(memory)[0, :, :4]
    scores = attention_scores(q, k)
    mask = hide_padding(src, words.pad_id)[0, 0]
    without, masked = attention_weights(scores), attention_weights(scores, mask)
    return words.pieces(src[0].tolist()), without[1], masked[1]


def claims() -> dict[str, bool]:
    """Say of the sentences that title and description claim whether they are so."""
    (reads, all_1, causal), (keys, all_2, padded) = future(), padding()
    return {
        "the query is 貓": reads[1] == "貓" and reads[4 - 1] == "贏" and keys[1] == "beat",
        "all the weight goes to 贏": round(all_1[3].item(), 2) == 1,
        "with it a half each": [round(w, 2) for w in causal[:2].tolist()] == [0.5, 0.5],
        "without: 0.98 to the padding": round(all_2[4].item(), 2) == 0.98,
        "with it 0.95 to beat": round(padded[1].item(), 2) == 0.95,
    }
