"""From a source sentence to target ids: greedy decoding, beam search and sampling (§6.1)."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer.arguments import (
    ArgumentError,
    ArgumentTypeError,
    check_ids,
    check_integer,
    check_number,
)
from transformer.evaluation_mode import evaluation_mode
from transformer.model.transformer import Transformer

Logits = Float[Tensor, "rows tgt_vocab_size"]

_MAX_PENALTY = 10.0  # the length decides alone long before; far above it numbers overflow
_FLOAT = torch.finfo(torch.float32)


@dataclass(frozen=True)
class Hypothesis:
    """One output of `beam_search`.

    Attributes:
        ids: Target ids, without `bos_id` and `eos_id`.
        score: `log_probability` divided by the length penalty.
        log_probability: Sum of the log-probabilities of the ids, and of the end token if it
            was reached.
        finished: Whether the end token was reached; if not, the limit cut the sentence.
    """

    ids: tuple[int, ...]
    score: float
    log_probability: float
    finished: bool


def greedy_decode(
    model: Transformer,
    src: Int[Tensor, "batch src_len"],
    *,
    max_new_tokens: int | None = None,
) -> list[list[int]]:
    """Translate a batch, taking the most probable token at every step.

    Runs in inference mode and without dropout; the model's own mode is restored. `pad_id` and
    `bos_id` are never chosen. A model from `torch.compile` decodes as the plain one inside it:
    only its `forward` is compiled.

    Args:
        model: The model.
        src: Source ids, filled up with `pad_id`, shape `(batch, src_len)`, on any device.
        max_new_tokens: Most tokens per sentence, the end token included. When None, the
            source's length (without padding) + 50, as in the paper, and at most `max_len - 1`.

    Returns:
        Target ids of each sentence, without `bos_id` and `eos_id`.

    Raises:
        TypeError: If an argument is of another type.
        ValueError: If `max_new_tokens` is out of range, the batch is empty, an id is outside
            the vocabulary, or a source is longer than `max_len`.
        FloatingPointError: If the model computes nan, as one with broken weights does.

    Example:
        >>> from transformer import TransformerConfig
        >>> model = Transformer(TransformerConfig(10, 10, d_model=8, num_heads=2, d_ff=16))
        >>> for parameter in model.output_layer.parameters():
        ...     _ = torch.nn.init.zeros_(parameter)
        >>> with torch.no_grad():
        ...     model.output_layer.bias[7] = 1.0  # 7 is always the most probable
        >>> greedy_decode(model, torch.tensor([[5, 6, 2], [5, 2, 0]]), max_new_tokens=4)
        [[7, 7, 7, 7], [7, 7, 7, 7]]
    """
    return _generate(model, src, max_new_tokens, lambda logits: logits.argmax(dim=-1))


def sample(
    model: Transformer,
    src: Int[Tensor, "batch src_len"],
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    generator: torch.Generator | None = None,
    max_new_tokens: int | None = None,
) -> list[list[int]]:
    """Translate a batch, drawing every token by its probability.

    Runs as `greedy_decode` does. One generator serves the whole batch, so what is drawn for a
    sentence depends on the sentences beside it. `top_k` and `top_p` may be combined.

    Args:
        model: The model.
        src: Source ids, filled up with `pad_id`, shape `(batch, src_len)`.
        temperature: Divides the logits: below 1 the probable becomes more so, above 1 less.
        top_k: Draw from this many most probable tokens only.
        top_p: Draw from the fewest most probable tokens that together reach this probability.
        generator: Where randomness comes from, on the model's device; PyTorch's default one
            when None.
        max_new_tokens: See `greedy_decode`.

    Returns:
        Target ids of each sentence, without `bos_id` and `eos_id`.

    Raises:
        TypeError: If an argument is of another type.
        ValueError: If an argument is out of range, or ids are as `greedy_decode` refuses them.
        FloatingPointError: As in `greedy_decode`.

    Example:
        >>> from transformer import TransformerConfig
        >>> model = Transformer(TransformerConfig(10, 10, d_model=8, num_heads=2, d_ff=16))
        >>> src = torch.tensor([[5, 6, 2], [5, 2, 0]])
        >>> sample(model, src, top_k=1) == greedy_decode(model, src)
        True
    """
    temperature = check_number("temperature", temperature, gt=0)
    temperature = min(max(temperature, _FLOAT.tiny), _FLOAT.max)  # as far as float32 goes
    if top_k is not None:
        check_integer("top_k", top_k, 1)
    if top_p is not None:
        check_number("top_p", top_p, gt=0, max=1)
    if not isinstance(generator, torch.Generator | None):
        raise ArgumentTypeError("generator", f"must be a torch.Generator: got {generator!r}")

    def draw(logits: Logits) -> Int[Tensor, " rows"]:
        vocab_size = logits.size(-1)
        values, tokens = logits.topk(min(top_k or vocab_size, vocab_size))  # best first
        probs = ((values - values[:, :1]) / temperature).softmax(dim=-1)
        if top_p is not None:
            before = probs.cumsum(dim=-1) - probs  # what the better tokens hold together
            beyond = before >= top_p
            beyond[:, 0] = False  # the best token stays, however small `top_p` is
            probs = probs.masked_fill(beyond, 0)
        drawn = torch.multinomial(probs, 1, generator=generator)
        return tokens.gather(1, drawn).squeeze(1)

    return _generate(model, src, max_new_tokens, draw)


def beam_search(
    model: Transformer,
    src: Int[Tensor, "batch src_len"],
    *,
    beam_size: int = 4,
    length_penalty: float = 0.6,
    max_new_tokens: int | None = None,
    num_best: int = 1,
) -> list[list[Hypothesis]]:
    """Translate a batch, following the `beam_size` most probable beginnings at once (§6.1).

    Each step extends every open beam by every token. Among the `beam_size` most probable
    extensions, those with the end token are finished and stay so; the best others, up to
    `beam_size`, stay open. A sentence is done when `beam_size` beams have finished, or when no
    open beam can reach the `num_best` any more. With `beam_size=1` this is greedy decoding.

    A hypothesis of n tokens, the end token included, scores its log-probability divided by
    ((5 + n) / 6) ** `length_penalty` (Wu et al. 2016, eq. 14). Runs as `greedy_decode` does;
    log-probabilities are the model's own: leaving out `pad_id` and `bos_id` does not change them.

    Args:
        model: The model.
        src: Source ids, filled up with `pad_id`, shape `(batch, src_len)`.
        beam_size: Beams of each sentence.
        length_penalty: The exponent (α), 0 to 10; 0 compares log-probabilities, more favours
            length.
        max_new_tokens: See `greedy_decode`.
        num_best: Hypotheses to return for each sentence.

    Returns:
        The `num_best` hypotheses of each sentence, best first; fewer where fewer exist. Those
            that the limit cut come after all that finished.

    Raises:
        TypeError: If an argument is of another type.
        ValueError: If an argument is out of range, or ids are as `greedy_decode` refuses them.
        FloatingPointError: As in `greedy_decode`.

    Example:
        >>> from transformer import TransformerConfig
        >>> model = Transformer(TransformerConfig(10, 10, d_model=8, num_heads=2, d_ff=16))
        >>> src = torch.tensor([[5, 6, 2], [5, 2, 0]])
        >>> [[best], _] = beam_search(model, src, beam_size=1)
        >>> list(best.ids) == greedy_decode(model, src)[0]
        True
    """
    check_integer("beam_size", beam_size, 1)
    if check_integer("num_best", num_best, 1) > beam_size:
        allowed = f"from 1 to beam_size={beam_size}"
        raise ArgumentError("num_best", f"must be {allowed}: got {num_best}")
    check_number("length_penalty", length_penalty, min=0, max=_MAX_PENALTY)

    def penalty(length: int) -> float:
        return ((5 + length) / 6) ** length_penalty

    def hypothesis(beam: _Beam) -> Hypothesis:
        score = beam.log_probability / penalty(len(beam.ids) - 1)  # without bos
        finished = beam.ids[-1] == model.config.eos_id
        ids = beam.ids[1:-1] if finished else beam.ids[1:]
        return Hypothesis(ids, score, beam.log_probability, finished)

    with _decoding(model, src, max_new_tokens) as (state, limits):
        bos_id, eos_id = model.config.bos_id, model.config.eos_id
        found: list[list[Hypothesis]] = [[] for _ in limits]
        beams = [_Beam(i, i, (bos_id,), 0.0) for i in range(len(limits))]
        while beams:
            logits = _refuse_nan(state.step([beam.ids[-1] for beam in beams]))
            log_probs = _ban_special_tokens_(logits.log_softmax(dim=-1), model)
            extended = _extend(beams, log_probs, beam_size)
            beams = []
            for sentence, best_first in extended.items():
                done, limit = found[sentence], limits[sentence]
                done += [hypothesis(b) for b in best_first[:beam_size] if b.ids[-1] == eos_id]
                done.sort(key=lambda h: h.score, reverse=True)
                still_open = [b for b in best_first if b.ids[-1] != eos_id][:beam_size]
                if len(best_first[0].ids) > limit:
                    done += [hypothesis(b) for b in still_open]
                elif len(done) < beam_size:
                    # Tokens to come only lower the log-probability, and the penalty is greatest
                    # at the limit: no open beam will score above its log-probability over that.
                    to_beat = done[num_best - 1].score if len(done) >= num_best else -math.inf
                    if still_open and still_open[0].log_probability / penalty(limit) > to_beat:
                        beams += still_open
            state.select([beam.row for beam in beams])
    return [done[:num_best] for done in found]


class _Beam(NamedTuple):
    sentence: int
    row: int  # where its past is in the cache
    ids: tuple[int, ...]  # bos_id first
    log_probability: float


def _extend(beams: list[_Beam], log_probs: Logits, beam_size: int) -> dict[int, list[_Beam]]:
    """Extend every beam by its best tokens; return the results by sentence, best first."""
    count = min(beam_size + 1, log_probs.size(-1))  # one of them may be the end token
    values, tokens = log_probs.topk(count)
    extended = defaultdict(list)
    for row, (beam, *best) in enumerate(zip(beams, values.tolist(), tokens.tolist())):
        for value, token in zip(*best):
            if value > -math.inf:
                total = beam.log_probability + value
                extended[beam.sentence].append(_Beam(beam.sentence, row, (*beam.ids, token), total))
    for candidates in extended.values():
        candidates.sort(key=lambda beam: beam.log_probability, reverse=True)
    return extended


def _generate(
    model: Transformer,
    src: Int[Tensor, "batch src_len"],
    max_new_tokens: int | None,
    choose: Callable[[Logits], Int[Tensor, " rows"]],
) -> list[list[int]]:
    """Write every sentence token by token, as `choose` decides."""
    with _decoding(model, src, max_new_tokens) as (state, limits):
        outputs: list[list[int]] = [[] for _ in limits]
        tokens = [model.config.bos_id] * len(limits)
        while tokens:
            logits = _ban_special_tokens_(_refuse_nan(state.step(tokens)), model)
            tokens = choose(logits).tolist()
            still_open = []
            for row, (sentence, token) in enumerate(zip(state.sentences, tokens)):
                if token != model.config.eos_id:
                    outputs[sentence].append(token)
                    if len(outputs[sentence]) < limits[sentence]:
                        still_open.append(row)
            state.select(still_open)
            tokens = [tokens[row] for row in still_open]
    return outputs


class _DecodingState:
    """The rows being written: the memory of their sources and the cache of their pasts."""

    def __init__(self, model: Transformer, src: Int[Tensor, "batch src_len"]) -> None:
        self.model = model
        self.src_mask = model.source_mask(src)
        self.memory = model.encode(src, self.src_mask)
        self.cache = model.new_cache()
        self.sentences = list(range(len(src)))  # of each row

    def step(self, tokens: list[int]) -> Logits:
        """Read one more token a row; return the logits of the next one.

        Unlike `Transformer.decode` it checks nothing and masks nothing: the tokens are the
        model's own, none of them is padding, and a new token may see all before it.
        """
        model, cache = self.model, self.cache
        tgt = torch.tensor(tokens, device=self.memory.device).unsqueeze(1)
        x = model.tgt_position(model.tgt_embedding(tgt), cache.length)
        states = model.decoder(x, self.memory, None, self.src_mask, cache)
        return model.output_layer(states[:, 0]).float()

    def select(self, rows: list[int]) -> None:
        """Keep these rows, in this order."""
        if rows == list(range(len(self.sentences))):
            return
        index = torch.tensor(rows, dtype=torch.long, device=self.memory.device)
        before, self.sentences = self.sentences, [self.sentences[row] for row in rows]
        same_memory = self.sentences == before
        if not same_memory:
            self.memory = self.memory[index]
            self.src_mask = None if self.src_mask is None else self.src_mask[index]
        self.cache.select(index, same_memory)


@contextmanager
def _decoding(
    model: Transformer, src: Int[Tensor, "batch src_len"], max_new_tokens: int | None
) -> Iterator[tuple[_DecodingState, list[int]]]:
    """Read the sources without gradients or dropout; yield the state and the rows' limits."""
    if not isinstance(model, nn.Module) or not hasattr(model, "config"):
        raise ArgumentTypeError("model", f"must be a Transformer: got {type(model).__name__}")
    check_ids("src", src)
    longest = model.config.max_len - 1  # with bos_id, the output is max_len long
    if max_new_tokens is not None and check_integer("max_new_tokens", max_new_tokens, 1) > longest:
        allowed = f"from 1 to {longest} (max_len={longest + 1})"
        raise ArgumentError("max_new_tokens", f"must be {allowed}: got {max_new_tokens}")
    with evaluation_mode(model), torch.inference_mode():
        state = _DecodingState(model, src)
        lengths = (src != model.config.pad_id).sum(dim=1).tolist()
        limits = [max_new_tokens or min(length + 50, longest) for length in lengths]
        yield state, limits


def _refuse_nan(logits: Logits) -> Logits:
    if logits.amax().isnan():  # the greatest of numbers and nan is nan
        raise FloatingPointError("logits must be numbers: got nan (are all weights finite?)")
    return logits


def _ban_special_tokens_(scores: Logits, model: Transformer) -> Logits:
    """Let padding and the start token never be chosen: their scores become -inf, in place."""
    scores[:, model.config.pad_id] = scores[:, model.config.bos_id] = -math.inf
    return scores
