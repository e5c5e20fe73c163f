"""The gradient on its way back through an untrained encoder, with and without x."""

from collections.abc import Callable
from functools import cache
from typing import cast

import torch
from matplotlib.figure import Figure
from torch import Tensor, nn
from torch.nn import functional as F

from docs.figures._residual import SEEDS, WIDTH
from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import EncoderLayer, Transformer, TransformerConfig, load_pretrained

Translate = Callable[[str], str]
Run = tuple[list[float], list[float]]
SubLayer = Callable[[Tensor], Tensor]

ALT = (
    "Two panels over the 24 sub-layers of an untrained encoder of twelve layers, from the last "
    "back to the first; four lines, with three seeds each. Above, on a logarithmic axis, the "
    "length of the gradient with respect to a state, against its length at the end: with f(x) "
    "alone it falls below a thousandth, with x + f(x) it grows more than a thousandfold; in post- "
    "norm and in pre-norm it keeps its size, within a factor of five. Below, the cosine between "
    "that gradient and the one at the end: with f(x) it is near 0 after one sub-layer; with x + "
    "f(x) and in post-norm it is below 0.3 halfway; in pre-norm it is above 0.8 halfway and about "
    "0.2 at the start."
)

SENTENCE = "the cat ate two fish yesterday ."
LAYERS = 12
ORDERS: dict[str, Callable[[Tensor, SubLayer, nn.Module], Tensor]] = {
    "f(x)": lambda x, f, norm: f(x),
    "x + f(x)": lambda x, f, norm: x + f(x),
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
    """Return, for each order and each seed, lengths and cosines from the end backwards."""
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
                turned = [
                    F.cosine_similarity(g.flatten(), read_out.flatten(), 0).item()
                    for g in gradients
                ]
                found[order].append((lengths, turned))
    return found


def draw(t: Translate) -> Figure:
    """Draw the length above and the cosine below."""
    fig = Figure(figsize=(4.6, 5.4), layout="constrained")
    fig.suptitle(t("Without x the gradient fades;\npre-norm keeps its direction longest"), size=11)
    above, below = fig.subplots(2, 1, sharex=True, height_ratios=(1.3, 1))
    names = {"post-norm": t("post-norm"), "pre-norm": t("pre-norm")}
    for order, (colour, line, width) in LOOKS.items():
        for lengths, cosines in runs()[order]:
            style = {"color": colour, "linestyle": line, "linewidth": width}
            above.semilogy(lengths, **style)
            below.plot(cosines, **style)
    for axes, order, x, y in (
        (above, "x + f(x)", 7.5, 3e4),
        (above, "pre-norm", 24, 15),
        (above, "post-norm", 24, 0.06),
        (above, "f(x)", 14, 6e-4),
        (below, "pre-norm", 24, 0.93),
        (below, "x + f(x)", 3.4, 0.2),
        (below, "post-norm", 14, 0.35),
        (below, "f(x)", 8, -0.17),
    ):
        colour, *_ = LOOKS[order]
        axes.text(x, y, names.get(order, order), color=colour, size=9, ha="right", va="center")
    above.set_ylabel(t("length of the gradient\n(1 at the end)"))
    below.set(xlabel=t("sub-layers passed on the way back"), ylim=(-0.25, 1.05))
    below.set_ylabel(t("cosine with the gradient\nat the end"))
    below.set_xticks(range(0, 2 * LAYERS + 1, 4))
    for axes in (above, below):
        axes.spines[["top", "right"]].set_visible(False)
    return fig


def claims() -> dict[str, bool]:
    """Say of title and description whether they are so."""
    found = runs()
    ends = {order: [lengths[-1] for lengths, _ in found[order]] for order in ORDERS}
    halfway = {order: [cosines[LAYERS] for _, cosines in found[order]] for order in ORDERS}
    return {
        "f(x) falls below a thousandth": max(ends["f(x)"]) < 1e-3,
        "x + f(x) grows more than a thousandfold": min(ends["x + f(x)"]) > 1e3,
        "the two orders keep it within a factor of five": all(
            0.2 < length < 5
            for order in ("post-norm", "pre-norm")
            for lengths, _ in found[order]
            for length in lengths
        ),
        "f(x) near 0 after one": all(abs(cosines[1]) < 0.15 for _, cosines in found["f(x)"]),
        "below 0.3 halfway": max(halfway["x + f(x)"] + halfway["post-norm"]) < 0.3,
        "pre-norm above 0.8 halfway": min(halfway["pre-norm"]) > 0.8,
        "pre-norm about 0.2 at the start": all(
            0.12 < cosines[-1] < 0.28 for _, cosines in found["pre-norm"]
        ),
    }
