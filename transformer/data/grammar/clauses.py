"""Verbs in their clause: tense and auxiliaries in English, aspect and place in Chinese."""

from typing import NamedTuple

from transformer.data.grammar.lexicon import Place, Verb


class Action(NamedTuple):
    """A verb, the rest of its English, its Chinese object, Chinese before it, and a place."""

    verb: Verb
    en: str = ""
    zh: str = ""
    lead: str = ""
    place: Place | None = None


# What stands before a Chinese verb: affirmative, negative.
MARKS = {
    "past": ("", "沒有"),
    "habitual": ("", "不"),
    "stative": ("", "不"),
    "present": ("", "不"),
    "future": ("會", "不會"),
    "progressive": ("正在", "沒有在"),
    "want": ("想", "不想"),
    "should": ("應該要", "不應該"),  # 應該 alone is "probably" too
}


_UNINTENDED = {"see", "find"}


def spaced(*parts: str) -> str:
    """The parts that are not empty, with spaces between."""
    return " ".join(filter(None, parts))


def english(verb: Verb, aspect: str, be: str, support: bool = False) -> tuple[str, str]:
    """Auxiliary and verb for a subject with this form of "be".

    Args:
        verb: The verb.
        aspect: A key of `MARKS`.
        be: "am", "is" or "are".
        support: Whether an auxiliary must be there, as "not" and questions demand.

    Example:
        >>> from transformer.data.grammar.lexicon import VERBS
        >>> english(VERBS["buy"], "past", be="is")
        ('', 'bought')
        >>> english(VERBS["buy"], "past", be="is", support=True)
        ('did', 'buy')
    """
    do, s = ("does", "s") if be == "is" else ("do", "")
    if aspect == "progressive":
        return be, verb.ing
    if aspect in ("future", "should"):
        return "will" if aspect == "future" else "should", verb.base
    if aspect == "want":
        return (do, f"want to {verb.base}") if support else ("", f"want{s} to {verb.base}")
    if support:
        return "did" if aspect == "past" else do, verb.base
    return "", verb.past if aspect == "past" else verb.third if s else verb.base


def chinese(action: Action, aspect: str, negative: bool = False, asked: bool = False) -> str:
    """Aspect, place, verb and object: where something happens is said before what happens.

    Where a question asks for a detail, what one means to do is 要.

    Example:
        >>> from transformer.data.grammar.lexicon import PLACES, VERBS
        >>> read = Action(VERBS["read"], zh="書", place=PLACES["park"])
        >>> chinese(read, "progressive"), chinese(read, "past", negative=True)
        ('正在公園看書', '沒有在公園看書')
    """
    before = MARKS[aspect][negative]
    if asked and aspect == "future" and action.verb.base not in _UNINTENDED:
        before = "要"
    if aspect == "future" and action.verb.base == "swim" and not action.place:
        before += "去"  # 會游泳 is said of those who can
    if action.place:
        before = before.removesuffix("在") + "在" + action.place.zh
    done = action.verb.done if aspect == "past" and not negative else ""
    # One does not mean to catch sight: 會看見那位老師 is no meeting.
    verb = "看到" if aspect == "future" and action.verb.base == "see" else action.verb.zh
    return before + action.lead + verb + done + action.zh
