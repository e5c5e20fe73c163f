"""How many sentences the last checkpoint of a run translates rightly, and the mean of the last."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._positions import KINDS
from docs.figures._style import ACCENT, MUTED, SECOND
from docs.figures.evaluation_longer import runs

Translate = Callable[[str], str]

ALT = (
    "Six rows, one for each run: a square for the last checkpoint, a dot for the mean of the last "
    "<!-- value: shipped.averaged -->, and a line from one to the other. Of <!-- value: "
    "positions.validation_sentences --> sentences the squares have <!-- value: positions.last --> "
    "and differ widely; the dots have <!-- value: positions.mean -->, in each row to the right of "
    "the square."
)


def draw(t: Translate) -> Figure:
    """Draw a row for each run, with two marks."""
    fig = Figure(figsize=(4.8, 3.2), layout="constrained")
    axes = fig.subplots()
    names = {
        "sinusoidal": t("sines, run {number}"),
        "learned": t("learned positions, run {number}"),
    }
    rows = [names[kind].format(number=i) for kind in KINDS for i, _ in enumerate(runs()[kind], 1)]
    for row, (last, mean) in enumerate(counts()):
        axes.plot([last, mean], [row, row], color=MUTED, linewidth=1.5, zorder=1)
        axes.plot(last, row, "s", color=SECOND, label=t("last checkpoint"))
        axes.plot(mean, row, "o", color=ACCENT, label=t("mean of the last ten"))
    axes.set_yticks(range(len(rows)), rows)
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    axes.set(xlim=(880, 985), xlabel=t("right, of 1,000"))
    axes.spines[["top", "right", "left"]].set_visible(False)
    handles, labels = axes.get_legend_handles_labels()
    fig.legend(handles[:2], labels[:2], loc="outside lower center", ncols=2, frameon=False)
    fig.suptitle(t("In every run the mean is better,\nand the runs differ less"), size=11)
    return fig


def counts() -> list[tuple[int, int]]:
    """How many validation sentences are right, with the last checkpoint and with the mean."""
    return [
        (run["last"], sum(right for _, right in run["validation"].values()))
        for kind in KINDS
        for run in runs()[kind]
    ]


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    last, means = zip(*counts(), strict=True)
    return {
        "better in every run": all(mean > one for one, mean in counts()),
        "closer together": max(means) - min(means) < max(last) - min(last),
    }
