"""The whole model, with the shape at every arrow as `trace` recorded it on a real run."""

from collections.abc import Callable
from functools import cache

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from docs.figures._style import ACCENT, INK, MUTED, PAPER, SECOND
from transformer import CallTree, Transformer, TransformerConfig, trace

Translate = Callable[[str], str]

GAP = 0.245  # inches between two boxes: room for an arrow and its shape
WIDTH = 1.5  # of a box
SIZE = 4.1, 6.75


def draw_machine(t: Translate, *, journey: bool = False) -> Figure:
    """Draw the whole model; with `journey` the way of one row of it, and the six steps."""
    tree = record()
    fig = Figure(figsize=SIZE)
    axes = fig.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, SIZE[0]), ylim=(0, SIZE[1]))
    axes.set_axis_off()
    axes.text(0.08, 6.53, t("The encoder reads,"), size=13, weight="bold", color=SECOND)
    axes.text(0.08, 6.29, t("the decoder writes"), size=13, weight="bold", color=ACCENT)

    encode, decode = find(tree, "Transformer.encode"), find(tree, "Transformer.decode")
    left = Column(axes, 1.0, SECOND, outside=-1, journey=journey)
    _, top = left.draw(t, encode, t("source ids"), t("Encoder"))
    right = Column(axes, 3.1, ACCENT, outside=1, journey=journey)
    bridge, end = right.draw(t, decode, t("target ids"), t("Decoder"))

    project = find(tree, "Transformer.project")
    end = right.step(6, right.box(right.arrow(end, project.arguments["states"]), t("Output layer")))
    axes.text(right.x + 0.09, end + GAP * 0.45, t("logits"), va="center", size=9, weight="bold")
    end = right.box(right.arrow(end, project.result), t("Softmax"), colour=MUTED)
    end = right.arrow(end, project.result)  # softmax keeps the shape
    axes.text(right.x, end + 0.09, t("probabilities"), ha="center", va="center", weight="bold")

    over, middle, edge = top + GAP, SIZE[0] / 2, right.x - WIDTH / 2
    path = [(left.x, top), (left.x, over), (middle, over), (middle, bridge), (edge, bridge)]
    line(axes, path, SECOND, 2.5)
    axes.text(left.x, over + 0.22, t("memory"), ha="center", weight="bold")
    axes.text(left.x, over + 0.07, encode.result, ha="center", size=9)
    left.step(4, over + 0.3, x=left.x - 0.48)
    legend(t, axes, over + 0.6)
    return fig


def draw_half(t: Translate, *, decoder: bool) -> Figure:
    """Draw the encoder or the decoder alone, with the memory that goes out or comes in."""
    half = find(record(), "Transformer.decode" if decoder else "Transformer.encode")
    name = t("Decoder") if decoder else t("Encoder")
    fig = Figure(figsize=(3.4, 5.75 if decoder else 4.75))
    axes = fig.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 3.4), ylim=(0, fig.get_figheight()))
    axes.set_axis_off()
    colour, outside = (ACCENT, 1) if decoder else (SECOND, -1)
    column = Column(axes, 1.9 if decoder else 1.3, colour, outside)
    bridge, top = column.draw(t, half, t("target ids") if decoder else t("source ids"), name)
    end = column.arrow(top, half.result)
    if decoder:
        line(axes, [(0.1, bridge), (column.x - WIDTH / 2, bridge)], SECOND, 2.5)
        axes.text(0.1, bridge + 0.08, t("memory"), weight="bold", color=SECOND)
    above = t("states, for the output layer") if decoder else t("memory")
    axes.text(column.x, end + 0.1, above, ha="center", va="center", weight="bold")
    title = (
        t("In a decoder layer, three sub-layers\nadd to the states")
        if decoder
        else t("In an encoder layer, two sub-layers\nadd to the states")
    )
    axes.text(1.7, end + 0.5, title, ha="center", va="center", size=11)
    return fig


