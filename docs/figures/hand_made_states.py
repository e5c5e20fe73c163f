"""The states of the hand-made model after each step, as signed squares."""

from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from torch import Tensor

from docs.figures._hand_made import numbers, words
from docs.figures._style import ACCENT, INK, MUTED, SECOND

Translate = Callable[[str], str]

ALT = (
    "Seven small grids of squares, a row for each word, a column for each of the eight numbers "
    "sin, cos, V, S, T, N, P, O; a filled square is positive, a hollow one negative, and the "
    "larger the square, the larger the number. Frames follow O of dogs and P of 贏. Encoder, left: "
    "the words with their positions; after attention dogs has a large O, since a verb comes before "
    "it; after the neuron beat has a large P. Decoder, right: the words with positions, after "
    "masked attention, after cross-attention, and after the neuron, where the row that read 贏 has "
    "a large P and next to no N: what is written next is 了, no noun."
)
DIMS = ("sin", "cos", "V", "S", "T", "N", "P", "O")


def draw(t: Translate) -> Figure:
    """Draw the encoder's three grids on the left, the decoder's four on the right."""
    table = numbers()
    source, reads, _ = words()
    fig = Figure(figsize=(4.8, 6.6), layout="constrained")
    grids = fig.subplots(4, 2, gridspec_kw={"hspace": 0.03})
    encoder = (
        (t("word and position"), "src.x"),
        (t("after attention"), "enc.norm"),
        (t("after the neuron: the memory"), "src.ffn.norm"),
    )
    decoder = (
        (t("word and position"), "tgt.x"),
        (t("after masked attention"), "self.norm"),
        (t("after cross-attention"), "cross.norm"),
        (t("after the neuron"), "tgt.ffn.norm"),
    )
    halves = (
        (t("encoder"), encoder, source, ("dogs", "O")),
        (t("decoder"), decoder, reads, ("贏", "P")),
    )
    for column, (half, steps, names, (word, number)) in zip(grids.T, halves):
        above = {"xytext": (0, 24), "textcoords": "offset points", "ha": "center"}
        column[0].annotate(half, (0.5, 1), xycoords="axes fraction", weight="bold", **above)
        corner = (DIMS.index(number) - 0.5, names.index(word) - 0.5)
        for axes, (title, name) in zip(column, steps):
            squares(axes, table[name], names, title)
            axes.add_patch(Rectangle(corner, 1, 1, facecolor="none", edgecolor=INK, linewidth=1.2))
    rest = grids[3, 0]
    rest.axis("off")
    handles = [
        Patch(facecolor=ACCENT, label=t("more than 0")),
        Patch(facecolor="none", edgecolor=SECOND, linewidth=1.4, label=t("less than 0")),
    ]
    rest.legend(handles=handles, loc="upper left", frameon=False, fontsize=9)
    fig.suptitle(t("Each step writes into numbers\nthat have names"), size=11)
    return fig


def squares(axes: Axes, states: Tensor, names: list[str], title: str) -> None:
    """Draw one grid: areas are as the numbers, against the largest of the grid."""
    largest = states.abs().max().item()
    for row, line in enumerate(states.tolist()):
        for column, number in enumerate(line):
            side = 0.94 * (abs(number) / largest) ** 0.5
            corner = (column - side / 2, row - side / 2)
            look = (
                {"facecolor": ACCENT}
                if number > 0
                else {"facecolor": "none", "edgecolor": SECOND, "linewidth": 1.2}
            )
            if side > 0.12:
                axes.add_patch(Rectangle(corner, side, side, **look))
    axes.set(xlim=(-0.6, 7.6), ylim=(len(names) - 0.4, -0.6), aspect="equal")
    axes.set_xticks(range(8), DIMS, size=9)
    for long in axes.get_xticklabels()[:2]:
        long.set_rotation(90)
    axes.set_yticks(range(len(names)), names, size=9)
    axes.tick_params(length=0, pad=2)
    axes.spines[:].set(visible=True, color=MUTED, linewidth=0.6)
    axes.set_title(title, size=9)


def claims() -> dict[str, bool]:
    """Check what the text says."""
    table = numbers()
    source, reads, writes = words()
    o, p, n = DIMS.index("O"), DIMS.index("P"), DIMS.index("N")
    dogs, beat, won = source.index("dogs"), source.index("beat"), reads.index("贏")
    last = table["tgt.ffn.norm"][won]
    return {
        "dogs has the largest O": table["enc.norm"][:, o].argmax().item() == dogs,
        "beat has the largest P": table["src.ffn.norm"][:, p].argmax().item() == beat,
        "the row that read 贏 has a large P": last[p].item() > 2 and abs(last[n].item()) < 0.1,
        "了 is written there": writes[won] == "了",
    }
