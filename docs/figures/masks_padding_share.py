"""How much weight padding takes in the shipped model when no mask hides it."""

from collections.abc import Callable
from functools import cache

import torch
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import load_pretrained, record_attention

Translate = Callable[[str], str]

ALT = (
    "Three rising curves: the share of attention that goes to padding when nothing hides it, for 0 "
    "to 40 padding tokens after the running example of 8 tokens. In the second encoder layer it "
    "reaches 27% with 10 of them and 56% with 40; with 40, the first layer gives them 21% and "
    "cross-attention 15%. With the mask it is zero."
)
SOURCE, TARGET = "the cat ate two fish yesterday .", "那隻貓昨天吃了兩條魚。"
COUNTS = (0, 1, 2, 4, 7, 10, 15, 20, 30, 40)


def draw(t: Translate) -> Figure:
    """Draw a line for each attention, and the flat one of the mask."""
    fig = Figure(figsize=(4.8, 3.0), layout="constrained")
    axes = fig.subplots()
    labels = t("encoder, layer 2"), t("encoder, layer 1"), t("cross-attention")
    styles = ((ACCENT, "-"), (SECOND, "--"), (SECOND, ":"))
    for label, (colour, line), shares in zip(labels, styles, curves(), strict=True):
        axes.plot(COUNTS, [100 * share for share in shares], line, color=colour, linewidth=2)
        axes.text(41, 100 * shares[-1], label, color=INK, size=9, va="center")
    axes.axhline(0, color=MUTED, linewidth=2)
    axes.text(41, 0, t("with the mask"), color=INK, size=9, va="center")
    axes.set(xlabel=t("padding tokens after the sentence"), ylabel=t("weight on padding (%)"))
    axes.set(xlim=(0, 40), ylim=(-2, 62), yticks=[0, 20, 40, 60])
    axes.spines[["top", "right"]].set_visible(False)
    fig.suptitle(t("Unless hidden, padding takes the weight"), size=11)
    return fig


@cache
@torch.no_grad()
def curves() -> tuple[list[float], list[float], list[float]]:
    """Shares of weight on padding: encoder layer 2, encoder layer 1, both cross-attentions."""
    model, tokenizer = load_pretrained()
    ids = tokenizer.encode_source(SOURCE)
    tgt = torch.tensor([tokenizer.encode_target(TARGET)])[:, :-1]
    found: tuple[list[float], list[float], list[float]] = ([], [], [])
    for count in COUNTS:
        src = torch.tensor([ids + [tokenizer.pad_id] * count])
        with record_attention(model) as recorded:
            memory = model.encoder(model.src_position(model.src_embedding(src)))
            model.decode(tgt, memory, None)
        share = {
            name: weights[0][0][:, :, len(ids) :].sum(-1) for name, weights in recorded.items()
        }
        first, second = (share[f"encoder.layers.{n}.self_attention"] for n in (0, 1))
        cross = [share[f"decoder.layers.{n}.cross_attention"].mean().item() for n in (0, 1)]
        found[0].append(second[:, : len(ids)].mean().item())  # what the words look at
        found[1].append(first[:, : len(ids)].mean().item())
        found[2].append(sum(cross) / 2)
    return found


@torch.no_grad()
def translated() -> bool:
    """Say whether the sentence comes out right all the same, with the most padding."""
    model, tokenizer = load_pretrained()
    src = torch.tensor([tokenizer.encode_source(SOURCE) + [tokenizer.pad_id] * COUNTS[-1]])
    tgt = torch.tensor([tokenizer.encode_target(TARGET)])
    memory = model.encoder(model.src_position(model.src_embedding(src)))
    written = model.project(model.decode(tgt[:, :-1], memory, None)).argmax(-1)
    return torch.equal(written, tgt[:, 1:])


def claims() -> dict[str, bool]:
    """Say of the sentences that title and description claim whether they are so."""
    second, first, cross = curves()
    return {
        "rising": all(sorted(shares) == shares for shares in (second, first, cross)),
        "the page: it is still translated correctly": translated(),
        "27% with 10": round(100 * second[COUNTS.index(10)]) == 27,
        "56% with 40": round(100 * second[-1]) == 56,
        "first layer 21, cross-attention 15": [round(100 * s[-1]) for s in (first, cross)]
        == [21, 15],
    }
