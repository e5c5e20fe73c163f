"""How three kinds of numbers share out their bits, and what comes of it."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from docs.figures._style import ACCENT, INK, MUTED, PAPER, SECOND

Translate = Callable[[str], str]

ALT = (
    "Three bars, a box for each bit. float32: one for the sign, 8 for the exponent, 23 for the "
    "fraction; its largest number is 3.4e+38, and after 1 comes 1.0000001. bfloat16: 1, 8 and 7; "
    "the same largest number, and after 1 comes 1.0078. float16: 1, 5 and 10; its largest number "
    "is 65504, and after 1 comes 1.00098."
)
KINDS = (torch.float32, torch.bfloat16, torch.float16)
ROW = 3.6  # from one bar to the next


def draw(t: Translate) -> Figure:
    """Draw a bar for each kind of number, and under it what it can say."""
    fig = Figure(figsize=(4.8, 3.4), layout="constrained")
    axes = fig.subplots()
    axes.set(xlim=(-0.2, 32.2), ylim=(3 * ROW - 0.5, -1.2))
    axes.axis("off")
    parts = {MUTED: t("sign"), ACCENT: t("exponent"), SECOND: t("fraction")}
    for row, kind in enumerate(KINDS):
        left, top = 0, row * ROW
        axes.text(0, top - 0.3, str(kind).removeprefix("torch."), color=INK, size=10)
        for size, (colour, name) in zip(bits(kind), parts.items(), strict=True):
            for bit in range(left, left + size):
                box = Rectangle((bit, top), 1, 1, facecolor=colour, edgecolor=PAPER, linewidth=1)
                box.set_label(name)
                axes.add_patch(box)
            left += size
        largest, after_one = reach(kind)
        says = t("largest {largest}, after 1 comes {after_one}")
        text = says.format(largest=largest, after_one=after_one)
        axes.text(0, top + 1.9, text, color=INK, size=9)
    handles = [next(p for p in axes.patches if p.get_label() == name) for name in parts.values()]
    fig.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)
    fig.suptitle(t("bfloat16 reaches as far as float32,\nwith fewer digits"), size=11)
    return fig


def bits(kind: torch.dtype) -> tuple[int, int, int]:
    """How many bits a kind of number has for sign, exponent and fraction."""
    fraction = round(-torch.tensor(torch.finfo(kind).eps).log2().item())
    return 1, torch.finfo(kind).bits - 1 - fraction, fraction


def reach(kind: torch.dtype) -> tuple[str, str]:
    """Its largest number, and the first one after 1."""
    largest, after_one = torch.finfo(kind).max, 1 + torch.finfo(kind).eps
    digits = {7: 4, 10: 5, 23: 7}[bits(kind)[2]]
    return f"{largest:.0f}" if largest < 1e6 else f"{largest:.1e}", f"{after_one:.{digits}f}"


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    return {
        "1, 8 and 23; 1, 8 and 7; 1, 5 and 10": [bits(kind) for kind in KINDS]
        == [(1, 8, 23), (1, 8, 7), (1, 5, 10)],
        "how far they reach": [reach(kind) for kind in KINDS]
        == [("3.4e+38", "1.0000001"), ("3.4e+38", "1.0078"), ("65504", "1.00098")],
    }
