"""How much work a decoding step is, with and without a cache, counted in recorded runs."""

import ast
from collections.abc import Callable
from math import prod

import torch
from matplotlib.figure import Figure

from docs.figures._style import ACCENT, MUTED
from transformer import CallTree, Transformer, TransformerConfig, trace

Translate = Callable[[str], str]

ALT = (
    "Bars for twelve decoding steps. Without a cache the number of vectors through linear layers "
    "grows from step to step, from 40 to 216. With a cache it is 40 in the first step and 16 "
    "in each step after it."
)
STEPS = 12


def draw(t: Translate) -> Figure:
    """Draw a pair of bars for each step."""
    config = TransformerConfig(
        20, 20, d_model=16, num_heads=2, num_encoder_layers=1, num_decoder_layers=2, d_ff=32
    )
    model = Transformer(config).eval()
    memory = model.encode(torch.tensor([[5, 6, 7, 8, 9, 2]]))
    ids = torch.arange(3, 3 + STEPS).unsqueeze(0)
    cache = model.new_cache()
    steps = range(1, STEPS + 1)
    without = [rows(trace(model.decode, ids[:, :n], memory, None)) for n in steps]
    kept = [rows(trace(model.decode, ids[:, n - 1 : n], memory, None, cache)) for n in steps]
    fig = Figure(figsize=(4.8, 3.0), layout="constrained")
    ax = fig.subplots()
    ax.bar([n - 0.2 for n in steps], without, 0.4, color=MUTED, label=t("without a cache"))
    ax.bar([n + 0.2 for n in steps], kept, 0.4, color=ACCENT, label=t("with a cache"))
    ax.set_xticks(steps)
    ax.set_xlabel(t("decoding step"))
    ax.set_ylabel(t("vectors through linear layers"))
    ax.legend(loc="upper left", frameon=False)
    fig.suptitle(t("With a cache, the work of the linear layers\nno longer grows"), fontsize=11)
    return fig


def rows(tree: CallTree) -> int:
    """Add up the rows that the tree's linear maps were given."""
    if tree.name == "torch.nn.Linear":
        return tree.count * prod(ast.literal_eval(tree.arguments["input"].strip())[:-1])
    return tree.count * sum(rows(child) for child in tree.children)
