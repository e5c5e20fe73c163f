"""How a source sentence is spelled before it becomes ids."""

import re
import unicodedata

SPELLINGS = ("plain", "grammar")


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
    """Write a sentence as the grammar does: lower case, no commas, the final mark apart.

    Args:
        text: The sentence.

    Example:
        >>> as_the_grammar("Yesterday the old farmer did not buy the fish.")
        'yesterday the old farmer did not buy the fish .'
    """
    words = re.sub(r"([.?])", r" \1 ", text.lower().replace(",", " ")).split()
    return " ".join(words if not words or words[-1] in ".?" else [*words, "."])
