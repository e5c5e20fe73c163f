"""Time the three implementations of multi-head attention, one sub-layer of the base model each.

`python -m docs.figures._heads_speed` writes docs/measured/heads_speed.json, which the figure
`heads_speed` draws: for batches of short and of long sentences with the same number of tokens, the
least milliseconds of rounds in which the three take turns, on one core: about a minute.
"""

import json
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from benchmarks.timing import fastest
from transformer import (
    ExplicitMultiHeadAttention,
    LoopedMultiHeadAttention,
    MultiHeadAttention,
    causal_mask,
)

RESULT = Path(__file__).parents[1] / "measured" / "heads_speed.json"
KINDS = {
    "looped": LoopedMultiHeadAttention,
    "explicit": ExplicitMultiHeadAttention,
    "fused": MultiHeadAttention,
}
D_MODEL, NUM_HEADS = 512, 8
TOKENS = 2048  # in a batch
LENGTHS = (32, 128, 512)
ROUNDS = 15


def step(attention: MultiHeadAttention, x: Tensor, mask: Tensor) -> None:
    """Forward and backward, as in training."""
    attention(x, x, x, mask).sum().backward()
    attention.zero_grad()


def run(length: int) -> dict[str, float]:
    """Milliseconds of each implementation, for sentences of one length."""
    torch.manual_seed(0)
    x = torch.randn(TOKENS // length, length, D_MODEL, requires_grad=True)
    layers = {name: kind(D_MODEL, NUM_HEADS) for name, kind in KINDS.items()}
    for layer in layers.values():
        layer.load_state_dict(layers["fused"].state_dict())
    steps = {name: partial(step, layer, x, causal_mask(length)) for name, layer in layers.items()}
    return {name: 1000 * seconds for name, seconds in fastest({**steps}, ROUNDS).items()}


def measured() -> dict[str, Any]:
    """All lengths, and what was timed."""
    torch.set_num_threads(1)
    times = {str(length): run(length) for length in LENGTHS}
    return {"d_model": D_MODEL, "num_heads": NUM_HEADS, "tokens": TOKENS, "milliseconds": times}


if __name__ == "__main__":
    RESULT.write_text(json.dumps(measured()), "utf-8")
