"""How a source sentence is spelled before it becomes ids."""

import re
import unicodedata

SPELLINGS = ("plain", "grammar")
_SHORT_FORMS = (
    (r"\bwon't\b", "will not"),
    (r"\bcan't\b", "can not"),
    (r"\bshan't\b", "shall not"),
    (r"(\w)n't\b", r"\1 not"),
    (r"\bi'm\b", "i am"),
    (r"(\w)'re\b", r"\1 are"),
    (r"(\w)'ll\b", r"\1 will"),
    (r"\b(he|she|it|that|there|what|who|where|when)'s\b", r"\1 is"),
    (r"(\w)'s\b", r"\1 's"),  # This 's says whose it is.
)


def spell(text: str, spelling: str) -> str:
    """Write a source sentence as a model knows it.

    Args:
        text: The sentence.
        spelling: `"plain"`: in NFC, white space as single spaces. `"grammar"`: besides, as the
            grammar writes it.

    Example:
        >>> spell(" The cat  sleeps.", "plain"), spell(" The cat  sleeps.", "grammar")
        ('The cat sleeps.', 'the cat sleeps .')
    """
    text = unicodedata.normalize("NFC", text)
    return as_the_grammar(text) if spelling == "grammar" else " ".join(text.split())


def as_the_grammar(text: str) -> str:
    """Write a sentence as the grammar does: lower case, short forms in full, marks and 's apart.

    Args:
        text: The sentence.

    Example:
        >>> as_the_grammar("Yesterday, the farmer's cat didn't eat. It's old!")
        "yesterday the farmer 's cat did not eat . it is old !"
    """
    text = text.lower().replace("’", "'").replace(",", " ")
    for short, full in _SHORT_FORMS:
        text = re.sub(short, full, text)
    words = re.sub(r"([.?!])", r" \1 ", text).split()
    return " ".join(words if not words or words[-1] in ".?!" else [*words, "."])


def is_visible(text: str) -> bool:
    r"""Say whether a text has more than white space and characters that are not drawn.

    Args:
        text: The text.

    Example:
        >>> is_visible("。"), is_visible(" \u200b")
        (True, False)
    """
    return any(character.isprintable() and not character.isspace() for character in text)
