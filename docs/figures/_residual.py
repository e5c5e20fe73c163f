"""An untrained encoder whose residual connections and normalizations can be left out."""

from collections.abc import Iterator
from typing import cast

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer import Encoder, EncoderLayer, Transformer, TransformerConfig, load_pretrained

SEEDS = (0, 1, 2)
WIDTH = 128
SENTENCE = "the cat ate two fish yesterday ."


def encoder(seed: int) -> tuple[Encoder, Tensor]:
    """Return the encoder of a new model, and what that model's embedding makes of the sentence."""
    torch.manual_seed(seed)
    _, tokenizer = load_pretrained()
    size = tokenizer.vocab_size
    config = TransformerConfig(size, size, d_model=WIDTH, num_heads=4, d_ff=4 * WIDTH, dropout=0.0)
    model = Transformer(config)
    ids = torch.tensor([tokenizer.encode_source(SENTENCE)])
    return model.encoder, model.src_position(model.src_embedding(ids))


def states(stack: Encoder, x: Tensor, *, residual: bool, norm: bool) -> Iterator[Tensor]:
    """Yield the states at the start and after each sub-layer."""
    yield x
    for layer in cast("list[EncoderLayer]", stack.layers):
        found = layer.self_attention(x, x, x)
        x = x + found if residual else found
        x = layer.self_attention_norm(x) if norm else x
        yield x
        found = layer.feed_forward(x)
        x = x + found if residual else found
        x = layer.feed_forward_norm(x) if norm else x
        yield x


def variance(x: Tensor) -> float:
    """Return the mean over all tokens of the variance of a token's numbers."""
    return x.var(dim=-1, correction=0).mean().item()


def likeness(x: Tensor) -> float:
    """Return the mean cosine between the states of two tokens of one sentence."""
    unit = F.normalize(x, dim=-1)
    count = x.size(1)
    total = (unit @ unit.transpose(1, 2)).sum(dim=(1, 2)) - count
    return (total / (count * (count - 1))).mean().item()
