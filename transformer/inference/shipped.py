"""The model that comes with the package: English to Traditional Chinese, of the grammar's kind."""

from os import PathLike
from pathlib import Path

import torch

from transformer.data.tokenizer import Tokenizer
from transformer.model.transformer import Transformer
from transformer.model_file import load_model, load_tokenizer

PRETRAINED = Path(__file__).with_name("pretrained.safetensors")


def load_pretrained(
    path: str | PathLike[str] | None = None, device: torch.device | str = "cpu"
) -> tuple[Transformer, Tokenizer]:
    """Load a trained model and its tokenizer: the shipped one, or one of your own.

    The shipped one was trained on pairs of `generate_pairs` alone, and translates sentences of
    that kind.

    Args:
        path: What `transformer train` wrote: a model or a checkpoint, with its tokenizer. The
            shipped one when None.
        device: Where the model shall be.

    Returns:
        The model, in evaluation mode, and the tokenizer of its ids.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If the file is damaged, was not written by this package, or holds no
            tokenizer.

    Example:
        >>> from transformer.inference.translation import translate
        >>> model, tokenizer = load_pretrained()
        >>> translate(model, tokenizer, ["the cat is sleeping ."])
        ['那隻貓正在睡覺。']
    """
    path = PRETRAINED if path is None else path
    tokenizer = load_tokenizer(path)
    return load_model(path, device), tokenizer


def unknown_words(text: str, tokenizer: Tokenizer) -> list[str]:
    """Return the words that training never saw: those that the tokenizer cuts into parts.

    Args:
        text: The sentence, as the tokenizer's `spelled` writes it.
        tokenizer: The shipped model's.

    Example:
        >>> _, tokenizer = load_pretrained()
        >>> unknown_words("the cat bought a blockchain .", tokenizer)
        ['blockchain']
    """
    words = dict.fromkeys(text.split()[:-1])
    return [word for word in words if len(tokenizer.encode(word + " ")) > 1]
