"""What the playground takes out of the model, in PyTorch, and what it says of that in numbers."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from unittest.mock import patch

import torch
from torch import Tensor

from transformer import (
    PositionalEncoding,
    TokenEmbedding,
    Transformer,
    greedy_decode,
    padding_mask,
    record_attention,
)

PADDING = 8  # as many as run.js adds
HIDDEN = slice(1, 3)  # places of the source
CHANGES: dict[str, dict[str, str]] = {  # the address of each in the playground
    "hide": {"hide": "2,3"},
    "mute": {"mute": "bridge.2.2"},
    "without_score_division": {"without": "score_division"},
    "without_embedding_scale": {"without": "embedding_scale"},
    "without_positions": {"without": "positions"},
    "without_causal_mask": {"without": "causal_mask"},
    "without_padding_mask": {"without": "padding_mask"},
}
MUTED = ("decoder.layers.1.cross_attention", slice(32, 64))  # its second head of four


@contextmanager
def changed(model: Transformer, what: str) -> Iterator[None]:
    """Make the change of an intervention in PyTorch."""
    masks = "transformer.model.transformer"

    def ones(*size: int) -> Tensor:
        return torch.ones(1, 1, *size, dtype=torch.bool)

    if what == "hide":

        def hiding(ids: Tensor, pad_id: int) -> Tensor:
            mask = padding_mask(ids, pad_id)
            if ids[0, 0] != model.config.bos_id:
                mask[..., HIDDEN] = False
            return mask

        with patch(f"{masks}.padding_mask", hiding):
            yield
    elif what == "mute":
        name, columns = MUTED
        projection = model.get_submodule(name).out_proj

        def zero(_: object, inputs: tuple[Tensor]) -> Tensor:
            heads = inputs[0].clone()
            heads[..., columns] = 0
            return heads

        hook = projection.register_forward_pre_hook(zero)
        yield
        hook.remove()
    elif what == "without_score_division":

        def attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
            kernel = torch.nn.functional.scaled_dot_product_attention
            return kernel(q, k, v, mask, scale=1)

        def scores(query: Tensor, key: Tensor) -> Tensor:
            return query @ key.mT

        recorded = "transformer.inference.attention_recording.attention_scores"
        with (
            patch("transformer.model.attention.MultiHeadAttention.attend", staticmethod(attend)),
            patch(recorded, scores),
        ):
            yield
    elif what == "without_embedding_scale":
        real = TokenEmbedding.forward

        def unscaled(self: TokenEmbedding, ids: Tensor) -> Tensor:
            return real(self, ids) / self.weight.size(1) ** 0.5

        with patch.object(TokenEmbedding, "forward", unscaled):
            yield
    elif what == "without_positions":
        with patch.object(PositionalEncoding, "forward", lambda self, x, start=0: x):
            yield
    elif what == "without_causal_mask":
        with patch(f"{masks}.causal_mask", lambda n, _: ones(n, n)):
            yield
    else:
        everyone = lambda ids, _: ones(1, ids.size(1))  # noqa: E731
        with patch(f"{masks}.padding_mask", everyone):
            yield


def written_anew(model: Transformer, src: Tensor, most: int) -> list[int]:
    """Decode greedily without a cache: every step reads the whole beginning again."""
    tgt = [model.config.bos_id]
    for _ in range(most):
        logits = model(src, torch.tensor([tgt]))[0, -1]
        logits[[model.config.pad_id, model.config.bos_id]] = -torch.inf
        tgt.append(int(logits.argmax()))
        if tgt[-1] == model.config.eos_id:
            return tgt[1:-1]
    return tgt[1:]


class Run(NamedTuple):
    """A greedy translation: what was read and written (the end too), and how."""

    src: list[int]
    ids: list[int]
    probs: Tensor  # of the next token at each step, shape (step, vocabulary)
    weights: dict[str, Tensor]  # of each attention by name, shape (head, query, key)


@torch.no_grad()
def run(model: Transformer, src: list[int], what: str | None = None) -> Run:
    """Translate; `what` has been changed, and where it is the causal mask no cache may hide it."""
    config = model.config
    most = len(src) + 50
    batch = torch.tensor([src + [config.pad_id] * PADDING * (what == "without_padding_mask")])
    if what == "without_causal_mask":
        written = written_anew(model, batch, most)
    else:
        written = greedy_decode(model, batch, max_new_tokens=most)[0]
    tgt = [config.bos_id, *written]
    ids = [*written, config.eos_id] if len(written) < most else written
    steps = [model(batch, torch.tensor([tgt[: step + 1]]))[0, -1] for step in range(len(ids))]
    with record_attention(model) as weights:
        model(batch, torch.tensor([tgt]))
    found = {name: recorded[0] for name, [recorded] in weights.items()}
    return Run(src, ids, torch.stack(steps).softmax(dim=-1), found)


def compared(model: Transformer, src: list[int], what: str) -> tuple[Run, Run]:
    """The model as it is, and changed."""
    before = run(model, src)
    with changed(model, what):
        return before, run(model, src, what)


@torch.no_grad()
def explained(model: Transformer, what: str, before: Run, after: Run) -> list[float]:
    """The numbers in what the page says of this change; see interventions.js."""
    src = torch.tensor([before.src])
    if what == "hide":
        return [hidden_shares(before).max().item()]
    if what == "mute":
        return [muted_share(model, before)]
    if what == "without_score_division":
        return [largest_weights(before), largest_weights(after)]
    if what == "without_embedding_scale":
        words = model.src_embedding(src)
        places = model.src_position(torch.zeros_like(words))
        with changed(model, what):
            unscaled = model.src_embedding(src)
        return [vectors.norm(dim=-1).mean().item() for vectors in (words, places, unscaled)]
    if what == "without_positions":
        with changed(model, what):
            straight, reverse = model.encode(src), model.encode(src.flip(1))
        return [(straight - reverse.flip(1)).abs().max().item()]
    if what == "without_causal_mask":
        return [future_share(after), future_share(before)]
    shares = {name: w[..., len(before.src) :].sum(dim=-1) for name, w in after.weights.items()}
    return [
        torch.stack([share for name, share in shares.items() if part in name]).mean().item()
        for part in ("encoder", "cross_attention")
    ]


def hidden_shares(before: Run) -> Tensor:
    """What each step gives the hidden words, over layers and heads of cross-attention."""
    bridge = torch.cat([w for name, w in before.weights.items() if "cross_attention" in name])
    return bridge.mean(dim=0)[:, HIDDEN].sum(dim=-1)


def muted_share(model: Transformer, before: Run) -> float:
    """How long the muted head's part of its sub-layer's output is, beside the whole."""
    name, columns = MUTED
    attention = model.get_submodule(name)
    heads: list[Tensor] = []
    hook = attention.out_proj.register_forward_pre_hook(lambda _, given: heads.append(given[0]))
    tgt = torch.tensor([[model.config.bos_id, *before.ids[:-1]]])
    model(torch.tensor([before.src]), tgt)
    hook.remove()
    part = heads[0][..., columns] @ attention.out_proj.weight[:, columns].T
    return (part.norm(dim=-1) / attention.out_proj(heads[0]).norm(dim=-1)).mean().item()


def future_share(run: Run) -> float:
    """What the decoder's self-attention gives later tokens."""
    own = [w for n, w in run.weights.items() if n.startswith("decoder") and "self" in n]
    return torch.cat(own).triu(1).sum(dim=-1).mean().item()


def largest_weights(run: Run) -> float:
    return torch.cat([w.amax(dim=-1).flatten() for w in run.weights.values()]).mean().item()


def parted(before: Run, after: Run) -> tuple[int, list[float]]:
    """The step where the translations part, or the token that lost most; and its probabilities.

    Where none lost a percentage point there are no probabilities.
    """
    differ = [a != b for a, b in zip(before.ids, after.ids, strict=False)]
    if True in differ:
        at = differ.index(True)
        old, new = before.ids[at], after.ids[at]
        return at, [
            p.item() for p in (before.probs[at, old], after.probs[at, old], after.probs[at, new])
        ]
    steps = torch.arange(len(before.ids))
    p, q = before.probs[steps, before.ids], after.probs[steps, before.ids]
    at = int((p - q).argmax())
    return at, [p[at].item(), q[at].item()] if p[at] - q[at] >= 0.01 else []
