"""Greedy decoding and beam search with the cache, without it, and Hugging Face's."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from benchmarks.contestants import marian, names, ours
from benchmarks.report import Row
from benchmarks.sizes import Sizes
from benchmarks.timing import fastest
from transformer import Transformer, beam_search, greedy_decode
from transformer.data.tokenizer import BOS_ID, EOS_ID, PAD_ID

BEAMS = 4
FASTER = 6.0  # with the cache than without, with enough rows in a step to keep the cores busy
NO_SLOWER = 1.0
Runs = dict[str, Callable[[], Any]]
NEVER = [PAD_ID, BOS_ID, EOS_ID]  # so that every sentence is as long as the limit


def decoding(sizes: Sizes) -> Iterator[Row]:
    """Yield a row for each comparison; ratio: their time over ours."""
    model, src = ours(sizes, 0.0, tie_output=False).eval(), sizes.ids(0)
    with torch.no_grad():
        model.output_layer.bias[NEVER] = -1e9  # a tied output layer has no bias
    hugging = marian(sizes, 0.0).eval() if "Marian" in names() else None
    for quarter in (1, 2, 3, 4):  # how the time grows with the length
        length = quarter * sizes.length // 4
        runs = _greedy(model, src, length, hugging if quarter == 4 else None)
        if quarter == 4:
            runs["whole model for each token"] = partial(greedy_from_scratch, model, src, length)
        limits = {"Marian": NO_SLOWER} if quarter == 4 else {}
        yield from _rows(f"greedy decoding, {length} tokens", fastest(runs, sizes.rounds), limits)

    length = sizes.length
    for batch in (1, 4 * sizes.batch):  # how it depends on the sentences that share a step
        ids = replace(sizes, batch=batch).ids(0)
        runs = _greedy(model, ids, length, hugging)
        limits = {"without cache": FASTER, "Marian": NO_SLOWER} if batch > 1 else {}
        what = f"greedy decoding, {length} tokens, {batch} at once"
        yield from _rows(what, fastest(runs, sizes.rounds), limits)

    few = src[: max(1, sizes.batch // BEAMS)]  # as many rows as above
    runs = {
        "ours": partial(beam_search, model, few, beam_size=BEAMS, max_new_tokens=length),
        "without cache": partial(beam_without_cache, model, few, BEAMS, length),
    }
    if hugging:
        runs["Marian"] = partial(
            generate, hugging, few, length, num_beams=BEAMS, length_penalty=0.6
        )
    yield from _rows(f"beam search, {BEAMS} beams", fastest(runs, sizes.rounds), {})


def _greedy(model: Transformer, src: Tensor, length: int, hugging: Any) -> Runs:
    """Return greedy decoding with the cache, without it, and Hugging Face's if it is given."""
    runs: Runs = {
        "ours": partial(greedy_decode, model, src, max_new_tokens=length),
        "without cache": partial(greedy_without_cache, model, src, length),
    }
    if hugging:
        runs["Marian"] = partial(generate, hugging, src, length)
    return runs


def generate(hugging: Any, src: Tensor, length: int, num_beams: int = 1, **options: Any) -> Any:
    """Decode with Hugging Face, as many tokens as ours."""
    limits = {"min_new_tokens": length, "max_new_tokens": length}
    return hugging.generate(src, do_sample=False, num_beams=num_beams, **limits, **options)


def _rows(what: str, times: dict[str, float], limits: dict[str, float]) -> Iterator[Row]:
    for other in [name for name in times if name != "ours"]:
        least = limits.get(other)
        yield Row(what, 0.0, "s", times["ours"], other, times[other], at_least=least)


@torch.inference_mode()
def greedy_without_cache(model: Transformer, src: Tensor, length: int) -> list[list[int]]:
    """Decode as code without a cache does: the whole prefix again for every token.

    The source is encoded once, and only the last position is projected.
    """
    ids = torch.full((len(src), 1), BOS_ID)
    memory, mask = model.encode(src), model.source_mask(src)
    for _ in range(length):
        logits = model.project(model.decode(ids, memory, mask)[:, -1:]).squeeze(1)
        ids = torch.cat([ids, logits.argmax(dim=-1, keepdim=True)], dim=1)
    return ids[:, 1:].tolist()


@torch.inference_mode()
def greedy_from_scratch(model: Transformer, src: Tensor, length: int) -> list[list[int]]:
    """Decode in the shortest way to write it: call the whole model for every token."""
    ids = torch.full((len(src), 1), BOS_ID)
    for _ in range(length):
        ids = torch.cat([ids, model(src, ids)[:, -1:].argmax(dim=-1)], dim=1)
    return ids[:, 1:].tolist()


@torch.inference_mode()
def beam_without_cache(model: Transformer, src: Tensor, beams: int, length: int) -> list[list[int]]:
    """Follow the best beams of each sentence, the whole prefix again for every token."""
    batch = len(src)
    ids = torch.full((batch * beams, 1), BOS_ID)
    scores = torch.full((batch, beams), -torch.inf)
    scores[:, 0] = 0.0  # one beam at first: all are alike
    memory = model.encode(src).repeat_interleave(beams, dim=0)
    mask = model.source_mask(src.repeat_interleave(beams, dim=0))
    for _ in range(length):
        states = model.decode(ids, memory, mask)[:, -1:]
        log_probs = model.project(states).squeeze(1).log_softmax(dim=-1)
        totals = (scores.view(-1, 1) + log_probs).view(batch, -1)
        scores, best = totals.topk(beams, dim=1)
        rows = best // log_probs.size(-1) + torch.arange(batch).unsqueeze(1) * beams
        tokens = best % log_probs.size(-1)
        ids = torch.cat([ids[rows.flatten()], tokens.view(-1, 1)], dim=1)
    return ids.view(batch, beams, -1)[:, 0, 1:].tolist()
