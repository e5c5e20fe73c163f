"""Gradients of the layers of an untrained 6+6 model, post-norm beside pre-norm."""

from collections.abc import Callable
from functools import cache

import torch
from matplotlib.figure import Figure
from torch.nn import functional as F

from docs.figures._style import ACCENT, SECOND
from transformer import Transformer, TransformerConfig

Translate = Callable[[str], str]

ALT = (
    "Two panels, encoder and decoder, with the length of a gradient in each of six layers before "
    "any training; three seeds for each order. Decoder, post-norm: it rises from layer to layer, "
    "and in the last layer it is <!-- value: gradients.last_over_first .0f --> times as long as "
    "in the first. Decoder, pre-norm: it falls a little, and the first is <!-- value: "
    "gradients.first_over_last_in_pre_norm .1f --> times the last. Encoder: post-norm is level "
    "and pre-norm falls by about half."
)

SEEDS = (0, 1, 2)
VOCABULARY = 1000


@cache
def gradients(norm_first: bool, seed: int) -> dict[str, list[float]]:
    """Return the length of the gradient of each layer's second feed-forward matrix."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        config = TransformerConfig(
            VOCABULARY,
            VOCABULARY,
            d_model=128,
            num_heads=4,
            d_ff=512,
            dropout=0.0,
            norm_first=norm_first,
            share_embeddings=True,
            tie_output=True,
        )
        model = Transformer(config)
        src = torch.randint(3, VOCABULARY, (16, 10))
        tgt = torch.randint(3, VOCABULARY, (16, 11))
        tgt[:, 0] = config.bos_id
        logits = model(src, tgt[:, :-1])
        F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten()).backward()  # type: ignore[no-untyped-call]
    found = {}
    for side in ("encoder", "decoder"):
        layers = model.get_submodule(f"{side}.layers").children()
        weights = [layer.get_parameter("feed_forward.contract.weight") for layer in layers]
        found[side] = [weight.grad.norm().item() for weight in weights if weight.grad is not None]
    return found


def draw(t: Translate) -> Figure:
    """Draw a line for each seed."""
    fig = Figure(figsize=(4.8, 3.3), layout="constrained")
    fig.suptitle(t("In a post-norm decoder, gradients\ngrow towards the output"), size=11)
    panels = fig.subplots(1, 2, sharey=True)
    for axes, side, title in zip(
        panels, ("encoder", "decoder"), (t("encoder"), t("decoder")), strict=True
    ):
        for norm_first, colour, line, label in (
            (False, ACCENT, "o-", t("post-norm")),
            (True, SECOND, "s--", t("pre-norm")),
        ):
            for seed in SEEDS:
                axes.plot(
                    range(1, 7),
                    gradients(norm_first, seed)[side],
                    line,
                    color=colour,
                    markersize=3.5,
                    label=label if seed == 0 else None,
                )
        axes.set_title(title, size=10)
        axes.set(xlabel=t("layer"), xticks=range(1, 7), ylim=(0, None))
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel(t("length of the gradient"))
    handles, labels = panels[0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False)
    return fig


def claims() -> dict[str, bool]:
    """Say of the description whether it is so."""
    post = [gradients(False, seed) for seed in SEEDS]
    pre = [gradients(True, seed) for seed in SEEDS]
    return {
        "post-norm's decoder rises": all(run["decoder"] == sorted(run["decoder"]) for run in post),
        "post-norm's encoder is level": all(
            max(run["encoder"]) < 1.35 * min(run["encoder"]) for run in post
        ),
        "pre-norm's encoder falls by about half": all(
            0.4 < run["encoder"][-1] / run["encoder"][0] < 0.6 for run in pre
        ),
    }
