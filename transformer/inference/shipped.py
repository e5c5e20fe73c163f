"""The model that comes with the package: English to Traditional Chinese, of the grammar's kind."""

import warnings
from pathlib import Path

import torch

from transformer.arguments import FilePath
from transformer.data.tokenizer import Tokenizer
from transformer.model.transformer import Transformer
from transformer.model_file import load_translator

PRETRAINED = Path(__file__).with_name("pretrained.safetensors")


def load_pretrained(
    path: FilePath | None = None, device: torch.device | str = "cpu"
) -> tuple[Transformer, Tokenizer]:
    """Load the shipped model and its tokenizer; `load_translator` loads one of your own.

    It was trained on pairs of `generate_pairs` alone, and translates sentences of that kind.

    Args:
        path: Deprecated: the file of another model, which `load_translator` loads.
        device: Where the model shall be.

    Returns:
        The model, in evaluation mode, and the tokenizer of its ids.

    Example:
        >>> from transformer.inference.translation import translate
        >>> model, tokenizer = load_pretrained()
        >>> translate(model, tokenizer, ["the cat is sleeping ."])
        ['那隻貓正在睡覺。']
    """
    if path is not None:
        text = "load_pretrained loads the shipped model: load a file with load_translator"
        warnings.warn(text, DeprecationWarning, stacklevel=2)
    return load_translator(PRETRAINED if path is None else path, device)


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
    words, cut = dict.fromkeys(text.split()[:-1]), tokenizer.source
    return [word for word in words if cut.pieces(cut.encode(word)) != [f"{word} "]]
