"""The singular values of what a head multiplies: Q with K, and V with O."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from torch import Tensor

from docs.figures._heads_muted import attentions
from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import load_pretrained

Translate = Callable[[str], str]

ALT = (
    "The 128 singular values of two matrices of 128 by 128, made by one head of the shipped "
    "model: queries with keys, and values with the output projection. The first 32 are between "
    "0.2 and 4; from the 33rd on, where a dotted line marks the width of the head, all are 0."
)
NAME = "decoder.layers.0.cross_attention"
HEAD = 0


def draw(t: Translate) -> Figure:
    """Draw both rows of singular values, from the largest to the smallest."""
    fig = Figure(figsize=(4.8, 2.9), layout="constrained")
    axes = fig.subplots()
    (queries, values), width = singular_values()
    places = range(1, len(queries) + 1)
    axes.plot(places, queries, color=ACCENT, linewidth=2, label=t("query and key"))
    axes.plot(
        places, values, color=SECOND, linewidth=2, linestyle="--", label=t("value and output")
    )
    axes.axvline(width + 0.5, color=MUTED, linestyle=":")
    axes.text(width + 3, 0.75 * queries[0], f"$d_k$ = {width}", color=INK)
    axes.set(
        xlabel=t("place, from the largest"),
        ylabel=t("singular value"),
        xlim=(1, len(queries)),
        ylim=(-0.05, None),
    )
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="upper right")
    fig.suptitle(t("A head fills 32 of 128 directions"), size=11)
    return fig


def products() -> tuple[list[Tensor], int]:
    """Both products of one head, and its width."""
    attention = attentions(load_pretrained()[0])[NAME]
    width = attention.q_proj.out_features // attention.num_heads
    rows = slice(width * HEAD, width * (HEAD + 1))
    query, key, value = (
        getattr(attention, name).weight.detach()[rows] for name in ("q_proj", "k_proj", "v_proj")
    )
    return [query.T @ key, value.T @ attention.out_proj.weight.detach()[:, rows].T], width


def singular_values() -> tuple[list[list[float]], int]:
    """The singular values of both products, and the width of the head."""
    both, width = products()
    return [torch.linalg.svdvals(product).tolist() for product in both], width


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    both, width = singular_values()
    return {
        "128 by 128, and 32": ([len(values) for values in both], width) == ([128, 128], 32),
        "between 0.2 and 4": all(0.2 < v < 4 for values in both for v in values[:32]),
        "zero from the 33rd on": all(v < 1e-4 for values in both for v in values[32:]),
    }
