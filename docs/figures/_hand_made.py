"""The hand-made model at work: every number of one sentence, and what each part is worth."""

import copy
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

import torch
from torch import Tensor, nn

from transformer import greedy_decode, hand_made_pairs, load_hand_made
from transformer.data.tokenizer import PAD_ID
from transformer.model.transformer import Transformer

SOURCE = "cats beat dogs yesterday"
TARGET = "貓昨天贏了狗"

ATTENTIONS = (
    "encoder.layers.0.self_attention",
    "decoder.layers.0.self_attention",
    "decoder.layers.0.cross_attention",
)
SUB_LAYERS = (
    ATTENTIONS[0],
    "encoder.layers.0.feed_forward",
    *ATTENTIONS[1:],
    "decoder.layers.0.feed_forward",
)


@cache
def batch() -> tuple[Tensor, Tensor]:
    """Return the ids of all sentences, filled up with padding: sources and targets."""
    _, tokenizer = load_hand_made()
    pairs = hand_made_pairs()
    columns = (
        [tokenizer.encode_source(source) for source in pairs],
        [tokenizer.encode_target(target) for target in pairs.values()],
    )
    sources, targets = (
        nn.utils.rnn.pad_sequence([torch.tensor(ids) for ids in column], True, PAD_ID)
        for column in columns
    )
    return sources, targets


@torch.no_grad()
def wrong_by_greedy(model: Transformer) -> int:
    """Count the sentences that the model does not write as it should."""
    sources, targets = batch()
    written = greedy_decode(model, sources, max_new_tokens=9)
    right = [[i for i in ids if i > model.config.eos_id] for ids in targets.tolist()]
    return sum(a != b for a, b in zip(written, right, strict=True))


@torch.no_grad()
def wrong_by_forcing(model: Transformer, hide_future: bool = True) -> int:
    """Count the sentences with a wrong next token somewhere, though all before it are given."""
    sources, targets = batch()
    reads, writes = targets[:, :-1], targets[:, 1:]
    src_mask = sources[:, None, None] != PAD_ID
    tgt_mask = reads[:, None, None] != PAD_ID
    if hide_future:
        tgt_mask = tgt_mask & torch.ones(reads.size(1), reads.size(1), dtype=torch.bool).tril()
    x = model.tgt_position(model.tgt_embedding(reads))
    x = model.decoder(x, model.encoder(model.src_position(model.src_embedding(sources)), src_mask),
                      tgt_mask, src_mask)  # fmt: skip
    logits = model.project(x)
    logits[..., : model.config.eos_id] = -torch.inf  # <pad> and <bos> are never written
    missed = (logits.argmax(-1) != writes) & (writes != PAD_ID)
    return int(missed.any(dim=1).sum())


def ablations() -> Iterator[tuple[str, str, Transformer]]:
    """Yield a part, what of it is taken out, and the model without that."""
    whole, _ = load_hand_made()

    def without(change: Callable[[Transformer], object]) -> Transformer:
        model = copy.deepcopy(whole)
        with torch.no_grad():
            change(model)
        return model

    for name in SUB_LAYERS:
        if name in ATTENTIONS:
            for head in (1, 2):
                yield name, f"head {head}", without(partial(_mute, name=name, head=head))
        yield name, "sub-layer", without(partial(_silence, name=name))
        yield name, "residual", without(partial(_no_residual, name=name))
        yield name, "norm", without(partial(_no_norm, names=[name]))
        if name not in ATTENTIONS:
            yield name, "relu", without(partial(_no_relu, name=name))
    for side in ("src", "tgt"):
        yield side, "positions", without(partial(_no_positions, side=side))
        yield side, "scale", without(partial(_no_scale, side=side))
    yield "all", "norm", without(partial(_no_norm, names=SUB_LAYERS))
    yield "all", "division", without(_no_division)


def _weight(model: Transformer, name: str) -> Tensor:
    return model.get_submodule(name).get_parameter("weight")


def _no_positions(model: Transformer, side: str) -> None:
    model.get_submodule(f"{side}_position").get_buffer("table").zero_()


def _no_scale(model: Transformer, side: str) -> None:
    _weight(model, f"{side}_embedding").div_(8**0.5)


def _no_division(model: Transformer) -> None:
    for name in ATTENTIONS:
        _weight(model, f"{name}.q_proj").mul_(2)


def _mute(model: Transformer, name: str, head: int) -> None:
    _weight(model, f"{name}.out_proj")[:, 4 * head - 4 : 4 * head].zero_()


def _silence(model: Transformer, name: str) -> None:
    last = "out_proj" if name in ATTENTIONS else "contract"
    _weight(model, f"{name}.{last}").zero_()


def _no_residual(model: Transformer, name: str) -> None:
    part: Any = model.get_submodule(name)
    whole = part.forward
    part.forward = lambda x, *more: whole(x, *more) - x


