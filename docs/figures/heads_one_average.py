"""What `beat` finds in the hand-made model: with two heads, and with the same numbers in one."""

from collections.abc import Callable
from copy import deepcopy

import torch
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, MUTED, PAPER
from transformer import load_hand_made, record_attention

Translate = Callable[[str], str]

ALT = (
    "Three rows of attention weights of the word beat over cats, beat, dogs, yesterday and the "
    "end. Head a gives all of its weight to cats, head b all of it to yesterday. With the same "
    "parameters in one head, nearly all goes to cats and nothing is left for yesterday."
)
SENTENCE = "cats beat dogs yesterday"
NAME = "encoder.layers.0.self_attention"
VERB = 1  # the place of `beat`


def draw(t: Translate) -> Figure:
    """Draw a row of cells for each head, as full as the weight is large."""
    fig = Figure(figsize=(4.8, 2.5), layout="constrained")
    axes = fig.subplots()
    names = [t("head a"), t("head b"), t("one head")]
    words = [*SENTENCE.split(), "<eos>"]
    for row, (name, weights) in enumerate(zip(names, rows(), strict=True)):
        y = row + 0.35 * (row == 2)  # a gap between two heads and one
        axes.text(-0.15, y + 0.4, name, ha="right", va="center", color=INK, size=10)
        for column, weight in enumerate(weights):
            box = {"height": 0.8, "width": 0.94, "align": "edge"}
            axes.bar(column, bottom=y, color=ACCENT, alpha=weight, **box)  # type: ignore[arg-type]
            axes.bar(column, bottom=y, color="none", edgecolor=MUTED, **box)  # type: ignore[arg-type]
            axes.text(
                column + 0.47, y + 0.42, f"{weight:.2f}", ha="center", va="center", size=10,
                color=PAPER if weight > 0.5 else INK,
            )  # fmt: skip
    axes.set(xlim=(-1.35, 5), ylim=(3.2, -0.05))
    axes.xaxis.tick_top()
    axes.set_xticks([c + 0.47 for c in range(len(words))], words, size=10)
    axes.set_yticks([])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    fig.suptitle(t("The same parameters in one head\nfind only one of two words"), size=11)
    return fig


def rows() -> list[list[float]]:
    """The weights of `beat` in head a, in head b, and in one head made of both."""
    model, tokenizer = load_hand_made()
    single = deepcopy(model)
    attention = single.get_submodule(NAME)
    attention.d_k = attention.d_v = 8  # type: ignore[assignment]
    ids = torch.tensor([tokenizer.encode_source(SENTENCE)])
    found: list[list[float]] = []
    for machine in (model, single):
        with torch.no_grad(), record_attention(machine) as recorded:
            machine.encode(ids)
        found += recorded[NAME][0][0, :, VERB].tolist()
    return found


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    a, b, one = [[round(weight, 2) for weight in row] for row in rows()]
    return {
        "head a: all for cats": a[0] == 1,
        "head b: all for yesterday": b[3] == 1,
        "one head: nearly all for cats": one[0] > 0.95 and one[3] == 0,
    }
