"""`transformer trace`: record one run of a model."""

from typing import Annotated, Literal

import torch
import typer

from transformer.cli.options import Device, KnownModel, is_hand_made, load
from transformer.cli.output import check_output, open_output
from transformer.device import find_device
from transformer.inference.decoding import greedy_decode
from transformer.model.masks import padding_mask
from transformer.model.transformer import Transformer
from transformer.tracing import trace as trace_calls


def trace(
    run: Annotated[
        Literal["construction", "forward", "step"], typer.Argument(help="What to record.")
    ] = "forward",
    sentence: Annotated[
        str | None,
        typer.Option(help="The sentence that the model reads; a short one when not given."),
    ] = None,
    model: KnownModel = None,
    device: Device = "auto",
) -> None:
    """Run the model and print which function called which, with every shape.

    construction: the model is made. forward: a sentence and its translation, from ids to logits.
    step: one more token with the cache, after the first.
    """
    check_output("standard output", None, model)
    network, tokenizer = load(model)
    if sentence is None:
        sentence = "cats beat dogs" if is_hand_made(model) else "the cat is sleeping ."
    where = find_device(device)
    network.to(where)
    src = torch.tensor([tokenizer.encode_source(sentence)], device=where)
    written = greedy_decode(network, src)[0]
    tgt = torch.tensor([[tokenizer.bos_id, *written]], device=where)
    if run == "construction":
        tree = trace_calls(Transformer, network.config)
    elif run == "forward":
        tree = trace_calls(network, src, tgt)
    else:
        memory, mask = network.encode(src), padding_mask(src, network.config.pad_id)
        cache = network.new_cache()
        network.decode(tgt[:, :1], memory, mask, cache)
        tree = trace_calls(network.decode, tgt[:, 1:2], memory, mask, cache)
    with open_output() as out:
        print(tree, file=out)
