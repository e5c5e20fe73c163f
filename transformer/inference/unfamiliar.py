"""What in a sentence the shipped model cannot know: words and marks, or too much of it."""

import re

from transformer.data.grammar import LONGEST
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
        >>> unfamiliar("The cat bought a blockchain; why?", tokenizer)
        ['words never seen in training: blockchain', 'marks never seen in training: ;']
        >>> unfamiliar("He's here. We're busy. I'm tired.", tokenizer)
        ['words never seen in training: here', '3 sentences: in training there were at most two']
    """
    if tokenizer.spelling != "grammar":
        return []
    spelled = tokenizer.spelled(text)
    plain = re.sub(r" 's(?= )", "", spelled)
    words = re.findall(r"[^\W_]+(?:'\w+)*", plain)
    rest = re.sub(r"[^\W_]+(?:'\w+)*", " ", plain)
    troubles = {
        "words never seen in training": unknown_words(" ".join([*words, "."]), tokenizer),
        "marks never seen in training": re.findall(r"[^\s.?!]", rest),
    }
    told = [f"{kind}: {_some(found)}" for kind, found in troubles.items() if found]
    sentences = len(re.findall(r"[.?!](?: [.?!])*(?= |$)", spelled))
    if sentences > 2:
        told.append(f"{sentences} sentences: in training there were at most two")
    elif len(words) > LONGEST:
        told.append(f"{len(words)} words: in training there were at most {LONGEST}")
    return told


def _some(found: list[str]) -> str:
    """Name the first few, cut to a readable length."""
    names = [name if len(name) <= 30 else name[:30] + "…" for name in dict.fromkeys(found)]
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
