"""Sentences in, translations out: tokenizer, batches of like length, decoding."""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Int
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from transformer.arguments import check_not_text
from transformer.inference.decoding import greedy_decode
from transformer.model.transformer import Transformer


@runtime_checkable
class SentenceTokenizer(Protocol):
    """What `translate` needs of a tokenizer; `transformer.data.tokenizer.Tokenizer` has it."""

    def encode_source(self, text: str, /) -> list[int]:
        """Return the ids of a source sentence, the end token last."""
        ...

    def decode(self, ids: list[int], /) -> str:
        """Return the text of ids, without special tokens."""
        ...


def translate(
    model: Transformer,
    tokenizer: SentenceTokenizer,
    sentences: Sequence[str],
    *,
    batch_size: int = 64,
    decode: Callable[[Transformer, Int[Tensor, "batch src_len"]], list[list[int]]] = greedy_decode,
) -> list[str]:
    """Translate sentences, those of similar length together.

    Args:
        model: The model.
        tokenizer: Turns text into the model's ids and back.
        sentences: Source sentences; a list of none gives none.
        batch_size: Sentences to decode at once.
        decode: Takes the model and padded source ids of shape `(batch, src_len)`, and returns
            one list of target ids a sentence. Switching dropout off is up to it, as it is for
            all of `transformer.inference.decoding`.

    Returns:
        One translation a sentence, in the order of `sentences`.

    Raises:
        TypeError: If `sentences` is one string.
        ValueError: If a sentence is longer than the model's `max_len`, or `batch_size` is less
            than 1.

    Example:
        >>> from transformer import TransformerConfig
        >>> from transformer.data.tokenizer import Tokenizer
        >>> tokenizer = Tokenizer.train(["the cat sleeps .", "貓在睡覺。"], vocab_size=280)
        >>> size = tokenizer.vocab_size
        >>> model = Transformer(TransformerConfig(size, size, d_model=8, num_heads=2, d_ff=16))
        >>> len(translate(model, tokenizer, ["the cat sleeps .", "the cat ."]))  # untrained
        2
    """
    check_not_text("sentences", sentences)
    if batch_size < 1:
        raise ValueError(f"batch_size must be at least 1: got {batch_size}")
    sources = [torch.tensor(tokenizer.encode_source(text)) for text in sentences]
    for number, ids in enumerate(sources, 1):
        if len(ids) > model.config.max_len:
            raise ValueError(
                f"sentence {number} is too long: it has {len(ids)} tokens, its end token "
                f"included, and the model's max_len is {model.config.max_len}"
            )
    device = next(model.parameters()).device
    by_length = sorted(range(len(sources)), key=lambda row: len(sources[row]))
    translations = [""] * len(sources)
    for start in range(0, len(sources), batch_size):
        rows = by_length[start : start + batch_size]
        src = pad_sequence([sources[row] for row in rows], True, model.config.pad_id)
        for row, output in zip(rows, decode(model, src.to(device)), strict=True):
            translations[row] = tokenizer.decode(output)
    return translations
