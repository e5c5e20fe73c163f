"""What in a sentence a model cannot know: words and marks, too many of them, or none."""

import re

from transformer.data.grammar import LONGEST
from transformer.data.tokenizer import SPECIAL, Tokenizer
from transformer.inference.shipped import unknown_words

_SHOWN = 5  # So many words or marks are named.


def unfamiliar(text: str, tokenizer: Tokenizer | None) -> list[str]:
    """Return what makes the translation of a sentence doubtful.

    Only what can be seen in the words is found: a construction that training never showed is
    translated as well as it can be, and nobody is told.

    Args:
        text: The sentence.
        tokenizer: The shipped model's, whose words and marks are known. None, or one whose
            spelling is not `"grammar"`, belongs to a model of which nothing is known: only text
            without a word and special tokens are told then.

    Returns:
        A line for people for each kind of trouble, none if the words are all known.

    Example:
        >>> from transformer.inference.shipped import load_pretrained
        >>> _, tokenizer = load_pretrained()
        >>> unfamiliar("The cat bought a blockchain; why?", tokenizer)
        ['words never seen in training: blockchain', 'marks never seen in training: ;']
        >>> unfamiliar("He's here. We're busy. I'm tired.", tokenizer)
        ['words never seen in training: here', '3 sentences: in training there were at most two']
        >>> unfamiliar("...", None)
        ['no word in it: the translation is a guess']
        >>> unfamiliar("the cat <eos>", None)
        ['special tokens, read as text: <eos>']
    """
    special = [token for token in SPECIAL if token in text]
    warnings = [f"special tokens, read as text: {', '.join(special)}"] if special else []
    if not any(map(str.isalnum, text)):
        warnings.insert(0, "no word in it: the translation is a guess")
    if tokenizer is None or tokenizer.spelling != "grammar":
        return warnings
    spelled = tokenizer.spelled(text)
    plain = re.sub(r" 's(?= )", "", spelled)
    words = re.findall(r"[^\W_]+(?:'\w+)*", plain)
    rest = re.sub(r"[^\W_]+(?:'\w+)*", " ", plain)
    unknown = unknown_words(" ".join([*words, "."]), tokenizer)
    if words and not set(words) - set(unknown):
        warnings.insert(0, "no known word in it: the translation is a guess")
    troubles = {
        "words never seen in training": unknown,
        "marks never seen in training": re.findall(r"[^\s.?!]", rest),
    }
    warnings += [f"{kind}: {_some(found)}" for kind, found in troubles.items() if found]
    sentences = len(re.findall(r"[.?!](?: [.?!])*(?= |$)", spelled))
    if sentences > 2:
        warnings.append(f"{sentences} sentences: in training there were at most two")
    elif len(words) > LONGEST:
        warnings.append(f"{len(words)} words: in training there were at most {LONGEST}")
    return warnings


def _some(found: list[str]) -> str:
    """Name the first few, cut to a readable length; what cannot be seen, by its number."""
    names = [name if len(name) <= 30 else name[:30] + "…" for name in dict.fromkeys(found)]
    names = [name if name.isprintable() else f"U+{ord(name[0]):04X}" for name in names]
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
