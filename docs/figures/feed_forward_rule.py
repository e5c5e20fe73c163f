"""One neuron of the hand-made encoder: key, threshold and value, and a state that it changes."""

from collections.abc import Callable
from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._hand_made import numbers, words
from docs.figures._style import ACCENT
from docs.figures.residual_rows import cell, frame
from transformer import load_hand_made

Translate = Callable[[str], str]

ALT = (
    "Four rows of eight cells, one below the other; the columns are sin, cos, V, S, T, N, P, O. "
    "The state of beat: -0.63, -0.76, 1.44, 1.82, -0.98, -0.56, 0.21, -0.55. The key k of the "
    "neuron: 1 in V, -1 in T, 2 in P, 0 elsewhere. The dot product minus the threshold 2 is "
    "h = 0.84, above 0, so the neuron fires and adds h times its value v: 1.69 in P, 0 elsewhere. "
    "The result is the state with 1.90 in P. For cats h is -2.83, and nothing is added."
)
WORD, SILENT = "beat", "cats"
STEP = 1.85  # from one row of cells to the next, in cells


def draw(t: Translate) -> Figure:
    """Draw the rows from top to bottom, what is done between them in colour."""
    state, key, h, added = rule(WORD)
    title = t("A neuron: if the state fits its key,\nit adds its value")
    fig, axes = frame(title, height=4.5, bottom=3 * STEP + 2.2)
    parts = (
        ("", t("the state x of {word}").format(word=WORD), state),
        ("", t("the key k of the neuron"), key),
        ("+", t("h = x · k − 2 = {h} > 0, so add h · v (v: 2 in P)").format(h=_written(h)), added),
        ("=", t("the new state"), state + added),
    )
    for place, (sign, label, row) in enumerate(parts):
        top = place * STEP
        axes.text(0, top - 0.32, sign, va="center", weight="bold", color=ACCENT)
        axes.text(0.4 if sign else 0, top - 0.32, label, va="center")
        for column, number in enumerate(row.tolist()):
            cell(axes, column, top, number, abs(number) / 2)
    silent = t("{word}: h = {h}, below 0, so nothing is added")
    below = silent.format(word=SILENT, h=_written(rule(SILENT)[2]))
    axes.text(0, 3 * STEP + 1.6, below, va="center")
    return fig


def _written(number: float) -> str:
    return f"{number:.2f}".replace("-", "−")


@torch.no_grad()
def rule(word: str) -> tuple[Tensor, Tensor, float, Tensor]:
    """A word's state, the neuron's key, its sum h, and what it adds to the state."""
    network: Any = load_hand_made()[0].encoder.layers[0].feed_forward
    state = numbers()["enc.norm"][words()[0].index(word)]
    return state, network.expand.weight[0], network.expand(state).item(), network(state)


def claims() -> dict[str, bool]:
    """Say of title and description whether they are so."""
    state, key, h, added = rule(WORD)
    _, _, below, nothing = rule(SILENT)

    def written(row: Tensor) -> list[float]:
        return [round(number, 2) for number in row.tolist()]

    return {
        "the state": written(state) == [-0.63, -0.76, 1.44, 1.82, -0.98, -0.56, 0.21, -0.55],
        "the key": written(key) == [0, 0, 1, 0, -1, 0, 2, 0],
        "the threshold": round((state @ key).item() - h, 4) == 2,
        "fires at beat": round(h, 2) == 0.84 and written(added) == [0, 0, 0, 0, 0, 0, 1.69, 0],
        "the new state": round((state + added)[6].item(), 2) == 1.9,
        "silent at cats": round(below, 2) == -2.83 and not nothing.any().item(),
    }