def _no_norm(model: Transformer, names: Sequence[str]) -> None:
    for name in names:
        model.set_submodule(f"{name}_norm", nn.Identity())


def _no_relu(model: Transformer, name: str) -> None:
    part: Any = model.get_submodule(name)
    part.forward = lambda x: part.contract(part.expand(x))


@cache
def worth() -> dict[tuple[str, str], int]:
    """Return how many of the 90 sentences are wrong without each part, by greedy decoding."""
    return {(part, what): wrong_by_greedy(model) for part, what, model in ablations()}


@cache
def idle() -> dict[str, list[tuple[str, str | None]]]:
    """Return the written numbers that can be 0, each alone, with all 90 right; by part."""
    from transformer.inference.hand_made import hand_made_numbers

    model, _ = load_hand_made()
    found: dict[str, list[tuple[str, str | None]]] = {}
    for cell in hand_made_numbers():
        weight = model.get_submodule(cell.part).get_parameter("weight" if cell.column else "bias")
        with torch.no_grad():
            weight[cell.index] = 0
            if not wrong_by_forcing(model):
                found.setdefault(cell.part, []).append((cell.row, cell.column))
            weight[cell.index] = cell.value
    return found


@cache
@torch.no_grad()
def numbers() -> dict[str, Tensor]:
    """Return every table of the book's small sentence, one row a word, in the order of the work.

    Names: `src.` and `tgt.` are the two sides, `enc.`, `self.` and `cross.` the three attentions;
    of a head only what the file fills is kept.
    """
    model, tokenizer = load_hand_made()
    src = torch.tensor([tokenizer.encode_source(SOURCE)])
    tgt = torch.tensor([tokenizer.encode_target(TARGET)])
    table: dict[str, Tensor] = {"src.ids": src, "tgt.ids": tgt}

    def attend(name: str, attention: Any, x: Tensor, memory: Tensor, causal: bool) -> Tensor:
        q, k, v = attention.q_proj(x), attention.k_proj(memory), attention.v_proj(memory)
        table.update({f"{name}.q": q, f"{name}.k": k, f"{name}.v": v})
        outputs = []
        for head, cut in (("a", slice(0, 4)), ("b", slice(4, 8))):
            scores = q[..., cut] @ k[..., cut].transpose(1, 2) / 2
            if causal:
                future = torch.ones(scores.shape[1:], dtype=torch.bool).triu(1)
                scores = scores.masked_fill(future, -torch.inf)
            weights = scores.softmax(-1)
            outputs.append(weights @ v[..., cut])
            table.update({f"{name}.scores.{head}": scores, f"{name}.weights.{head}": weights})
        table[f"{name}.heads"] = torch.cat(outputs, -1)
        return attention.out_proj(table[f"{name}.heads"])

    def add(name: str, x: Tensor, found: Tensor, norm: Any) -> Tensor:
        table.update({f"{name}.found": found, f"{name}.sum": x + found})
        table[f"{name}.norm"] = norm(x + found)
        return table[f"{name}.norm"]

    def think(name: str, x: Tensor, network: Any) -> Tensor:
        table[f"{name}.neuron"] = network.expand(x)
        return network.contract(network.expand(x).relu())

    def embed(side: str, ids: Tensor) -> Tensor:
        embedded = model.get_submodule(f"{side}_embedding")(ids)
        x = model.get_submodule(f"{side}_position")(embedded)
        table.update({f"{side}.embedding": embedded, f"{side}.position": x - embedded})
        table[f"{side}.x"] = x
        return x

    layer: Any = model.encoder.layers[0]
    x = embed("src", src)
    found = attend("enc", layer.self_attention, x, x, False)
    x = add("enc", x, found, layer.self_attention_norm)
    memory = add("src.ffn", x, think("src.ffn", x, layer.feed_forward), layer.feed_forward_norm)

    layer = model.decoder.layers[0]
    x = embed("tgt", tgt[:, :-1])
    found = attend("self", layer.self_attention, x, x, True)
    x = add("self", x, found, layer.self_attention_norm)
    found = attend("cross", layer.cross_attention, x, memory, False)
    x = add("cross", x, found, layer.cross_attention_norm)
    x = add("tgt.ffn", x, think("tgt.ffn", x, layer.feed_forward), layer.feed_forward_norm)
    table["logits"] = model.project(x)
    table["probabilities"] = table["logits"].softmax(-1)
    right = table["probabilities"].gather(-1, tgt[:, 1:, None])
    table["loss"] = -right.log()
    return {name: rows[0] for name, rows in table.items()}


def words() -> tuple[list[str], list[str], list[str]]:
    """Return the words of the source, those that the decoder reads, and those it writes."""
    _, tokenizer = load_hand_made()
    source = tokenizer.pieces(tokenizer.encode_source(SOURCE))
    target = tokenizer.pieces(tokenizer.encode_target(TARGET))
    return source, target[:-1], target[1:]
