"""The architecture in small, with the parts that a chapter is about lit up: the figures `map_*`."""

from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from docs.figures._architecture import line, rounded
from docs.figures._style import ACCENT, INK, MUTED, PAPER

Translate = Callable[[str], str]

SIZE = 4.6, 2.9  # inches
WIDTH, HEIGHT, THIN = 1.7, 0.25, 0.1  # of a box, and how high a sum with its normalization is
GAP = 0.12
LEFT, RIGHT = 1.12, 3.48  # middle of encoder and decoder
BOXES = {
    *("src_embedding", "src_position", "encoder_self_attention", "encoder_feed_forward"),
    *("tgt_embedding", "tgt_position", "masked_self_attention", "cross_attention"),
    *("decoder_feed_forward", "encoder_norms", "decoder_norms", "cross_attention_norm"),
    *("output_layer", "memory"),
}


def draw_map(
    t: Translate, lit: set[str], title: str, numbers: dict[str, int] | None = None
) -> Figure:
    """Draw encoder and decoder, the boxes of `lit` in colour, all others in grey.

    A box in `numbers` has its number at its right end.
    """
    if unknown := lit - BOXES:
        raise LookupError(f"boxes are {', '.join(sorted(BOXES))}: got {', '.join(sorted(unknown))}")
    fig = Figure(figsize=SIZE)
    axes = fig.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, SIZE[0]), ylim=(0, SIZE[1]))
    axes.set_axis_off()
    axes.text(SIZE[0] / 2, SIZE[1] - 0.15, title, ha="center", va="center", weight="bold")
    encoder = [
        ("src_embedding", t("Embedding")),
        ("src_position", t("Add positions")),
        ("encoder_self_attention", t("Self-attention")),
        ("encoder_norms", ""),
        ("encoder_feed_forward", t("Feed-forward")),
        ("encoder_norms", ""),
    ]
    decoder = [
        ("tgt_embedding", t("Embedding")),
        ("tgt_position", t("Add positions")),
        ("masked_self_attention", t("Masked self-attention")),
        ("decoder_norms", ""),
        ("cross_attention", t("Cross-attention")),
        ("cross_attention_norm", ""),
        ("decoder_feed_forward", t("Feed-forward")),
        ("decoder_norms", ""),
        ("output_layer", t("Output layer")),
    ]
    left = column(axes, LEFT, encoder, lit, named=bool(numbers))
    right = column(axes, RIGHT, decoder, lit, named=bool(numbers))
    top, bridge = left["encoder_norms"] + THIN, right["cross_attention"] + HEIGHT / 2
    bright = bool(lit & {"memory", "cross_attention"})
    middle = (LEFT + RIGHT) / 2
    path = [(LEFT, top), (LEFT, top + 0.15), (middle, top + 0.15), (middle, bridge)]
    line(axes, [*path, (RIGHT - WIDTH / 2, bridge)], ACCENT if bright else MUTED, 1 + bright)
    for name, number in (numbers or {}).items():
        x, heights = (LEFT, left) if name in left else (RIGHT, right)
        disc(axes, x + WIDTH / 2 + 0.07, heights[name] + HEIGHT / 2, number)
    return fig


def disc(axes: Axes, x: float, y: float, number: int) -> None:
    """Draw a number in a circle."""
    axes.add_patch(
        Circle((x, y), 0.115, facecolor=PAPER, edgecolor=ACCENT, zorder=5, clip_on=False)
    )
    axes.text(x, y, str(number), ha="center", va="center_baseline", size=9, zorder=6, weight="bold")


def column(
    axes: Axes, x: float, boxes: list[tuple[str, str]], lit: set[str], *, named: bool
) -> dict[str, float]:
    """Draw the boxes upwards; return how high each begins, the last one of a name.

    With `named`, a script of the page finds each box by its name; the sum and normalization behind
    a sub-layer have the sub-layer's name and `_norm`.
    """
    y, heights, below = 0.1, {}, ""
    for name, words in boxes:
        height = HEIGHT if words else THIN
        if y > 0.1:  # a sum belongs to its sub-layer, and sits close to it
            gap = GAP if words else 0.03
            if words:
                line(axes, [(x, y), (x, y + gap)], MUTED, 1)
            y += gap
        heights[name] = y
        colour = ACCENT if name in lit else MUTED
        patch = rounded((x - WIDTH / 2, y), WIDTH, height, colour, colour, 1, zorder=3)
        patch.set_boxstyle("round", pad=0, rounding_size=0.05)
        patch.set(alpha=None, facecolor=(colour, 0.35 if name in lit else 0.08), clip_on=False)
        if named:
            below = name if words else f"{below}_norm"
            patch.set_gid(f"part-{below}")
        axes.add_patch(patch)
        axes.text(x, y + height / 2, words, ha="center", va="center", color=INK, zorder=4)
        y += height
    return heights
