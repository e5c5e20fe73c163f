"""Real runs of the package, recorded as the calling sequences that pages show."""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from docs.builder.cache import Artifact, code_of

# The package is imported only when a tree is not in the cache: torch takes seconds to load.


def _record(run: Callable[..., object], *args: object) -> str:
    from transformer import trace

    return _dump(trace(run, *args))


def _dump(tree: Any) -> str:
    return json.dumps({"tree": asdict(tree), "text": str(tree)}, ensure_ascii=False)


def _base_config() -> Any:
    from transformer import TransformerConfig

    return TransformerConfig.base(vocab_size=37000)


def _ids(length: int) -> Any:
    """Return two sentences, the second filled up by one: else no mask would be needed."""
    import torch

    ids = torch.arange(3, 3 + 2 * length).view(2, length)
    ids[1, -1] = 0
    return ids


def model_construction() -> str:
    """Record the base model as it is made."""
    from transformer import Transformer

    return _record(Transformer, _base_config())


def model_forward() -> str:
    """Record the base model from ids to logits."""
    from transformer import Transformer

    return _record(Transformer(_base_config()).eval(), _ids(5), _ids(4))


def greedy_decoding() -> str:
    """Record the hand-made model writing a whole translation.

    What `encode` and the steps after the second call is left out: what is alike then folds.
    """
    import torch

    from transformer import greedy_decode, load_hand_made, trace

    model, tokenizer = load_hand_made()
    src = torch.tensor([tokenizer.encode_source("cats beat dogs yesterday")])
    tree = trace(greedy_decode, model, src)
    encode = next(call for call in tree.children if call.label == "Transformer.encode")
    steps = [call for call in tree.children if call.label == "_DecodingState.step"]
    for call in (encode, *steps[2:]):
        call.children = []
    last = steps[2]
    if any(step != last for step in steps[2:]):
        raise LookupError("the steps after the second are not alike")
    last.count = len(steps) - 2
    tree.children = [call for call in tree.children if call is last or call not in steps[2:]]
    return _dump(tree)


def attention_explicit() -> str:
    """Record causal self-attention with the formula written out."""
    import torch

    from transformer import ExplicitMultiHeadAttention, causal_mask

    x = torch.zeros(2, 4, 512)
    return _record(ExplicitMultiHeadAttention(512, 8), x, x, x, causal_mask(4))


def encoder_layer() -> str:
    """Record one encoder layer."""
    import torch

    from transformer import Transformer, TransformerConfig

    model = Transformer(TransformerConfig(100, 100)).eval()
    return _record(model.encoder.layers[0], torch.zeros(2, 5, 512))


def decoder_layer() -> str:
    """Record one decoder layer, four target tokens over a memory of five."""
    import torch

    from transformer import Transformer, TransformerConfig, causal_mask

    layer = Transformer(TransformerConfig(100, 100)).eval().decoder.layers[0]
    return _record(layer, torch.zeros(2, 4, 512), torch.zeros(2, 5, 512), causal_mask(4))


def _small() -> tuple[Any, Any, Any]:
    """Return a model with the sizes of the shipped one, its optimizer and its schedule."""
    import torch

    from transformer import Transformer, load_pretrained, noam_schedule

    shipped, _ = load_pretrained()
    model = Transformer(shipped.config)
    optimizer = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    return model, optimizer, noam_schedule(optimizer, shipped.config.d_model)


def _without_layers(forward: Any) -> None:
    """Leave out what `encode`, `decode` and `project` call: it is as in `model_forward`."""
    for call in forward.children:
        call.children = []


def update() -> str:
    """Record one update in five lines: forward, loss, backward, optimizer, schedule."""
    from transformer import label_smoothed_cross_entropy, trace

    model, optimizer, schedule = _small()
    src, tgt = _ids(5), _ids(5)

    def update() -> None:
        logits = model(src, tgt[:, :-1])
        loss = label_smoothed_cross_entropy(logits, tgt[:, 1:])
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        schedule.step()

    tree = trace(update)
    _without_layers(tree.children[0])
    return _dump(tree)


def training_step() -> str:
    """Record one update as the package's training loop makes it, its layers left out."""
    from transformer import collate, trace
    from transformer.training.loop import clip_gradients
    from transformer.training.teacher_forcing import accumulate_gradients

    model, optimizer, schedule = _small()
    batch = collate([([7, 8, 9, 10, 2], [1, 11, 12, 13, 2]), ([14, 15, 2], [1, 16, 2])])

    def step() -> None:
        accumulate_gradients(model, [batch])
        clip_gradients(model, max_norm=1.0)
        optimizer.step()
        optimizer.zero_grad()
        schedule.step()

    tree = trace(step)
    gradients = tree.children[0]
    _without_layers(
        next(call for call in gradients.children if call.label == "Transformer.forward")
    )
    return _dump(tree)


RUNS = (
    model_construction,
    model_forward,
    greedy_decoding,
    attention_explicit,
    encoder_layer,
    decoder_layer,
    update,
    training_step,
)
TREES = {run.__name__: run for run in RUNS}


def artifact(name: str) -> Artifact:
    """Return the run of this name, for the cache."""
    return Artifact("tree", name, (name, *code_of(Path(__file__))), TREES[name])
