"""Train with feed-forward networks of other widths, and with one that has no ReLU.

`python -m docs.figures._feed_forward_width` writes docs/measured/feed_forward_width.json, which the
figure `feed_forward_width` draws: the runs of docs/figures/_without.py, three seeds for each kind,
a quarter of an hour on two cores. The widths 0 and 384 are in docs/measured/without.json.
"""

import json
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import product
from typing import Any

import torch
from torch import Tensor

from docs.figures._without import RESULT as WITHOUT
from docs.figures._without import SEEDS, SENTENCES, SIZES, STEPS, trained
from transformer import PositionwiseFeedForward, Transformer, load_pretrained

RESULT = WITHOUT.with_name("feed_forward_width.json")
KINDS = {"96": 96, "no_relu": SIZES.d_ff, "24": 24, "6": 6}  # each with its width


class NoReLU(PositionwiseFeedForward):
    """Two linear maps with nothing between them."""

    def forward(self, x: Tensor) -> Tensor:
        return self.contract(self.expand(x))


def run(kind: str, seed: int) -> dict[str, Any]:
    """Train with one kind; return the losses, and how many sentences are right."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    tokenizer = load_pretrained()[1]
    model = Transformer(replace(SIZES, d_ff=KINDS[kind]).config(tokenizer.vocab_size))
    if kind == "no_relu":
        for layer in (*model.encoder.layers, *model.decoder.layers):
            layer.feed_forward.__class__ = NoReLU
    return trained(model, tokenizer, seed)


if __name__ == "__main__":
    kinds: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KINDS}
    runs = [*product(KINDS, SEEDS)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for (kind, _), found in zip(runs, pool.map(run, *zip(*runs, strict=True)), strict=True):
            kinds[kind].append(found)
            record = {"steps": STEPS, "sentences": SENTENCES, **kinds}
            RESULT.write_text(json.dumps(record), "utf-8")
