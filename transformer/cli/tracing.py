"""`transformer trace`."""

from typing import Annotated, Literal

import torch
import typer

from transformer.cli.options import ModelFile, prepared
from transformer.inference.decoding import greedy_decode
from transformer.inference.shipped import PRETRAINED, load_pretrained
from transformer.model.masks import padding_mask
from transformer.model.transformer import Transformer
from transformer.tracing import trace as trace_calls


def trace(
    run: Annotated[
        Literal["construction", "forward", "step"], typer.Argument(help="What to record.")
    ] = "forward",
    sentence: Annotated[
        str, typer.Option(help="The sentence that the model reads.")
    ] = "the cat is sleeping .",
    model: ModelFile = PRETRAINED,
) -> None:
    """Run the model and print which function called which, with every shape.

    construction: the model is made. forward: a sentence and its translation, from ids to logits.
    step: one more token with the cache, after the first.
    """
    network, tokenizer = load_pretrained(model)
    src = torch.tensor([tokenizer.encode_source(prepared(sentence, model, tokenizer))])
    tgt = torch.tensor([[tokenizer.bos_id, *greedy_decode(network, src)[0]]])
    if run == "construction":
        print(trace_calls(Transformer, network.config))
    elif run == "forward":
        print(trace_calls(network, src, tgt))
    else:
        memory, mask = network.encode(src), padding_mask(src, network.config.pad_id)
        cache = network.new_cache()
        network.decode(tgt[:, :1], memory, mask, cache)
        print(trace_calls(network.decode, tgt[:, 1:2], memory, mask, cache))
