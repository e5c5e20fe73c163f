"""What a training step of the base model keeps in memory, by the size of its batch."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor, nn
from torch.autograd.graph import saved_tensors_hooks
from torch.utils.checkpoint import checkpoint

from docs.figures._style import ACCENT, INK, MUTED, SECOND
from transformer import Transformer, TransformerConfig, count_parameters, padding_mask
from transformer.training.loss import label_smoothed_cross_entropy

Translate = Callable[[str], str]

ALT = (
    "Three bars of gigabytes for a base model in float32. With 2,048 tokens on each side: 1.0 for "
    "weights, gradients and Adam, 0.9 for the activations of the layers, 0.3 for "
    "log-probabilities. With 25,000 tokens: the same 1.0, then 10.9 and 3.8. With 25,000 tokens "
    "and activation checkpointing: 1.0, then 0.8 and 3.8."
)
IDS = 37_000
SENTENCES, LENGTH = 4, 50  # what is counted; all else is in proportion to the tokens
BATCHES = (2048, 25_000)


def draw(t: Translate) -> Figure:
    """Draw a bar for each batch, and one with checkpointing."""
    names = [t("{tokens} tokens").format(tokens=f"{tokens:,}") for tokens in BATCHES]
    names.append(t("{tokens} tokens,\ncheckpointing").format(tokens=f"{BATCHES[-1]:,}"))
    parts = (
        (t("weights, gradients, Adam"), MUTED),
        (t("activations of the layers"), ACCENT),
        (t("log-probabilities of all ids"), SECOND),
    )
    fig = Figure(figsize=(4.8, 3.2), layout="constrained")
    axes = fig.subplots()
    left = [0.0] * len(names)
    for (name, colour), sizes in zip(parts, zip(*bars(), strict=True), strict=True):
        axes.barh(names, sizes, left=left, color=colour, label=name, height=0.6)
        left = [a + b for a, b in zip(left, sizes, strict=True)]
    for row, total in enumerate(left):
        axes.text(total + 0.2, row, f"{total:.1f} GB", va="center", color=INK)
    axes.invert_yaxis()
    axes.set(xlabel=t("GB in float32, counted"), xlim=(0, 19.5), xticks=range(0, 20, 5))
    axes.spines[["top", "right"]].set_visible(False)
    fig.legend(loc="outside lower center", ncols=1, frameon=False)
    fig.suptitle(t("A large batch fills the memory, the weights do not"), size=11)
    return fig


def bars() -> list[tuple[float, float, float]]:
    """Return gigabytes for each bar: what Adam needs, activations of layers and of the loss."""
    parameters, _, _ = per_token(save_memory=False)
    adam = 16 * parameters / 1e9  # weight, gradient and two means, four bytes each
    cases = [(tokens, False) for tokens in BATCHES] + [(BATCHES[-1], True)]
    counted = ((tokens, per_token(save_memory)) for tokens, save_memory in cases)
    return [(adam, tokens * one[1] / 1e9, tokens * one[2] / 1e9) for tokens, one in counted]


@cache
def per_token(save_memory: bool) -> tuple[int, float, float]:
    """Return the model's parameters, and bytes kept a token: by the layers, and by the loss."""
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(IDS, IDS, share_embeddings=True, tie_output=True))
    if save_memory:
        for layer in (*model.encoder.layers, *model.decoder.layers):
            _checkpointed(layer)
    src = torch.randint(4, IDS, (SENTENCES, LENGTH))
    tgt = torch.randint(4, IDS, (SENTENCES, LENGTH + 1))
    with _counted(model) as layers:
        memory = model.encode(src)
        states = model.decode(tgt[:, :-1], memory, padding_mask(src, pad_id=0))
    with _counted(model) as loss:
        label_smoothed_cross_entropy(model.project(states), tgt[:, 1:])
    by_layers, by_loss = (sum(found.values()) / src.numel() for found in (layers, loss))
    return count_parameters(model)["total"], by_layers, by_loss


def _checkpointed(layer: nn.Module) -> None:
    """Let a layer keep its input alone, and compute the rest again in the backward pass."""
    forward = layer.forward

    def keep_input_alone(*args: Any, **options: Any) -> Any:
        return checkpoint(forward, *args, use_reentrant=False, **options)

    layer.forward = keep_input_alone


@contextmanager
def _counted(model: nn.Module) -> Iterator[dict[int, int]]:
    """Collect the bytes of each tensor kept for the backward pass, the model's own aside."""
    own = {
        tensor.untyped_storage().data_ptr() for tensor in (*model.parameters(), *model.buffers())
    }
    sizes: dict[int, int] = {}
    kept: list[Tensor] = []  # so that no other tensor gets its place

    def pack(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            sizes[storage.data_ptr()] = storage.nbytes()
            kept.append(tensor)
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        yield sizes


def claims() -> dict[str, bool]:
    """Say of the numbers in the description whether they are so."""
    rounded = [tuple(round(size, 1) for size in bar) for bar in bars()]
    return {
        "the three bars": rounded == [(1.0, 0.9, 0.3), (1.0, 10.9, 3.8), (1.0, 0.8, 3.8)],
    }
