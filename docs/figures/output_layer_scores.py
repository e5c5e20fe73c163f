"""A state of the hand-made model beside the logits that its output layer makes of it."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, MUTED
from transformer import load_hand_made

Translate = Callable[[str], str]

ALT = (
    "On the left a state of the hand-made model, eight bars from −0.91 to 1.92; N is the longest, "
    "S the second. On the right the logits of the nine words that can follow, bars from −7.6 to "
    "11.9, with probabilities beside them: 貓 98.6%, 你 1.4%, every other word less than 0.1%."
)
SOURCE = "cats beat dogs yesterday"
NAMES = ["sin", "cos", "V", "S", "T", "N", "P", "O"]


def first_step() -> tuple[list[float], list[str], list[float], list[float]]:
    """Return the state behind `<bos>`, then words, their logits and their probabilities."""
    model, tokenizer = load_hand_made()
    src = torch.tensor([tokenizer.encode_source(SOURCE)])
    with torch.inference_mode():
        states = model.decode(torch.tensor([[tokenizer.bos_id]]), model.encode(src), None)
        logits = model.project(states)[0, 0]
    words = tokenizer.pieces(list(range(2, len(logits))))
    state: list[float] = states[0, 0].tolist()
    probs: list[float] = logits.softmax(dim=-1)[2:].tolist()
    return state, words, logits[2:].tolist(), probs


def draw(t: Translate) -> Figure:
    """Draw the state on the left, logits and probabilities on the right."""
    state, words, logits, probs = first_step()
    fig = Figure(figsize=(4.8, 3.4), layout="constrained")
    left, right = fig.subplots(1, 2, width_ratios=(1, 1.7))
    bars = left.barh(range(len(state)), state, 0.6, color=MUTED)
    left.bar_label(bars, [f"{value:.2f}".replace("-", "−") for value in state], padding=2, size=9)
    left.set_yticks(range(len(state)), NAMES)
    left.set(xlim=(-3.2, 3.9), xticks=[-2, 0, 2])
    left.set_title(t("the state"), fontsize=10)
    best = logits.index(max(logits))
    colours = [ACCENT if row == best else MUTED for row in range(len(words))]
    bars = right.barh(range(len(words)), logits, 0.6, color=colours)
    right.bar_label(bars, [f"{value:.1f}".replace("-", "−") for value in logits], padding=2, size=9)
    right.set_yticks(range(len(words)), words)
    for row, prob in enumerate(probs):
        share = f"{prob:.1%}" if prob >= 0.001 else "<0.1%"
        right.text(30, row, share, ha="right", va="center")
    right.set(xlim=(-15, 30), xticks=[-10, 0, 10])
    right.set_title(t("logits"), fontsize=10, x=0.34)
    right.set_title(t("probabilities"), fontsize=10, loc="right")
    for ax in (left, right):
        ax.invert_yaxis()
        ax.axvline(0, color=INK, linewidth=0.8)
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
    fig.suptitle(t("Eight numbers become one number for each word"), fontsize=11)
    return fig


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    state, words, logits, probs = first_step()
    ranked = sorted(range(8), key=lambda i: -abs(state[i]))
    by_word = dict(zip(words, probs))
    others = [prob for word, prob in by_word.items() if word not in ("貓", "你")]
    return {
        "eight bars from −0.91 to 1.92": (round(min(state), 2), round(max(state), 2))
        == (-0.91, 1.92),
        "N is the longest, S the second": [NAMES[i] for i in ranked[:2]] == ["N", "S"],
        "nine words": len(words) == 9,
        "from −7.6 to 11.9": (round(min(logits), 1), round(max(logits), 1)) == (-7.6, 11.9),
        "貓 98.6%, 你 1.4%": f"{by_word['貓']:.1%} {by_word['你']:.1%}" == "98.6% 1.4%",
        "every other word less than 0.1%": max(others) < 0.001,
    }
