"""How wide the results of a forward pass are, call after call, from the recorded run."""

from ast import literal_eval
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import nan

from matplotlib.figure import Figure

from docs.figures._architecture import find, record
from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import CallTree

Translate = Callable[[str], str]

ALT = (
    "The width of every result in a forward pass of the base model, call after call, on a "
    "logarithmic axis. Most results are 512 wide. In the 18 attentions, six in the encoder and "
    "twelve in the decoder, it falls to 64, that of a head, and comes back. In the feed-forward "
    "networks it rises to 2,048, six times in each half. At the very end it is 37,000."
)
COLOURS = {64: SECOND, 512: MUTED, 2048: ACCENT, 37000: INK}


def draw(t: Translate) -> Figure:
    """Draw a dash for each result, and a line through them."""
    found = widths()
    fig = Figure(figsize=(4.8, 2.9), layout="constrained")
    ax = fig.subplots()
    ax.plot(found, color=MUTED, linewidth=0.5)
    for width, colour in COLOURS.items():
        at = [i for i, other in enumerate(found) if other == width]
        ends = [x for i in at for x in (i - 0.5, i + 0.5, nan)]  # one path, and a light one
        ax.plot(ends, [width] * len(ends), color=colour, linewidth=4, solid_capstyle="butt")
    ax.set_yscale("log", base=2)
    ax.set_yticks([*COLOURS], ["64", "512", "2,048", "37,000"])
    ax.minorticks_off()
    ax.set_ylim(30, 110_000)
    border = len([*results(find(record(), "Transformer.encode"))]) - 0.5
    ax.axvline(border, color=MUTED, linewidth=0.8, linestyle=(0, (2, 2)))
    for x, name in ((border / 2, t("encode")), ((border + len(found)) / 2, t("decode"))):
        ax.text(x, 60_000, name, ha="center", va="center")
    ax.set_xlabel(t("innermost calls, in their order"))
    ax.set_ylabel(t("width of the result"))
    title = t(
        "Between sub-layers states are 512 wide;\ninside them, and at the very end, they are not"
    )
    fig.suptitle(title, fontsize=11)
    return fig


def widths() -> list[int]:
    """Return the last number of every result's shape, in the order of the calls."""
    return [literal_eval(result)[-1] for result in results(record())]


def results(tree: CallTree) -> Iterator[str]:
    """Yield what each innermost call returned, as often as it ran; masks are left out."""
    for _ in range(tree.count):
        if not tree.children and "mask" not in tree.label:
            yield tree.result
        for child in tree.children:
            yield from results(child)


def claims() -> dict[str, bool]:
    """Say which sentences of the title and of `ALT` are so."""
    found = widths()
    encoder = [literal_eval(r)[-1] for r in results(find(record(), "Transformer.encode"))]
    decoder = [literal_eval(r)[-1] for r in results(find(record(), "Transformer.decode"))]

    def falls(row: list[int]) -> int:
        """Count the attentions: in each, three falls end at a map or at `concatenate_heads`."""
        return sum(a == 64 and b == 512 for a, b in pairwise(row)) // 3

    return {
        "widths are 64, 512, 2048 and 37000": {*found} == {*COLOURS},
        "most are 512": found.count(512) > len(found) / 2,
        "to 64 and back in 6 and 12 attentions": (falls(encoder), falls(decoder)) == (6, 12),
        "2048 six times in each": (encoder.count(2048), decoder.count(2048)) == (6, 6),
        "37000 at the very end": found.index(37000) == len(found) - 1,
    }
