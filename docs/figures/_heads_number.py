"""Train the small model of `_without` with other numbers of heads, all of them of one size.

`python -m docs.figures._heads_number` writes docs/measured/heads_number.json, which the figure
`heads_number` draws: three seeds for each number, one run on each core: 15 minutes on two.
"""

import json
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import torch

from docs.figures._without import SEEDS, SENTENCES, SIZES, STEPS, trained
from transformer import Transformer, load_pretrained

RESULT = Path(__file__).parents[1] / "measured" / "heads_number.json"
NUMBERS = (1, 2, 4, 8, 16)


def run(num_heads: int, seed: int) -> dict[str, Any]:
    """Train with so many heads; return what `trained` does."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    tokenizer = load_pretrained()[1]
    config = replace(SIZES, num_heads=num_heads).config(tokenizer.vocab_size)
    return trained(Transformer(config), tokenizer, seed)


if __name__ == "__main__":
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(run, *zip(*product(NUMBERS, SEEDS), strict=True))
        runs = {number: [next(found) for _ in SEEDS] for number in NUMBERS}
    RESULT.write_text(json.dumps({"steps": STEPS, "sentences": SENTENCES, **runs}), "utf-8")