@cache
def record() -> CallTree:
    """Run the base model on two pairs of five source and four target tokens, one filled up."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = Transformer(TransformerConfig.base(vocab_size=37000)).eval()
        src, tgt = torch.randint(3, 37000, (2, 5)), torch.randint(3, 37000, (2, 4))
        src[1, -1] = tgt[1, -1] = 0
    with torch.no_grad():
        return trace(model, src, tgt)


def find(tree: CallTree, name: str) -> CallTree:
    """Return the first call below `tree` whose label has `name` in it."""
    for child in tree.children:
        if name in child.label:
            return child
        try:
            return find(child, name)
        except LookupError:
            pass
    raise LookupError(f"no call of {name} below {tree.label}")


class Column:
    """One half of the model, drawn upwards; each method takes a height and returns the next."""

    def __init__(
        self, axes: Axes, x: float, colour: str, outside: int, *, journey: bool = False
    ) -> None:
        self.axes, self.x, self.colour, self.outside = axes, x, colour, outside
        self.journey = journey
        self.on_the_way = journey and outside < 0  # the source's row is in the encoder first

    def draw(self, t: Translate, half: CallTree, ids: str, name: str) -> tuple[float, float]:
        """Draw from the ids to the last layer; return the bridge's height and the top."""
        layer = find(half, "Layer(layers")
        embedding = find(half, "embedding")
        self.axes.text(self.x, 0.14, ids, ha="center", va="center", weight="bold")
        if self.on_the_way:
            self.step(1, 0.27, x=self.x - 0.55)
        y = self.box(self.arrow(0.23, embedding.arguments["ids"]), t("Embedding"))
        if self.on_the_way:
            self.step(2, y)
        y = self.box(self.arrow(y, embedding.result), t("Add positions"))
        bottom, bridge = y + 0.09, 0.0
        attention = find(layer, "self_attention)")
        masked = t("Masked self-attention") if "memory" in layer.arguments else t("Self-attention")
        note = t("mask {}").format(attention.arguments["mask"].strip())
        y = self.sublayer(t, y, attention, masked, note, step=3 if self.on_the_way else 0)
        if "memory" in layer.arguments:
            attention = find(layer, "cross_attention)")
            note = t("mask {}").format(attention.arguments["mask"].strip())
            bridge = y + GAP + 0.21
            y = self.sublayer(t, y, attention, t("Cross-attention"), note, step=5)
        feed_forward = find(layer, "feed_forward")
        inside = t("inside {}").format(find(feed_forward, "expand").result)
        y = self.sublayer(t, y, feed_forward, t("Feed-forward"), inside)
        self.frame(bottom, y + GAP, f"{name} ×{layer.count}")
        return bridge, y

    def sublayer(
        self, t: Translate, y: float, call: CallTree, name: str, note: str, step: int = 0
    ) -> float:
        """A sub-layer, the sum with its input, and the normalization of the sum."""
        shape = next(iter(call.arguments.values()))
        start = self.arrow(y, shape)
        y = self.box(start, name, note)
        if step:
            self.step(step, y - 0.08)
            self.on_the_way = self.journey
        y = self.box(self.arrow(y, call.result), t("Add, normalize"), colour=MUTED)
        side = self.x + self.outside * (WIDTH / 2 + 0.13)
        edge = self.x + self.outside * WIDTH / 2
        fork, join = start - GAP * 0.62, y - 0.13
        shortcut = [(self.x, fork), (side, fork), (side, join), (edge, join)]
        line(self.axes, shortcut, MUTED, 1.2)
        return y

    def box(self, y: float, name: str, note: str = "", colour: str = "") -> float:
        """A rounded box with its name, and below that a note."""
        height = 0.42 if note else 0.26
        colour = colour or self.colour
        corner = self.x - WIDTH / 2, y
        for fill, edge, alpha in ((PAPER, "none", 1), (colour, "none", 0.22), ("none", colour, 1)):
            self.axes.add_patch(rounded(corner, WIDTH, height, fill, edge, alpha, zorder=3))
        middle = y + height / 2
        lift = 0.085 if note else 0
        size = 9.5 if len(name) > 15 else 10  # fits into the box
        self.axes.text(self.x, middle + lift, name, ha="center", va="center", size=size, zorder=4)
        self.axes.text(self.x, middle - 0.1, note, ha="center", va="center", size=9, zorder=4)
        return y + height

    def arrow(self, y: float, shape: str) -> float:
        """An arrow upwards, with the shape of what it carries on the inner side."""
        colour, width = (SECOND, 2.5) if self.on_the_way else (INK, 1.4)
        line(self.axes, [(self.x, y), (self.x, y + GAP)], colour, width)
        align = "left" if self.outside < 0 else "right"
        x = self.x - self.outside * 0.09
        self.axes.text(x, y + GAP * 0.45, shape.strip(), ha=align, va="center", size=9, zorder=4)
        return y + GAP

    def step(self, number: int, top: float, x: float = 0.0) -> float:
        """The number of a step at the edge of the box that ends at `top`, if steps are shown."""
        if self.journey:
            edge = self.x - self.outside * WIDTH / 2 if self.outside < 0 else self.x + WIDTH / 2
            disc(self.axes, x or edge, top - 0.13, number)
        return top

    def frame(self, bottom: float, top: float, name: str) -> None:
        """The frame around one layer, named in its upper outer corner."""
        width = WIDTH + 0.4
        corner = (self.x - width / 2 + self.outside * 0.04, bottom)
        self.axes.add_patch(
            rounded(corner, width, top - bottom, self.colour, "none", 0.08, zorder=0)
        )
        x = self.x + self.outside * (width / 2 - 0.02)
        align = "left" if self.outside < 0 else "right"
        self.axes.text(x, top - 0.17, name, ha=align, color=self.colour, weight="bold", size=9.5)


