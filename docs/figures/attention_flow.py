"""One query, three keys, three values: from the scores to the mixture, with the numbers."""

from collections.abc import Callable
from typing import Any

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import attention_scores, attention_weights

Translate = Callable[[str], str]

ALT = (
    "The token I asks with the query (2, 2, 2, 0). Three rows, for I, drink and tea, each with a "
    "key, the dot product of query and key, half of it as the score, a bar for the weight, and a "
    "value: the scores are 2, 4 and 2, the weights 0.11, 0.79 and 0.11. Below, the three values "
    "mixed with these weights: (2.13, 8.93), close to the value of drink, (0, 10)."
)

TOKENS = ("I", "drink", "tea")
QUERY = torch.tensor([[2.0, 2, 2, 0]])
KEYS = torch.tensor([[0.0, 0, 2, 2], [2, 0, 2, 0], [2, 0, 0, 2]])
VALUES = torch.tensor([[10.0, 0], [0, 10], [10, 10]])
COLUMNS = (0.0, 0.95, 2.0, 3.35, 5.15)  # where token, key, score, weight and value begin
BAR = 1.0  # the length of a weight of 1


def draw(t: Translate) -> Figure:
    """Draw a row for each token that is asked, and the mixture below."""
    scores = attention_scores(QUERY, KEYS)
    weights = attention_weights(scores)[0].tolist()
    output = [round(number, 2) for number in (attention_weights(scores) @ VALUES)[0].tolist()]
    fig = Figure(figsize=(4.6, 2.9), layout="constrained")
    ax = fig.subplots()
    ax.set(xlim=(-0.05, 6.1), ylim=(-1.45, 3.9))
    ax.set_axis_off()
    small: dict[str, Any] = {"fontsize": 10, "va": "center"}
    ax.text(0, 3.6, t("I asks, with the query (2, 2, 2, 0):"), color=ACCENT, **small)
    for x, name in zip(COLUMNS[1:], (t("key"), t("score"), t("weight"), t("value"))):
        ax.text(x, 2.85, name, color=MUTED, **small)
    for row, (token, key, weight, value) in enumerate(
        zip(TOKENS, KEYS.tolist(), weights, VALUES.tolist())
    ):
        y = 2.1 - 0.85 * row
        ax.text(COLUMNS[0], y, token, color=INK, **small)
        ax.text(COLUMNS[1], y, " ".join(f"{number:.0f}" for number in key), color=INK, **small)
        product = (QUERY[0] @ KEYS[row]).item()
        ax.text(COLUMNS[2], y, f"{product:.0f} / 2 = {product / 2:.0f}", color=INK, **small)
        bar = Rectangle((COLUMNS[3], y - 0.25), BAR * weight, 0.5, color=SECOND, alpha=0.6)
        ax.add_patch(bar)
        ax.text(COLUMNS[3] + BAR * weight + 0.08, y, f"{weight:.2f}", color=INK, **small)
        ax.text(COLUMNS[4], y, "({:.0f}, {:.0f})".format(*value), color=INK, **small)
    ax.plot((0, 6.0), (-0.2, -0.2), color=MUTED, linewidth=0.8)
    mixture = " + ".join(
        f"{weight:.4f} · ({a:.0f}, {b:.0f})" for weight, (a, b) in zip(weights, VALUES.tolist())
    )
    ax.text(0, -0.65, mixture, color=INK, **small)
    ax.text(0, -1.2, f"≈ ({output[0]}, {output[1]})", color=ACCENT, **small)
    ax.set_title(t("Compare with every key, weigh, and mix the values"), color=INK)
    return fig


def claims() -> dict[str, bool]:
    """Say of the description whether it is so."""
    scores = attention_scores(QUERY, KEYS)
    weights = attention_weights(scores)
    return {
        "scores 2, 4, 2": scores[0].tolist() == [2, 4, 2],
        "weights": [round(weight, 2) for weight in weights[0].tolist()] == [0.11, 0.79, 0.11],
        "mixture": [round(number, 2) for number in (weights @ VALUES)[0].tolist()] == [2.13, 8.93],
    }
