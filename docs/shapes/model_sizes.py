"""What a model of some sizes needs: counted on one that is built and run, not by a formula."""

import json
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from docs.builder.cache import Artifact, code_of

# The package is imported only when the counts are not in the cache: torch takes seconds to load.

Sizes = dict[str, Any]  # numbers, and the two switches

OWN = (
    "d_model", "num_heads", "num_encoder_layers", "num_decoder_layers", "d_ff",
    "share_embeddings", "tie_output",
)  # fmt: skip
INPUT = {"batch": 2, "src_len": 5, "tgt_len": 4}  # as in docs/figures/architecture.py
PRESETS = ("base", "big", "shipped")
VOCABULARY = 37_000  # of the paper's two models: "about 37000 tokens" (§5.1)


def artifact(preset: str) -> Artifact:
    """Return the sizes of all presets, and the counts of one of them, for the cache."""
    return Artifact("sizes", preset, (preset, *code_of(Path(__file__))), partial(_counted, preset))


def _counted(preset: str) -> str:
    presets = {name: sizes_of(name) for name in PRESETS}
    return json.dumps({"presets": presets, "counts": counts({**presets[preset], **INPUT})})


def sizes_of(preset: str) -> Sizes:
    """Return the sizes of one of the paper's models or of the shipped one."""
    from transformer import TransformerConfig, load_pretrained

    if preset == "shipped":
        config = load_pretrained()[0].config
    else:
        config = getattr(TransformerConfig, preset)(VOCABULARY)
    own = {name: getattr(config, name) for name in OWN}
    return {**own, "vocab_size": config.tgt_vocab_size}


def counts(sizes: Sizes) -> dict[str, dict[str, int]]:
    """Return parameters and multiply-adds by part, and bytes by what they are for."""
    from docs.figures._table_3 import by_part

    model = build(sizes, "meta")
    weights = sum(weight.nbytes for weight in model.parameters())
    memory = {
        "weights": weights,
        "optimizer": 3 * weights,  # gradients, and Adam's two averages
        "activations": kept_for_backward(sizes),
        "cache": cached(sizes),
    }
    return {"parameters": by_part(model), "multiply_adds": multiply_adds(sizes), "memory": memory}


def build(sizes: Sizes, device: str) -> Any:
    """Build a model whose weights may be any numbers, or, on the meta device, none."""
    import torch

    from transformer import Transformer, TransformerConfig

    vocabulary, longest = sizes["vocab_size"], max(sizes["src_len"], sizes["tgt_len"])
    own = {name: sizes[name] for name in OWN}
    with torch.device("meta"):
        model = Transformer(TransformerConfig(vocabulary, vocabulary, max_len=longest, **own))
    return model if device == "meta" else model.to_empty(device=device)


def ids(sizes: Sizes, side: str, device: str) -> Any:
    """Return ids for one side, all of them 1 but the last, which is padding: so masks are made."""
    import torch

    ids = torch.ones(sizes["batch"], sizes[side], dtype=torch.long, device=device)
    ids[-1, -1] = 0
    return ids


def multiply_adds(sizes: Sizes) -> dict[str, int]:
    """Count the multiply-adds of all matrix products of a forward pass, by part.

    Those of queries with keys and of weights with values also count as `scores`.
    """
    from torch.utils.flop_counter import FlopCounterMode

    from transformer import ExplicitMultiHeadAttention, MultiHeadAttention

    model = build(sizes, "meta")
    for module in model.modules():
        if type(module) is MultiHeadAttention:  # the counter does not see into the fused kernel
            module.__class__ = ExplicitMultiHeadAttention
    with FlopCounterMode(display=False) as counter:
        model(ids(sizes, "src_len", "meta"), ids(sizes, "tgt_len", "meta"))
    found: Counter[str] = Counter()
    for module, operations in counter.get_flop_counts().items():
        match module.split("."):
            case [_, stack, "layers", _, part]:
                found[f"{stack}.{part}"] += sum(operations.values()) // 2
                batched = (flops for name, flops in operations.items() if "bmm" in str(name))
                found["scores"] += sum(batched) // 2
            case [_, "output_layer"]:
                found["output_layer"] += sum(operations.values()) // 2
    return dict(found)


def kept_for_backward(sizes: Sizes) -> int:
    """Return the bytes of the floating-point numbers that autograd keeps of a training step.

    They come from a forward pass with dropout, on the CPU, and from its loss; weights do not count.
    """
    import torch
    from torch.autograd.graph import saved_tensors_hooks

    from transformer import label_smoothed_cross_entropy

    model = build(sizes, "cpu").train()
    src, tgt = ids(sizes, "src_len", "cpu"), ids(sizes, "tgt_len", "cpu")
    kept: dict[int, torch.Tensor] = {}  # by place: several operations may keep the same numbers

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        if tensor.is_floating_point():
            kept[tensor.untyped_storage().data_ptr()] = tensor
        return tensor

    with saved_tensors_hooks(keep, lambda tensor: tensor):
        label_smoothed_cross_entropy(model(src, tgt), tgt)
    weights = {weight.untyped_storage().data_ptr() for weight in model.parameters()}
    return sum(kept[place].untyped_storage().nbytes() for place in kept.keys() - weights)


def cached(sizes: Sizes) -> int:
    """Return the bytes of keys and values that the cache holds when the target is written."""
    import torch

    model = build(sizes, "meta")
    cache = model.new_cache()
    with torch.no_grad():
        memory = model.encode(ids(sizes, "src_len", "meta"))
        model.decode(ids(sizes, "tgt_len", "meta"), memory, None, cache)
    attentions = [
        one for layer in cache.layers for one in (layer.self_attention, layer.cross_attention)
    ]
    return sum(tensor.nbytes for attention in attentions for tensor in attention.entries)
