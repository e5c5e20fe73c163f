"""Sentences in, translations out: tokenizer, batches of like length, decoding."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import torch
from jaxtyping import Int
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from transformer.arguments import ArgumentError, ArgumentTypeError, check_integer, check_strings
from transformer.data.report import Problem, Report
from transformer.data.spelling import is_visible
from transformer.data.tokenizer import Tokenizer
from transformer.inference.decoding import Hypothesis, beam_search, greedy_decode
from transformer.model.config import TransformerConfig
from transformer.model.transformer import Transformer

Output = TypeVar("Output")
Decode = Callable[[Transformer, Int[Tensor, "batch src_len"]], list[Output]]


@dataclass(frozen=True)
class Translation:
    """One translation of a sentence.

    Attributes:
        text: The translation.
        log_probability: Sum of the log-probabilities of its tokens, the end token included.
        score: What ranks it: `log_probability` divided by the length penalty.
    """

    text: str
    log_probability: float
    score: float


def translate(
    model: Transformer,
    tokenizer: Tokenizer,
    sentences: Sequence[str],
    *,
    batch_size: int = 64,
    decode: Decode[list[int]] = greedy_decode,
    report: Report | None = None,
) -> list[str]:
    """Translate sentences, those of similar length together.

    An empty sentence, or one of invisible characters, has an empty translation.

    Args:
        model: The model.
        tokenizer: Turns text into the model's ids and back.
        sentences: Source sentences; a list of none gives none.
        batch_size: Sentences to decode at once.
        decode: Takes the model and padded source ids of shape `(batch, src_len)`, and returns
            one list of target ids a sentence. Switching dropout off is up to it, as it is for
            all of `transformer.inference.decoding`.
        report: Collects the sentences that cannot be translated, by their place in the list, from
            1; their translation is empty. Without one, the first of them is an error.

    Returns:
        One translation a sentence, in the order of `sentences`.

    Raises:
        TypeError: If `sentences` is one string or a generator, a sentence is no string, or model
            and tokenizer are exchanged.
        ValueError: If there is no report and a sentence is longer than the model's `max_len` or no
            text, before any other is translated; if the tokenizer has other ids than the model;
            or if `batch_size` is less than 1.

    Example:
        >>> from transformer.inference.shipped import load_pretrained
        >>> model, tokenizer = load_pretrained()
        >>> report = Report()
        >>> translate(model, tokenizer, ["birds like tea .", "the cat " * 200], report=report)
        ['鳥都喜歡茶。', '']
        >>> print(report.problems[0])
        sentence 2: too long (402 tokens with the end token, the model's max_len is 256)
    """
    check_integer("batch_size", batch_size, 1)
    sources = _encode(model, tokenizer, sentences, report)
    outputs = decode_by_length(model, sources, batch_size, decode)
    return [tokenizer.decode(outputs.get(row, [])) for row in range(len(sentences))]


def translate_n_best(
    model: Transformer,
    tokenizer: Tokenizer,
    sentences: Sequence[str],
    *,
    beam_size: int = 4,
    num_best: int = 1,
    length_penalty: float = 0.6,
    max_new_tokens: int | None = None,
    batch_size: int = 64,
    report: Report | None = None,
) -> list[list[Translation]]:
    """Translate sentences with beam search; return several translations of each, with scores.

    Args:
        model: The model.
        tokenizer: Turns text into the model's ids and back.
        sentences: Source sentences.
        beam_size: Beams of each sentence; 1 is greedy decoding.
        num_best: Translations of each sentence, at most `beam_size`.
        length_penalty: See `beam_search`.
        max_new_tokens: Most tokens of a translation; see `greedy_decode`.
        batch_size: Sentences to decode at once.
        report: See `translate`.

    Returns:
        The translations of each sentence, best first; none of an empty sentence, and of one that
            was left out.

    Raises:
        TypeError: As `translate` does.
        ValueError: As `translate` and `beam_search` do.

    Example:
        >>> from transformer.inference.shipped import load_pretrained
        >>> model, tokenizer = load_pretrained()
        >>> [found] = translate_n_best(model, tokenizer, ["birds like tea ."], num_best=2)
        >>> found[0].text, found[0].log_probability > found[1].log_probability
        ('鳥都喜歡茶。', True)
    """

    def decode(model: Transformer, src: Tensor) -> list[list[Hypothesis]]:
        return beam_search(
            model,
            src,
            beam_size=beam_size,
            length_penalty=length_penalty,
            max_new_tokens=max_new_tokens,
            num_best=num_best,
        )

    check_integer("batch_size", batch_size, 1)
    sources = _encode(model, tokenizer, sentences, report)
    outputs = decode_by_length(model, sources, batch_size, decode)
    return [
        [
            Translation(tokenizer.decode(found.ids), found.log_probability, found.score)
            for found in outputs.get(row, [])
        ]
        for row in range(len(sentences))
    ]


def decode_by_length(
    model: Transformer,
    sources: Mapping[int, Sequence[int]],
    batch_size: int,
    decode: Decode[Output],
) -> dict[int, Output]:
    """Decode sentences in batches, sorted by length, so that a batch holds little padding.

    Args:
        model: The model.
        sources: The ids of each sentence, by a number of its own.
        batch_size: Sentences to decode at once.
        decode: As `translate` takes it; what it returns for a sentence may be anything.

    Returns:
        What `decode` returned, by the same numbers.

    Example:
        >>> from transformer import TransformerConfig
        >>> model = Transformer(TransformerConfig(10, 10, d_model=8, num_heads=2, d_ff=16))
        >>> def show(model, src):
        ...     print(src.tolist())
        ...     return src.tolist()
        >>> _ = decode_by_length(model, {0: [5, 6, 7, 2], 1: [5, 2], 2: [6, 7, 2]}, 2, show)
        [[5, 2, 0], [6, 7, 2]]
        [[5, 6, 7, 2]]
    """
    device = next(model.parameters()).device
    by_length = sorted(sources, key=lambda row: len(sources[row]))
    outputs: dict[int, Output] = {}
    for start in range(0, len(by_length), batch_size):
        rows = by_length[start : start + batch_size]
        ids = [torch.tensor(sources[row]) for row in rows]
        src = pad_sequence(ids, batch_first=True, padding_value=model.config.pad_id)
        outputs.update(zip(rows, decode(model, src.to(device)), strict=True))
    return outputs


def _encode(
    model: Transformer, tokenizer: Tokenizer, sentences: Sequence[str], report: Report | None
) -> dict[int, list[int]]:
    """Return the ids of each sentence that can be translated and is not empty, by its row."""
    check_strings("sentences", sentences)
    _check_fit(model, tokenizer)
    sources, max_len = {}, model.config.max_len
    for row, text in enumerate(sentences):
        if not isinstance(text, str):
            message = f"must be strings: sentence {row + 1} is {text!r}"
            raise ArgumentTypeError("sentences", message)
        if not is_visible(text):
            continue
        try:
            ids = tokenizer.encode_source(text)
        except ValueError as error:
            problem = Problem("sentence", row + 1, "no text", str(error))
        else:
            if len(ids) <= max_len:
                sources[row] = ids
                continue
            many = f"{len(ids)} tokens with the end token, the model's max_len is {max_len}"
            problem = Problem("sentence", row + 1, "too long", many)
        if report is None:
            raise ValueError(str(problem))
        report.add(*problem)
    return sources


def _check_fit(model: Transformer, tokenizer: Tokenizer) -> None:
    """Refuse a model and a tokenizer that do not belong together, or were exchanged."""
    config = getattr(model, "config", None)
    if not isinstance(config, TransformerConfig):
        raise ArgumentTypeError("model", f"must be a Transformer: got {type(model).__name__}")
    if not isinstance(tokenizer, Tokenizer):
        got = type(tokenizer).__name__
        raise ArgumentTypeError("tokenizer", f"must be a Tokenizer: got {got}")
    own = tokenizer.source.vocab_size, tokenizer.vocab_size
    sizes = config.src_vocab_size, config.tgt_vocab_size
    if sizes[0] != own[0] or sizes[1] > own[1]:
        ids = " and ".join(map(str, dict.fromkeys(own)))
        message = f"must be the model's own: it has {ids} ids, the model has {sizes[0]}"
        raise ArgumentError("tokenizer", f"{message} for sources and {sizes[1]} for targets")
