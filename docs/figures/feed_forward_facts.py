"""How many arbitrary facts a feed-forward network learns by heart, against its width."""

import json
from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._feed_forward_facts import RESULT
from docs.figures._style import ACCENT, INK, SECOND

Translate = Callable[[str], str]

ALT = (
    "Dots for three seeds: how many of <!-- value: remembered.facts --> arbitrary facts a network "
    "knows after training. With ReLU it knows <!-- value: remembered.8 --> at d_ff = 8, <!-- "
    "value: remembered.32 --> at d_ff = d_model = 32, and <!-- value: remembered.128 --> at 128. "
    "Without ReLU it never knows more than <!-- value: remembered.linear_highest -->."
)


def draw(t: Translate) -> Figure:
    """Draw a dot for each seed, and a line through their means."""
    measured = json.loads(RESULT.read_text("utf-8"))
    fig = Figure(figsize=(4.8, 3.1), layout="constrained")
    ax = fig.subplots()
    kinds = ("relu", ACCENT, "o-", t("with ReLU")), ("no_relu", SECOND, "s--", t("without ReLU"))
    for kind, colour, style, label in kinds:
        widths = [int(width) for width in measured[kind]]
        means = [sum(counts) / len(counts) for counts in measured[kind].values()]
        ax.plot(widths, means, style[1:], color=colour, linewidth=1.5)
        for width, counts in zip(widths, measured[kind].values(), strict=True):
            ax.plot([width] * len(counts), counts, style[0], color=colour, label=label)
    ax.axvline(32, color=INK, linewidth=0.8, linestyle=":")
    ax.text(31, 1900, t("d_ff = d_model"), ha="right", va="center")
    ax.set_xscale("log", base=2)
    ax.set_xticks([8, 16, 32, 64, 128], ["8", "16", "32", "64", "128"])
    ax.minorticks_off()
    ax.set_ylim(0, 2080)
    ax.set_xlabel("d_ff")
    ax.set_ylabel(t("facts known, of 2,000"))
    handles, labels = ax.get_legend_handles_labels()
    both = dict(zip(labels, handles))
    ax.legend(both.values(), both.keys(), loc="center right", frameon=False)
    fig.suptitle(t("The wider, the more it remembers,\nif there is a ReLU"), fontsize=11)
    return fig


def claims() -> dict[str, bool]:
    """Say of the numbers in the description, and of those on the page, whether they are so."""
    measured = json.loads(RESULT.read_text("utf-8"))
    relu, linear = measured["relu"], measured["no_relu"]

    return {
        "all at 128": set(relu["128"]) == {measured["facts"]},
        "without ReLU no more when it is wider": max(linear["128"]) <= 1.05 * max(linear["32"]),
    }
