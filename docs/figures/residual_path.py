"""The gradient on its way back through an untrained encoder, with and without each part."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import cast

import torch
from matplotlib.figure import Figure
from torch import Tensor
from torch.nn import functional as F

from docs.figures._residual import SEEDS, SENTENCE, WIDTH
from docs.figures._style import ACCENT, INK
from transformer import Encoder, EncoderLayer, Transformer, TransformerConfig, load_pretrained

Translate = Callable[[str], str]

ALT = (
    "Two panels over the 24 sub-layers of an untrained encoder of twelve layers, from the last "
    "back to the first; four lines, with three seeds each. Above, on a logarithmic axis, the "
    "length of the gradient with respect to a state, against its length at the end: with f(x) "
    "alone it falls below a thousandth, with x + f(x) it grows more than a thousandfold, with x + "
    "f(LayerNorm(x)) it grows three- to fivefold, with f(LayerNorm(x)) alone it falls at first "
    "and then keeps a twentieth of its length or more. Below, the cosine between that gradient "
    "and the one at the end: without x it is near 0 from the first sub-layer on; with x + f(x) it "
    "is near 0 halfway; with x + f(LayerNorm(x)) it is above 0.8 halfway and about 0.2 at the "
    "start."
)

LAYERS = 12
PARTS = {  # whether x is added, whether f reads LayerNorm(x): solid with x, coloured with LayerNorm
    (True, True): ("x + f(LayerNorm(x))", ACCENT, "-", 2),
    (False, True): ("f(LayerNorm(x))", ACCENT, "--", 1.4),
    (True, False): ("x + f(x)", INK, "-", 1),
    (False, False): ("f(x)", INK, ":", 1.6),
}

Run = tuple[list[float], list[float]]


@cache
def runs() -> dict[tuple[bool, bool], list[Run]]:
    """Return, for each pair of parts and each seed, lengths and cosines from the end backwards."""
    model, tokenizer = load_pretrained()
    ids = torch.tensor([tokenizer.encode_source(SENTENCE)])
    embedded = model.src_position(model.src_embedding(ids)).detach()
    config = TransformerConfig(
        100, 100, d_model=WIDTH, num_heads=4, d_ff=4 * WIDTH, num_encoder_layers=LAYERS, dropout=0.0
    )
    found: dict[tuple[bool, bool], list[Run]] = {parts: [] for parts in PARTS}
    with torch.random.fork_rng():
        for seed in SEEDS:
            torch.manual_seed(seed)
            stack = Transformer(config).encoder
            read_out = torch.randn_like(embedded)
            for (residual, norm), list_of_runs in found.items():
                x = embedded.clone().requires_grad_()
                seen = [*states(stack, x, residual=residual, norm=norm)]
                loss = (seen[-1] * read_out).sum()
                gradients = torch.autograd.grad(loss, seen)[::-1]
                list_of_runs.append(
                    (
                        [(g.norm() / gradients[0].norm()).item() for g in gradients],
                        [F.cosine_similarity(g.flatten(), read_out.flatten(), 0).item()
                         for g in gradients],
                    )
                )  # fmt: skip
    return found


def states(stack: Encoder, x: Tensor, *, residual: bool, norm: bool) -> Iterator[Tensor]:
    """Yield the states at the start and after each sub-layer, which reads x or its LayerNorm."""
    yield x
    for layer in cast("list[EncoderLayer]", stack.layers):
        read = layer.self_attention_norm(x) if norm else x
        found = layer.self_attention(read, read, read)
        x = x + found if residual else found
        yield x
        found = layer.feed_forward(layer.feed_forward_norm(x) if norm else x)
        x = x + found if residual else found
        yield x


def draw(t: Translate) -> Figure:
    """Draw the length above and the cosine below."""
    fig = Figure(figsize=(4.6, 5.6), layout="constrained")
    fig.suptitle(
        t(
            "With x + f(LayerNorm(x)), the gradient that arrives\n"
            "is still in part the one that left"
        ),
        size=11,
    )
    above, below = fig.subplots(2, 1, sharex=True, height_ratios=(1.3, 1))
    for parts, (_, colour, line, width) in PARTS.items():
        for lengths, cosines in runs()[parts]:
            style = {"color": colour, "linestyle": line, "linewidth": width}
            above.semilogy(lengths, **style)
            below.plot(cosines, **style)
    for axes, parts, x, y in (
        (above, (True, False), 7.5, 3e4),
        (above, (True, True), 24, 15),
        (above, (False, True), 24, 0.014),
        (above, (False, False), 14, 6e-4),
        (below, (True, True), 24, 0.93),
        (below, (True, False), 9.5, 0.35),
        (below, (False, True), 24, -0.17),
        (below, (False, False), 8, -0.17),
    ):
        label, colour, *_ = PARTS[parts]
        axes.text(x, y, label, color=colour, size=9, ha="right", va="center")
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
    ends = {parts: [lengths[-1] for lengths, _ in found[parts]] for parts in PARTS}
    normed = [length for lengths, _ in found[False, True] for length in lengths]
    direct = [cosines for _, cosines in found[True, True]]
    lost = [c for norm in (True, False) for _, cosines in found[False, norm] for c in cosines[1:]]
    return {
        "f(x) falls below a thousandth": max(ends[False, False]) < 1e-3,
        "x + f(x) grows more than a thousandfold": min(ends[True, False]) > 1e3,
        "x + f(LayerNorm(x)) grows three- to fivefold": all(3 < e < 5 for e in ends[True, True]),
        "f(LayerNorm(x)) keeps a twentieth or more": min(normed) > 0.05,
        "without x near 0 from the first on": max(map(abs, lost)) < 0.15,
        "x + f(x) near 0 halfway": all(abs(c[LAYERS]) < 0.15 for _, c in found[True, False]),
        "above 0.8 halfway": all(cosines[LAYERS] > 0.8 for cosines in direct),
        "about 0.2 at the start": all(0.12 < cosines[-1] < 0.28 for cosines in direct),
    }
