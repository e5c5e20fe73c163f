"""Train the model of 2017 with each change of models of today: alone, then one after another.

`python -m docs.figures._since_2017` writes docs/measured/since_2017.json: sentences right for each
change and each of the ten steps, and `sizes`, the parameters of each and the bytes that its cache
holds for a token: about four hours on two cores. `_variants_run` says how the runs are made, and
goes on where one stopped.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from torch import nn
from torch.optim import AdamW
from torch.optim.lr_scheduler import LambdaLR

from docs.figures import _without
from docs.figures._variants_run import SIZES, STEPS, WARMUP, Training, Variant, measure
from transformer import Transformer, count_parameters
from transformer.variants import (
    AlibiAttention,
    DecoderOnly,
    GatedFeedForward,
    GeluFeedForward,
    GroupedQueryAttention,
    MixtureOfExperts,
    NoPositions,
    QueryKeyNormAttention,
    RotaryAttention,
    SlidingWindowAttention,
    continue_greedily,
    remove_biases,
)


class RotaryGrouped(RotaryAttention, GroupedQueryAttention):
    """Step 6: both."""


class RotaryNormalizedGrouped(RotaryAttention, QueryKeyNormAttention, GroupedQueryAttention):
    """Step 7: all three."""


def adamw(shape: Callable[[float], float], model: nn.Module, rate: float) -> Training:
    """Make AdamW, which lets matrices decay, and a rate with a shape after the same warm-up."""
    parameters = list(model.parameters())
    groups = [
        {"params": [p for p in parameters if p.dim() == 2], "weight_decay": 0.1},
        {"params": [p for p in parameters if p.dim() != 2], "weight_decay": 0.0},
    ]
    optimizer = AdamW(groups, lr=rate, betas=(0.9, 0.98), eps=1e-9)
    return optimizer, LambdaLR(optimizer, lambda n: min(1, (n + 1) / WARMUP) * shape(n / STEPS))


def cosine(done: float) -> float:
    return (1 + math.cos(math.pi * done)) / 2


def decay_at_the_end(done: float) -> float:
    """Constant, then down to zero in a line over the last fifth (warm-up, stable, decay)."""
    return min(1.0, 5 * (1 - done))


NO_POSITIONS = {"position": NoPositions}
ROTARY = {"attention": RotaryAttention, **NO_POSITIONS}
DECAYING = partial(adamw, decay_at_the_end)
# As many layers in all; the wider networks have the parameters of the cross-attentions.
ONE_STACK = {"num_encoder_layers": 2 * SIZES.num_layers, "d_ff": 5 * SIZES.d_model}
DECODER_ONLY: dict[str, Any] = {"kind": DecoderOnly, "decode": continue_greedily}

ALONE = {
    "nothing": _without.VARIANTS["nothing"],
    "pre_norm": _without.VARIANTS["pre_norm"],
    "rms_norm": Variant(parts={"norm": nn.RMSNorm}),
    "gelu": Variant(parts={"feed_forward": GeluFeedForward}),
    "gated": Variant(parts={"feed_forward": GatedFeedForward}),
    "rotary": Variant(parts=ROTARY),
    "alibi": Variant(parts={"attention": AlibiAttention, **NO_POSITIONS}),
    "grouped": Variant(parts={"attention": GroupedQueryAttention}),
    "multi_query": Variant(parts={"attention": partial(GroupedQueryAttention, key_heads=1)}),
    "no_biases": Variant(change=remove_biases),
    "window": Variant(parts={"attention": SlidingWindowAttention}),
    "query_key_norm": Variant(parts={"attention": QueryKeyNormAttention}, retuned=True),
    "cosine": Variant(optimizer=partial(adamw, cosine), retuned=True),
    "decaying": Variant(optimizer=DECAYING, retuned=True),
    "decoder_only": Variant(sizes=ONE_STACK, retuned=True, **DECODER_ONLY),
    "experts": Variant(parts={"feed_forward": MixtureOfExperts}),
}

# What each of the ten steps adds to all before it: a part takes the place of its forerunner.
ADDED: dict[str, dict[str, Any]] = {
    "pre_norm": {"sizes": {"norm_first": True}},
    "rms_norm": {"parts": {"norm": nn.RMSNorm}},
    "no_biases": {"change": remove_biases},
    "gated": {"parts": {"feed_forward": GatedFeedForward}},
    "rotary": {"parts": ROTARY},
    "grouped": {"parts": {"attention": RotaryGrouped}},
    "query_key_norm": {"parts": {"attention": RotaryNormalizedGrouped}},
    "decoder_only": {"sizes": ONE_STACK, **DECODER_ONLY},
    "decaying": {"optimizer": DECAYING, "retuned": True},
    "experts": {"parts": {"feed_forward": partial(MixtureOfExperts, expert=GatedFeedForward)}},
}


def steps() -> dict[str, Variant]:
    """Return the machine after each step, from `step_1` to `step_10`."""
    found, machine = {}, Variant()
    for number, added in enumerate(ADDED.values(), start=1):
        joined = {name: getattr(machine, name) | added.get(name, {}) for name in ("sizes", "parts")}
        machine = replace(machine, **added | joined)
        found[f"step_{number}"] = machine
    return found


def cache_bytes(model: Transformer) -> int:
    """Return what self-attention keeps of a token, in float32."""
    stack = model.encoder if isinstance(model, DecoderOnly) else model.decoder
    attentions: list[Any] = [layer.self_attention for layer in stack.layers]
    return 4 * sum(a.k_proj.out_features + a.v_proj.out_features for a in attentions)


if __name__ == "__main__":
    variants = ALONE | steps()
    models = {name: variant.model() for name, variant in variants.items()}
    sizes = {
        name: {"parameters": count_parameters(model)["total"], "cache": cache_bytes(model)}
        for name, model in models.items()
    }
    measure("since_2017", variants, sizes=sizes)
