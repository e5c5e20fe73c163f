"""The hand-made model's states before a noun, and the rows of three nouns, in the plane of N, S."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import greedy_decode, hand_made_pairs, load_hand_made

Translate = Callable[[str], str]

ALT = (
    "A plane with N to the right and S upwards. Three arrows are the rows of the output layer: 貓 "
    "points right and up, 狗 right and down, 你 straight to the right. The 180 states before a "
    "noun are marks in three groups: those before 貓 above the upper dashed line, those before 狗 "
    "below the lower one, those before 你 between the two. The lines are at S = 0.71 and −0.86."
)
NOUNS = "貓", "你", "狗"


def before_nouns() -> dict[str, Tensor]:
    """Return the states from which each noun is to be read, two columns: N and S."""
    model, tokenizer = load_hand_made()
    found: dict[str, list[Tensor]] = {noun: [] for noun in NOUNS}
    for sentence in hand_made_pairs():
        src = torch.tensor([tokenizer.encode_source(sentence)])
        written = greedy_decode(model, src)[0]
        tgt = torch.tensor([[tokenizer.bos_id, *written]])
        with torch.inference_mode():
            states = model.decode(tgt, model.encode(src), None)[0]
        for state, word in zip(states, tokenizer.pieces(written)):
            if word in found:
                found[word].append(state[[5, 3]])
    return {noun: torch.stack(states) for noun, states in found.items()}


def rows() -> tuple[dict[str, list[float]], dict[str, float]]:
    """Return each noun's N and S in the output layer, and its bias."""
    model, tokenizer = load_hand_made()
    ids = [tokenizer.encode(noun)[0] for noun in NOUNS]
    weight = model.output_layer.weight.detach()[ids][:, [5, 3]].tolist()
    bias = model.output_layer.bias.detach()[ids].tolist()
    return dict(zip(NOUNS, weight)), dict(zip(NOUNS, bias))


def borders() -> tuple[float, float]:
    """Return where 貓 and 你, and where 狗 and 你, have one logit: N cancels out."""
    row, bias = rows()
    return -bias["貓"] / row["貓"][1], -bias["狗"] / row["狗"][1]


def draw(t: Translate) -> Figure:
    """Draw states, rows and borders."""
    fig = Figure(figsize=(4.8, 3.6), layout="constrained")
    ax = fig.subplots()
    row, _ = rows()
    looks = {"貓": (ACCENT, "o"), "你": (MUTED, "s"), "狗": (SECOND, "^")}
    for noun, states in before_nouns().items():
        colour, marker = looks[noun]
        ax.scatter(states[:, 0], states[:, 1], s=14, color=colour, marker=marker)
        n, s = (number / 4 for number in row[noun])
        arrow = {"arrowstyle": "->", "color": colour, "lw": 1.8}
        ax.annotate("", (n, s), (0, 0), arrowprops=arrow)
        ax.text(n + 0.05, s + 0.25, noun, va="center", size=12, color=colour)
    for border in borders():
        ax.axhline(border, color=INK, linestyle="--", linewidth=0.8)
    ax.axhline(0, color=MUTED, linewidth=0.5)
    ax.axvline(0, color=MUTED, linewidth=0.5)
    ax.set(xlim=(-0.1, 2.9), ylim=(-2.2, 2.4), xlabel=t("N of the state"))
    ax.set_ylabel(t("S of the state"))
    ax.set_title(
        t("Each noun's row is a direction;\nthe biases leave room for 你 between"), fontsize=11
    )
    return fig


def claims() -> dict[str, bool]:
    """Say of the groups and the lines whether they are so."""
    states = before_nouns()
    upper, lower = borders()
    row, _ = rows()
    return {
        "180 states": sum(len(group) for group in states.values()) == 180,
        "貓 above": bool((states["貓"][:, 1] > upper).all()),
        "狗 below": bool((states["狗"][:, 1] < lower).all()),
        "你 between": bool(((states["你"][:, 1] < upper) & (states["你"][:, 1] > lower)).all()),
        "lines at 0.71 and −0.86": (round(upper, 2), round(lower, 2)) == (0.71, -0.86),
        "up, down, straight": row["貓"][1] > 0 > row["狗"][1] and row["你"][1] == 0,
        "the same N in all three": len({n for n, _ in row.values()}) == 1,
    }
