"""How a source sentence is spelled before it becomes ids."""

import re
import unicodedata

SPELLINGS = ("plain", "grammar")
_SUBJECTS = ("he", "she", "it", "that", "there", "what", "who", "where", "when")
_IS_SHORT_AFTER = "|".join(rf"(?<=\b{word})" for word in _SUBJECTS)

# What replaces what, in this order. The patterns mean the same to Python and to `tokenizers`, and
# nothing that they match is written again, which `tokenizers` could not do.
SINGLE_SPACES = ((r"\s+", " "), (r"^ | $", ""))
AS_THE_GRAMMAR = (
    (r"’", "'"),
    (r",", " "),
    (r"\bwon't\b", "will not"),
    (r"\bcan't\b", "can not"),
    (r"\bshan't\b", "shall not"),
    (r"(?<=\w)n't\b", " not"),
    (r"\bi'm\b", "i am"),
    (r"(?<=\w)'re\b", " are"),
    (r"(?<=\w)'ll\b", " will"),
    (rf"(?:{_IS_SHORT_AFTER})'s\b", " is"),
    (r"(?<=\w)(?<!\w's)'s\b", " 's"),  # This 's says whose it is.
    (r"(?=[.?!])|(?<=[.?!])", " "),
    *SINGLE_SPACES,
    (r"(?<=[^.?!])$", " ."),
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
    text = text.lower()
    for pattern, written in AS_THE_GRAMMAR:
        text = re.sub(pattern, written, text)
    return text


def is_visible(text: str) -> bool:
    r"""Say whether a text has more than white space and characters that are not drawn.

    Args:
        text: The text.

    Example:
        >>> is_visible("。"), is_visible(" \u200b")
        (True, False)
    """
    return any(character.isprintable() and not character.isspace() for character in text)
