"""How many arbitrary facts a feed-forward network learns by heart, against its width."""

import json
from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._feed_forward_facts import RESULT
from docs.figures._style import ACCENT, INK, SECOND

Translate = Callable[[str], str]

ALT = (
    "Dots for three seeds: how many of 2,000 arbitrary facts a network knows after training. With "
    "ReLU the curve climbs from about 220 at d_ff = 8 over 690 at d_ff = d_model = 32 to all 2,000 "
    "at 128. Without ReLU it stays below 260 at every width."
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

    def mean(counts: list[int]) -> float:
        return sum(counts) / len(counts)

    return {
        "220 at 8, 690 at 32": (round(mean(relu["8"]), -1), round(mean(relu["32"]), -1))
        == (220, 690),
        "673 to 717 at 32": (min(relu["32"]), max(relu["32"])) == (673, 717),
        "all at 128": set(relu["128"]) == {2000},
        "without ReLU below 260": max(max(counts) for counts in linear.values()) < 260,
        "without ReLU 228 to 256 at 32 and at 128": all(
            (min(linear[width]), max(linear[width])) == (228, 256) for width in ("32", "128")
        ),
    }
