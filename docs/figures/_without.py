"""Train the model without one of its parts, and see how much it still translates.

`python -m docs.figures._without` writes docs/measured/without.json, which the figures `without_*`
draw: three seeds for each part, on the package's grammar, one run on each core: an hour on two.
Every run has the same sizes and the same number of steps, and runs of one seed the same
sentences in the same order. What is counted is how many validation sentences come out right,
letter by letter. Nothing is retuned, but for the division of the scores: there smaller learning
rates are tried with one seed, for the whole model too, and a smaller start.
"""

import json
import math
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from itertools import islice, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer import (
    Batch,
    DecoderLayer,
    EncoderLayer,
    GrammarPairs,
    MultiHeadAttention,
    Recipe,
    TokenEmbedding,
    Tokenizer,
    TrainingConfig,
    Transformer,
    batches,
    encode_pairs,
    generate_pairs,
    load_pretrained,
    train,
    translate,
)
from transformer.training.run_folder import RunFolder

RESULT = Path(__file__).parents[1] / "measured" / "without.json"
SEEDS = (0, 1, 2)
SIZES = Recipe(d_model=96, d_ff=384, batch_tokens=1024)
STEPS = 1000
WARMUP = 300
SENTENCES = 500
RATES = (0.003, 0.0015, 0.00075)  # the paper's highest rate is 0.0059 at these sizes
Change = Callable[[Transformer], None]


class Nothing(nn.Module):
    """A sub-layer that finds nothing: what is added to the state is zero."""

    def forward(self, x: Tensor, *_: object, **__: object) -> Tensor:
        return torch.zeros_like(x)


def positions(model: Transformer) -> None:
    for position in (model.src_position, model.tgt_position):
        nn.init.zeros_(position.get_buffer("table"))


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


def nothing(model: Transformer) -> None:
    """Leave all as it is."""


PARTS: dict[str, Change] = {
    "nothing": nothing,
    "positions": positions,
    "residuals": residuals,
    "norms": norms,
    "feed_forward": feed_forward,
    "embedding_scale": embedding_scale,
    "score_division": score_division,
    "smaller_queries": smaller_queries,
    "encoder": encoder,
    "self_attention": self_attention,
    "cross_attention": cross_attention,
}


def run(part: str, seed: int, rate: float | None = None) -> dict[str, Any]:
    """Train without a part; return the losses on validation, and how many sentences are right."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    tokenizer = load_pretrained()[1]
    model = Transformer(SIZES.config(tokenizer.vocab_size))
    PARTS[part](model)
    return trained(model, tokenizer, seed, rate)


def trained(
    model: Transformer, tokenizer: Tokenizer, seed: int, rate: float | None = None
) -> dict[str, Any]:
    """Train a model, and return the losses on validation, and how many sentences are right."""
    pairs = GrammarPairs()

    def epoch(number: int) -> Iterator[Batch]:
        ids = encode_pairs(pairs.epoch(number), tokenizer)
        return batches(ids, SIZES.batch_tokens, seed=seed, epoch=number)

    with TemporaryDirectory() as folder:
        config = TrainingConfig(
            steps=STEPS,
            warmup=WARMUP,
            peak_learning_rate=rate,
            seed=seed,
            log_every=50,
            save_every=STEPS,
        )
        with suppress(FloatingPointError):  # a gradient that is no number any more ends the run
            train(model, epoch, config, folder, bar=False)
        log = [json.loads(line) for line in RunFolder(folder).log.read_text("utf-8").splitlines()]
    some = list(islice(generate_pairs(0, "validation"), SENTENCES))
    outputs = translate(model.eval(), tokenizer, [pair.source for pair in some])
    right = sum(output == pair.target for output, pair in zip(outputs, some, strict=True))
    return {"right": right, "last_step": log[-1]["step"], "loss": [line["loss"] for line in log]}


if __name__ == "__main__":
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(run, *zip(*product(PARTS, SEEDS), strict=True))
        parts = {part: [next(found) for _ in SEEDS] for part in PARTS}
        tried = list(product(("nothing", "score_division"), RATES))
        ran = pool.map(run, *zip(*((part, 0, rate) for part, rate in tried), strict=True))
        rates = [{"part": p, "rate": r, **found} for (p, r), found in zip(tried, ran, strict=True)]
    document = {"steps": STEPS, "sentences": SENTENCES, **parts, "rates": {"runs": rates}}
    RESULT.write_text(json.dumps(document), "utf-8")
