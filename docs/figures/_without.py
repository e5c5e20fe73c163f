"""Train the model without one of its parts, or with a part changed, and see how much is lost.

`python -m docs.figures._without`, or `make ablations`, writes docs/measured/without.json, which the
page on ablations and numbers of many chapters come from: about two and a half hours on two cores.
`_variants_run` says how the runs are made, and goes on where one stopped.
"""

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from docs.figures._variants_run import Variant, measure
from transformer import (
    DecoderLayer,
    EncoderLayer,
    MultiHeadAttention,
    TokenEmbedding,
    Transformer,
)
from transformer.variants import NoPositions


class Nothing(nn.Module):
    """A sub-layer that finds nothing: what is added to the state is zero."""

    def forward(self, x: Tensor, *_: object, **__: object) -> Tensor:
        return torch.zeros_like(x)


def residuals(model: Transformer) -> None:
    """Each sub-layer's output replaces the state, and is not added to it."""
    for layer in model.encoder.layers:
        layer.forward = _encoder_layer.__get__(layer)
    for layer in model.decoder.layers:
        layer.forward = _decoder_layer.__get__(layer)


def _encoder_layer(self: EncoderLayer, x: Tensor, mask: Tensor | None = None) -> Tensor:
    x = self.self_attention_norm(self.dropout(self.self_attention(x, x, x, mask)))
    return self.feed_forward_norm(self.dropout(self.feed_forward(x)))


def _decoder_layer(
    self: DecoderLayer,
    x: Tensor,
    memory: Tensor,
    tgt_mask: Tensor | None = None,
    src_mask: Tensor | None = None,
    cache: Any = None,
) -> Tensor:
    own, cross = (None, None) if cache is None else (cache.self_attention, cache.cross_attention)
    x = self.self_attention_norm(self.dropout(self.self_attention(x, x, x, tgt_mask, own)))
    found = self.cross_attention(x, memory, memory, src_mask, cross)
    x = self.cross_attention_norm(self.dropout(found))
    return self.feed_forward_norm(self.dropout(self.feed_forward(x)))


def norms(model: Transformer) -> None:
    for layer in (*model.encoder.layers, *model.decoder.layers):
        for name, _ in list(layer.named_children()):
            if name.endswith("_norm"):
                setattr(layer, name, nn.Identity())


def feed_forward(model: Transformer) -> None:
    for layer in (*model.encoder.layers, *model.decoder.layers):
        layer.feed_forward = Nothing()


def embedding_scale(model: Transformer) -> None:
    """Embeddings are not multiplied by √d_model."""
    embedding = model.src_embedding  # shared with the target
    setattr(embedding, "forward", _unscaled.__get__(embedding))  # noqa: B010


def _unscaled(self: TokenEmbedding, ids: Tensor) -> Tensor:
    vectors = F.embedding(ids, self.weight)
    return vectors.masked_fill((ids == self.pad_id).unsqueeze(-1), 0)


def score_division(model: Transformer) -> None:
    """Scores are not divided by √dₖ: the queries are so much larger."""
    for module in model.modules():
        if isinstance(module, MultiHeadAttention):
            root = math.sqrt(module.q_proj.out_features // module.num_heads)
            module.q_proj.register_forward_hook(lambda _, __, out, root=root: out * root)


def smaller_queries(model: Transformer) -> None:
    """Scores are not divided; at the start the queries are so much smaller, as in T5."""
    score_division(model)
    for module in model.modules():
        if isinstance(module, MultiHeadAttention):
            root = math.sqrt(module.q_proj.out_features // module.num_heads)
            module.q_proj.weight.data /= root


def encoder(model: Transformer) -> None:
    """The decoder reads the embedded source, with positions, as it is."""
    model.encoder.layers = nn.ModuleList()


def self_attention(model: Transformer) -> None:
    """The decoder's tokens do not see each other."""
    for layer in model.decoder.layers:
        layer.self_attention = Nothing()


def cross_attention(model: Transformer) -> None:
    """The decoder sees nothing of the source: every row of the memory is zero."""
    model.encoder.register_forward_hook(lambda _, __, memory: 0 * memory)


VARIANTS = {
    "nothing": Variant(retuned=True),
    "positions": Variant(parts={"position": NoPositions}),
    "residuals": Variant(change=residuals, retuned=True),
    "norms": Variant(change=norms, retuned=True),
    "pre_norm": Variant(sizes={"norm_first": True}, retuned=True),
    "feed_forward": Variant(change=feed_forward),
    "embedding_scale": Variant(change=embedding_scale, retuned=True),
    "score_division": Variant(change=score_division, retuned=True),
    "smaller_queries": Variant(change=smaller_queries),
    "one_head": Variant(sizes={"num_heads": 1}),
    "eight_heads": Variant(sizes={"num_heads": 8}),
    "untied": Variant(sizes={"share_embeddings": False, "tie_output": False}),
    "smoothing": Variant(training={"label_smoothing": 0.0}),
    "averaged": Variant(training={"save_every": 25, "keep": 10}),  # nothing else averages
    "encoder": Variant(change=encoder),
    "self_attention": Variant(change=self_attention),
    "cross_attention": Variant(change=cross_attention),
}


if __name__ == "__main__":
    measure("without", VARIANTS)
