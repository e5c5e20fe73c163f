"""One sub-layer with its residual connection, in post-norm and in pre-norm."""

from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, INK, PAPER

Translate = Callable[[str], str]

ALT = (
    "Two diagrams, to be read from bottom to top. Left, post-norm: the state x runs up a thick "
    "line, beside it a branch goes through the sub-layer and dropout and is added, and the thick "
    "line then goes through LayerNorm. Right, pre-norm: the branch goes through LayerNorm, the "
    "sub-layer and dropout, and the thick line meets nothing but the addition."
)


def draw(t: Translate) -> Figure:
    """Draw the two orders side by side."""
    fig = Figure(figsize=(4.8, 4.2), layout="constrained")
    fig.suptitle(t("Post-norm normalizes the stream,\npre-norm a copy of it"), size=11)
    left, right = fig.subplots(1, 2)
    _diagram(left, t("post-norm"), [t("sub-layer"), "Dropout"], norm_on_stream=True)
    _diagram(right, t("pre-norm"), ["LayerNorm", t("sub-layer"), "Dropout"], norm_on_stream=False)
    return fig


def _diagram(axes: Axes, title: str, branch: list[str], *, norm_on_stream: bool) -> None:
    axes.set(xlim=(0, 10), ylim=(0, 10.4))
    axes.axis("off")
    axes.set_title(title, size=10)
    stream, side, plus = 2.2, 6.9, 6.9
    axes.annotate(
        "",
        (stream, 10.2),
        (stream, 0.6),
        arrowprops={"arrowstyle": "-|>", "color": ACCENT, "linewidth": 3.5, "shrinkA": 0},
    )
    axes.text(stream, 0.1, "x", ha="center", va="center", size=11, style="italic")
    axes.plot([stream, side, side, stream], [1.2, 1.2, plus, plus], color=INK, linewidth=1.2)
    axes.plot(stream, plus, "o", markersize=17, color=PAPER, markeredgecolor=INK, zorder=5)
    axes.text(stream, plus, "+", ha="center", va="center", size=14, zorder=6)
    for place, name in enumerate(branch):
        _box(axes, side, 2.3 + 1.6 * place, name)
    if norm_on_stream:
        _box(axes, stream, 8.6, "LayerNorm")


def _box(axes: Axes, x: float, y: float, name: str) -> None:
    style = {"boxstyle": "round,pad=0.35", "facecolor": PAPER, "edgecolor": INK}
    axes.text(x, y, name, ha="center", va="center", size=10, bbox=style, zorder=5)
