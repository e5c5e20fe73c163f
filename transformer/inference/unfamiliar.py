"""What in a sentence the shipped model cannot know: unknown words and marks, short forms."""

import re

from transformer.data.tokenizer import Tokenizer
from transformer.inference.shipped import unknown_words

_SHOWN = 5  # of each kind


def unfamiliar(text: str, tokenizer: Tokenizer) -> list[str]:
    """Return what a model of the package's grammar never saw in training.

    Only what can be seen in the words is found: a construction that training never showed is
    translated as well as it can be, and nobody is told.

    Args:
        text: The sentence.
        tokenizer: The model's. One whose spelling is not `"grammar"` belongs to a model of which
            nothing is known, and every sentence passes.

    Returns:
        A line for people for each kind of trouble, none if the words are all known.

    Example:
        >>> from transformer.inference.shipped import load_pretrained
        >>> _, tokenizer = load_pretrained()
        >>> unfamiliar("The cat bought a blockchain!", tokenizer)
        ['words never seen in training: blockchain', 'marks never seen in training: !']
        >>> unfamiliar("He's sleeping. We will rest.", tokenizer)
        ["short forms, to be written out: he's", 'more than one sentence: give each its own line']
    """
    if tokenizer.spelling != "grammar":
        return []
    spelled = tokenizer.spelled(text.replace("’", "'"))
    short = re.findall(r"\S*\w'\w\S*", spelled)
    rest = re.sub(r"\S*\w'\w\S*", " ", spelled)
    words = " ".join(re.findall(r"[^\W_]+", rest))
    marks = re.findall(r"[^\w\s.?]|_", rest)
    troubles = {
        "words never seen in training": unknown_words(words + " .", tokenizer),
        "marks never seen in training": marks,
        "short forms, to be written out": short,
    }
    told = [f"{kind}: {_some(found)}" for kind, found in troubles.items() if found]
    if re.search(r"[.?] \S", spelled):
        told.append("more than one sentence: give each its own line")
    return told


def _some(found: list[str]) -> str:
    """Name the first few, cut to a readable length."""
    names = [name if len(name) <= 30 else name[:30] + "…" for name in dict.fromkeys(found)]
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
