"""Paragraphs cut into sentences, and their translations joined again."""

from collections.abc import Iterable
from unicodedata import east_asian_width

_CLOSING = tuple("」』”’）)]】》〉")


def split_sentences(text: str) -> list[str]:
    """Cut a paragraph into its sentences, in English, Chinese or another language.

    The rules are those of the library `sentencex`, but a closing quote never begins a sentence.

    Args:
        text: The paragraph.

    Returns:
        The sentences, without white space around them; none of a text of white space.

    Raises:
        ModuleNotFoundError: If `sentencex` is not installed.

    Example:
        >>> split_sentences("Mr. Smith paid $3.50. He left.")
        ['Mr. Smith paid $3.50.', 'He left.']
        >>> split_sentences("他說：『走吧。』就走了。她留下來。")
        ['他說：『走吧。』就走了。', '她留下來。']
    """
    try:
        from sentencex import segment
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "splitting needs sentencex: pip install 'transformer-book[serve]'", name=error.name
        ) from error
    sentences: list[str] = []
    for piece in map(str.strip, segment("en", text)):  # English rules know Chinese marks too
        if sentences and piece.startswith(_CLOSING):
            sentences[-1] += piece
        elif piece:
            sentences.append(piece)
    return sentences


def join_sentences(sentences: Iterable[str]) -> str:
    """Join sentences to a paragraph: with a space, but after a Chinese mark or character.

    Args:
        sentences: The sentences; empty ones leave nothing.

    Example:
        >>> join_sentences(["He left.", "She stayed."]), join_sentences(["他走了。", "她留下。"])
        ('He left. She stayed.', '他走了。她留下。')
    """
    joined = ""
    for sentence in filter(None, sentences):
        space = " " if joined and east_asian_width(joined[-1]) not in "WF" else ""
        joined += space + sentence
    return joined
