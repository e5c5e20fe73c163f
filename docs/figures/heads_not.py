"""What the heads of the last cross-attention look at before 沒, and the sentence without each."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._heads_muted import attentions, muted
from docs.figures._style import ACCENT, HEATMAP, INK, MUTED
from transformer import greedy_decode, load_pretrained, record_attention, translate

Translate = Callable[[str], str]

ALT = (
    "A heatmap over the source tokens we, are, not, resting, full stop and end, a row for each of "
    "four heads, at the step that writes 沒. Head 1 looks at are, head 3 at not, head 4 at "
    "resting; head 2 spreads its weight. Beside each row stands the translation with this head "
    "muted: without head 3 it is 我們正在休息, with the not gone; without any other head it stays "
    "我們沒有在休息."
)
SENTENCE = "we are not resting ."
WRITES = "沒"
NAME = "decoder.layers.1.cross_attention"


def draw(t: Translate) -> Figure:
    """Draw a row for each head, and beside it what is written when this head is muted."""
    pieces, weights, without = step()
    usual = max(set(without), key=without.count)
    fig = Figure(figsize=(4.8, 2.9), layout="constrained")
    axes = fig.subplots()
    axes.imshow(weights.numpy(), cmap=HEATMAP, vmin=0, vmax=1, aspect="auto")
    for row, column in torch.cartesian_prod(*map(torch.arange, weights.shape)).tolist():
        share = weights[row, column].item()
        ink = "black" if share > 0.5 else "white"  # the upper half of viridis is light
        axes.text(column, row, f"{share:.2f}", ha="center", va="center", size=9, color=ink)
    for row, sentence in enumerate(without):
        colour, weight = (MUTED, "normal") if sentence == usual else (ACCENT, "bold")
        x = len(pieces) - 0.3
        axes.text(x, row, sentence, va="center", size=10, color=colour, weight=weight)
    axes.text(len(pieces) - 0.3, -0.7, t("if it is muted"), va="bottom", size=10, color=INK)
    axes.set_yticks(range(4), [t("head {number}").format(number=n) for n in (1, 2, 3, 4)])
    axes.set_xticks(range(len(pieces)), pieces, rotation=40, ha="right", rotation_mode="anchor")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    fig.suptitle(
        t("Mute the head that looks at “not”,\nand the translation loses its 沒有"), size=11
    )
    return fig


def step() -> tuple[list[str], Tensor, list[str]]:
    """Return the source tokens, the weights of each head there, and what is written without it."""
    model, tokenizer = load_pretrained()
    ids = tokenizer.encode_source(SENTENCE)
    writes = greedy_decode(model, torch.tensor([ids]))[0]
    with torch.no_grad(), record_attention(model) as recorded:
        model(torch.tensor([ids]), torch.tensor([[tokenizer.bos_id, *writes]]))
    weights = recorded[NAME][0][0, :, tokenizer.pieces(writes).index(WRITES)]
    without = []
    for head in range(4):
        with muted(attentions(model)[NAME], [head]):
            without.append(translate(model, tokenizer, [SENTENCE])[0].rstrip("。"))
    return [piece.strip() for piece in tokenizer.pieces(ids)], weights, without


def claims() -> dict[str, bool]:
    """Say of the title and the description whether they are so."""
    pieces, weights, without = step()
    most = [pieces[column] for column in weights.argmax(dim=-1).tolist()]
    usual = "我們沒有在休息"
    return {
        "three heads look at one token": (most[0], most[2], most[3]) == ("are", "not", "resting")
        and bool((weights[[0, 2, 3]].amax(dim=-1) > 0.9).all()),
        "head 2 spreads": bool(weights[1].amax() < 0.6),
        "only head 3 matters": without == [usual, usual, "我們正在休息", usual],
    }