def rounded(
    corner: tuple[float, float],
    width: float,
    height: float,
    fill: str,
    edge: str,
    alpha: float,
    zorder: int,
) -> FancyBboxPatch:
    """A rectangle with round corners."""
    patch = FancyBboxPatch(corner, width, height, "round,pad=0,rounding_size=0.08")
    patch.set(facecolor=fill, edgecolor=edge, alpha=alpha, linewidth=1.2, zorder=zorder)
    return patch


def disc(axes: Axes, x: float, y: float, number: int) -> None:
    """The number of a step, in a disc."""
    axes.plot(x, y, "o", color=SECOND, markersize=11.5, zorder=5)
    axes.text(
        x, y, f"{number}", color=PAPER, ha="center", va="center_baseline", size=9,
        weight="bold", zorder=6,
    )  # fmt: skip


def line(axes: Axes, points: list[tuple[float, float]], colour: str, width: float) -> None:
    """A line through the points, with an arrowhead at the last."""
    axes.plot(*zip(*points), color=colour, linewidth=width, solid_joinstyle="round", zorder=1)
    style = {"arrowstyle": "-|>,head_width=0.22,head_length=0.35", "shrinkA": 0, "shrinkB": 0}
    style |= {"color": colour, "linewidth": width}
    axes.annotate("", points[-1], points[-2], arrowprops=style)


def legend(t: Translate, axes: Axes, y: float) -> None:
    """What the numbers in the shapes count."""
    meanings = {
        "2": t("sentences"),
        "5": t("source tokens"),
        "4": t("target tokens"),
        "512": t("numbers a token"),
        "37000": t("ids to choose from"),
    }
    for row, (number, meaning) in enumerate(reversed(meanings.items())):
        axes.text(0.5, y + 0.19 * row, number, ha="right", size=9, weight="bold")
        axes.text(0.56, y + 0.19 * row, meaning, size=9)
