"""Mute the heads of the shipped model one at a time, and see how much it still translates.

`python -m docs.figures._heads_muted` writes docs/measured/heads_muted.json, which the figure
`heads_muted` draws: for each of the 24 heads, and for each of the six attentions with all of its
heads muted, how many of the first validation sentences come out right, letter by letter. It takes
a few minutes on one core.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from transformer import (
    MultiHeadAttention,
    Transformer,
    generate_pairs,
    load_pretrained,
    translate,
)

RESULT = Path(__file__).parents[1] / "measured" / "heads_muted.json"
SENTENCES = 200


@contextmanager
def muted(attention: MultiHeadAttention, heads: Iterable[int]) -> Iterator[None]:
    """Let these heads of an attention bring nothing: their part of W^O's input is zero."""
    width = attention.out_proj.in_features // attention.num_heads
    silent = [slice(width * head, width * (head + 1)) for head in heads]

    def mute(_: object, args: tuple[Tensor]) -> tuple[Tensor]:
        joined = args[0].clone()
        for numbers in silent:
            joined[..., numbers] = 0
        return (joined,)

    handle = attention.out_proj.register_forward_pre_hook(mute)
    try:
        yield
    finally:
        handle.remove()


def attentions(model: Transformer) -> dict[str, MultiHeadAttention]:
    """Every attention of a model, by its name."""
    return {
        name: module
        for name, module in model.named_modules()
        if isinstance(module, MultiHeadAttention)
    }


def run() -> dict[str, Any]:
    """Return how many sentences are right: with all heads, without each, without all of a layer."""
    torch.set_num_threads(1)
    model, tokenizer = load_pretrained()
    pairs = list(islice(generate_pairs(0, "validation"), SENTENCES))

    def right() -> int:
        outputs = translate(model, tokenizer, [pair.source for pair in pairs])
        return sum(output == pair.target for output, pair in zip(outputs, pairs, strict=True))

    whole = right()
    heads: dict[str, list[int]] = {}
    layers: dict[str, int] = {}
    for name, attention in attentions(model).items():
        heads[name] = []
        for head in range(attention.num_heads):
            with muted(attention, [head]):
                heads[name].append(right())
        with muted(attention, range(attention.num_heads)):
            layers[name] = right()
    return {"sentences": SENTENCES, "whole": whole, "heads": heads, "layers": layers}


if __name__ == "__main__":
    RESULT.write_text(json.dumps(run()), "utf-8")
