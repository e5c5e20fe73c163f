"""The gradient on its way back through an untrained encoder, with and without x."""

from collections.abc import Callable
from functools import cache
from typing import cast

import torch
from matplotlib.figure import Figure
from torch import Tensor, nn

from docs.figures._residual import SEEDS, WIDTH
from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import EncoderLayer, Transformer, TransformerConfig, load_pretrained

Translate = Callable[[str], str]
Run = tuple[list[float], list[float]]
SubLayer = Callable[[Tensor], Tensor]

ALT = (
    "Two panels over the 24 sub-layers of an untrained encoder of twelve layers, from the last "
    "back to the first; three seeds for each line. Above, on a logarithmic axis, the length of "
    "the gradient with respect to a state, against its length at the end: with f(x) alone it "
    "falls below a thousandth, with x + f(x) it grows more than a thousandfold; in post-norm and "
    "in pre-norm it keeps its size, within a factor of five. Below, how much of the gradient is "
    "left in the direction that it had at the end: with f(x) nothing after one sub-layer; in "
    "post-norm it fades to less than a tenth; in pre-norm it stays between 0.7 and 1.1 down to "
    "the start."
)

SENTENCE = "the cat ate two fish yesterday ."
LAYERS = 12
ORDERS: dict[str, Callable[[Tensor, SubLayer, nn.Module], Tensor]] = {
    "f(x)": lambda x, f, norm: f(x),
    "x + f(x)": lambda x, f, norm: x + f(x),
    "f(LayerNorm(x))": lambda x, f, norm: f(norm(x)),  # not drawn
    "post-norm": lambda x, f, norm: norm(x + f(x)),
    "pre-norm": lambda x, f, norm: x + f(norm(x)),
}
LOOKS = {  # colour, line, width
    "f(x)": (INK, ":", 1.6),
    "x + f(x)": (MUTED, "-", 1),
    "post-norm": (SECOND, "--", 1.4),
    "pre-norm": (ACCENT, "-", 2),
}


@cache
def runs() -> dict[str, list[Run]]:
    """Return for each order and seed, from the end backwards, the length of the gradient, and how
    much of it is left in its direction at the end."""
    model, tokenizer = load_pretrained()
    ids = torch.tensor([tokenizer.encode_source(SENTENCE)])
    embedded = model.src_position(model.src_embedding(ids)).detach()
    config = TransformerConfig(
        100, 100, d_model=WIDTH, num_heads=4, d_ff=4 * WIDTH, num_encoder_layers=LAYERS, dropout=0.0
    )
    found: dict[str, list[Run]] = {order: [] for order in ORDERS}
    with torch.random.fork_rng():
        for seed in SEEDS:
            torch.manual_seed(seed)
            layers = cast("list[EncoderLayer]", Transformer(config).encoder.layers)
            read_out = torch.randn_like(embedded)
            for order, combine in ORDERS.items():
                states = [embedded.clone().requires_grad_()]
                for layer in layers:
                    attention, norm = layer.self_attention, layer.self_attention_norm
                    states.append(combine(states[-1], lambda x: attention(x, x, x), norm))  # noqa: B023
                    norm = layer.feed_forward_norm
                    states.append(combine(states[-1], layer.feed_forward, norm))
                loss = (states[-1] * read_out).sum()
                gradients = torch.autograd.grad(loss, states)[::-1]
                lengths = [(g.norm() / gradients[0].norm()).item() for g in gradients]
                kept = [((g * read_out).sum() / read_out.square().sum()).item() for g in gradients]
                found[order].append((lengths, kept))
    return found


def draw(t: Translate) -> Figure:
    """Draw the length above, and what is left of the direction below."""
    fig = Figure(figsize=(4.6, 5.4), layout="constrained")
    fig.suptitle(
        t("With x, part of the gradient arrives\nunchanged: in pre-norm, most of it"), size=11
    )
    above, below = fig.subplots(2, 1, sharex=True, height_ratios=(1.3, 1))
    names = {"post-norm": t("post-norm"), "pre-norm": t("pre-norm")}
    for order, (colour, line, width) in LOOKS.items():
        for lengths, kept in runs()[order]:
            style = {"color": colour, "linestyle": line, "linewidth": width}
            above.semilogy(lengths, **style)
            if order != "x + f(x)":  # its other parts are thousands of times as long
                below.plot(kept, **style)
    for axes, order, x, y in (
        (above, "x + f(x)", 7.5, 3e4),
        (above, "pre-norm", 24, 15),
        (above, "post-norm", 24, 0.06),
        (above, "f(x)", 14, 6e-4),
        (below, "pre-norm", 20, 0.83),
        (below, "post-norm", 12, 0.35),
        (below, "f(x)", 8, -0.17),
    ):
        colour, *_ = LOOKS[order]
        axes.text(x, y, names.get(order, order), color=colour, size=9, ha="right", va="center")
    above.set_ylabel(t("length of the gradient\n(1 at the end)"))
    below.set(xlabel=t("sub-layers passed on the way back"), ylim=(-0.25, 1.2))
    below.set_ylabel(t("what is left of it in\nthe direction at the end"))
    below.set_xticks(range(0, 2 * LAYERS + 1, 4))
    for axes in (above, below):
        axes.spines[["top", "right"]].set_visible(False)
    return fig


def claims() -> dict[str, bool]:
    """Say of title and description whether they are so."""
    found = runs()
    ends = {order: [lengths[-1] for lengths, _ in found[order]] for order in ORDERS}
    left = {order: [kept for _, kept in found[order]] for order in ORDERS}
    return {
        "f(x) falls below a thousandth": max(ends["f(x)"]) < 1e-3,
        "x + f(x) grows more than a thousandfold": min(ends["x + f(x)"]) > 1e3,
        "the two orders keep it within a factor of five": all(
            0.2 < length < 5
            for order in ("post-norm", "pre-norm")
            for lengths, _ in found[order]
            for length in lengths
        ),
        "f(x): nothing after one": all(max(map(abs, kept[1:])) < 0.05 for kept in left["f(x)"]),
        "f(LayerNorm(x)): nothing after one": all(
            max(map(abs, kept[1:])) < 0.15 for kept in left["f(LayerNorm(x))"]
        ),
        "post-norm: less than a tenth": all(abs(kept[-1]) < 0.1 for kept in left["post-norm"]),
        "pre-norm: between 0.7 and 1.1": all(
            0.7 < share < 1.1 for kept in left["pre-norm"] for share in kept
        ),
    }
