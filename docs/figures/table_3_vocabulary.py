"""Which vocabulary sizes give the parameter counts that Table 3 of the paper prints."""

from collections.abc import Callable

from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, MUTED, SECOND
from docs.figures._table_3 import TABLE_3, VOCABULARY, counts

Translate = Callable[[str], str]

ALT = (
    "A horizontal bar for each printed count of Table 3: the vocabulary sizes that round to it. "
    "The bars of ten rows share the sizes around 41,000; the bar of the big model ends at "
    "36,272. None of the eleven contains 37,000."
)


def draw(t: Translate) -> Figure:
    """Draw one bar a row, and the 37,000 of the text as a line."""
    rows = [(row, changes, printed) for row, changes, printed in TABLE_3 if printed is not None]
    fig = Figure(figsize=(4.8, 3.8), layout="constrained")
    ax = fig.subplots()
    names = []
    short = {"num_encoder_layers": "N"}
    for y, (row, changes, printed) in enumerate(rows):
        low, high = vocabularies(printed, **changes)
        ax.barh(y, (high - low) / 1000, 0.6, low / 1000, color=ACCENT if row == "big" else SECOND)
        name, value = next(iter(changes.items()), (row, ""))
        names.append(row if row in ("base", "big") else f"{short.get(name, name)}={value}")
    ax.axvline(VOCABULARY / 1000, color=INK, linewidth=1, linestyle="--")
    ax.text(VOCABULARY / 1000 + 0.15, 0.5, t("the paper's\n“about 37000”"), va="center")
    ax.axvline(41, color=SECOND, linewidth=1, zorder=0)
    ax.text(41.15, len(names) - 1, t("41,000 fits ten"), va="center")
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()
    ax.set_xlim(35, 44)
    ax.set_xlabel(t("vocabulary that gives the printed count (thousands)"))
    ax.grid(axis="x", color=MUTED, linewidth=0.4, alpha=0.5)
    ax.set_axisbelow(True)
    fig.suptitle(t("Ten rows fit one vocabulary; big does not"), fontsize=11)
    return fig


def vocabularies(printed: int, **changes: object) -> tuple[float, float]:
    """Return the smallest and the largest size that round to `printed` millions."""
    parts = counts(**changes)
    d_model = parts["src_embedding"] // VOCABULARY
    layers = sum(parts.values()) - parts["src_embedding"]
    return ((printed - 0.5) * 1e6 - layers) / d_model, ((printed + 0.5) * 1e6 - layers) / d_model


def claims() -> dict[str, bool]:
    """Say of the title and the description whether they are so."""
    printed = [(row, number, changes) for row, changes, number in TABLE_3 if number is not None]
    *bars, (low, high) = (vocabularies(number, **changes) for _, number, changes in printed)
    return {
        "eleven rows have a printed count, big the last": (len(bars), printed[-1][0])
        == (10, "big"),
        "all but big share the sizes around 41,000": all(a < 41_000 < b for a, b in bars),
        "big ends at 36,272": int(high) == 36_272,
        "none contains 37,000": not any(a < 37_000 < b for a, b in [*bars, (low, high)]),
    }
