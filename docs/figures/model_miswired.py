"""The shipped model, put together wrongly: how many sentences it still translates."""

import copy
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import torch
from matplotlib.figure import Figure
from torch import Tensor, nn

from docs.figures._sentences import sentences
from docs.figures._taken_out import LONGEST, SENTENCES, bars
from transformer import (
    Transformer,
    causal_mask,
    greedy_decode,
    load_pretrained,
    translate,
)

Translate = Callable[[str], str]

ALT = (
    "Seven bars: how many of 100 sentences the shipped model translates. As it was trained, 99. "
    "With a causal mask in the encoder 83, with 2 heads instead of 4, 78, with the encoder's "
    "layers left out 27. With the layers of the decoder exchanged, without the factor √d_model, "
    "or with random rows in the output layer, none."
)


def draw(t: Translate) -> Figure:
    """Draw one bar for each way of putting the parts together."""
    names = {
        "whole": t("as it was trained"),
        "causal": t("causal mask in the encoder"),
        "heads": t("2 heads instead of 4"),
        "words": t("encoder without its layers"),
        "order": t("decoder layers exchanged"),
        "factor": t("√d_model forgotten"),
        "rows": t("random output layer"),
    }
    rows = {name: right(wiring) for wiring, name in names.items()}
    title = t("One thing wrong in each: no error,\nbut wrong sentences")
    return bars(rows, title, t("sentences right, of 100"), 3.4)


@cache
def right(wiring: str) -> int:
    """How many of 100 validation sentences come out right with these wires."""
    trained, tokenizer = load_pretrained()
    model = WIRINGS[wiring](trained)
    pairs = sentences(SENTENCES)
    decode = partial(greedy_decode, max_new_tokens=LONGEST)
    outputs = translate(model, tokenizer, [pair.source for pair in pairs], decode=decode)
    return sum(output == pair.target for output, pair in zip(outputs, pairs, strict=True))


def whole(model: Transformer) -> Transformer:
    return model


def causal(model: Transformer) -> Transformer:
    """Hide what follows from the words of the source, as in the decoder."""
    forward = model.encoder.forward

    def hidden(x: Tensor, mask: Tensor) -> Tensor:
        return forward(x, mask & causal_mask(x.size(1)))

    model.encoder.forward = hidden  # type: ignore[method-assign, assignment]
    return model


def heads(model: Transformer) -> Transformer:
    """Load the weights under a config with half as many heads."""
    other = Transformer(replace(model.config, num_heads=2)).eval()
    other.load_state_dict(model.state_dict())
    return other


def words(model: Transformer) -> Transformer:
    """Lead the source past the encoder, straight into cross-attention."""
    model.encoder.layers = nn.ModuleList()
    return model


def order(model: Transformer) -> Transformer:
    """Put the upper layer of the decoder below."""
    model.decoder.layers = nn.ModuleList(reversed(model.decoder.layers))
    return model


def factor(model: Transformer) -> Transformer:
    """Let the embeddings go in as they are."""
    embedded = model.src_embedding.forward
    scale = model.config.d_model**-0.5
    model.src_embedding.forward = lambda ids: embedded(ids) * scale  # type: ignore[method-assign]
    return model


def rows(model: Transformer) -> Transformer:
    """Give the output layer rows of its own, as large as an embedding's at first."""
    fresh = torch.randn(model.output_layer.weight.shape, generator=torch.Generator().manual_seed(1))
    model.output_layer = copy.deepcopy(model.output_layer)
    model.output_layer.weight = nn.Parameter(fresh / model.config.d_model**0.5)
    return model


WIRINGS = {way.__name__: way for way in (whole, causal, heads, words, order, factor, rows)}


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    stated = {
        "whole": 99,
        "causal": 83,
        "heads": 78,
        "words": 27,
        "order": 0,
        "factor": 0,
        "rows": 0,
    }
    return {f"{wiring}: {number}": right(wiring) == number for wiring, number in stated.items()}
