"""What stands before a noun: articles, demonstratives, numbers, possessives."""

from dataclasses import dataclass
from functools import cache

from transformer.data.grammar.lexicon import NUMBERS, PRONOUNS, Noun


@dataclass(frozen=True, slots=True)
class Determiner:
    """English and Chinese; `measured` if a measure word must follow the Chinese."""

    en: str
    zh: str
    plural: bool = False
    measured: bool = True


THE, THIS, THAT = Determiner("the", "那"), Determiner("this", "這"), Determiner("that", "那")
BARE = Determiner("", "", plural=True, measured=False)
OWN = tuple(Determiner(p.own, p.zh + "的", measured=False) for p in PRONOUNS)
_OWN_MANY = tuple(Determiner(p.own, p.zh + "的那些", plural=True, measured=False) for p in PRONOUNS)
_THE_MANY = Determiner("the", "那些", plural=True, measured=False)
_THESE = Determiner("these", "這些", plural=True, measured=False)
_THOSE = Determiner("those", "那些", plural=True, measured=False)
_SOME = Determiner("some", "一些", plural=True, measured=False)
_MANY = Determiner("many", "很多", plural=True, measured=False)
_A = Determiner("a", "一")
_A_UNTRANSLATED = Determiner("a", "", measured=False)  # 騎馬: to ride a horse
_SINGULAR = (*[THE] * 16, *[THIS, THAT] * 4)
_POINTED = (
    *_SINGULAR,
    *[_THE_MANY, _THESE] * 3,
    *[_THOSE] * 2,
    *[Determiner(f"the {en}", f"那{zh}", plural=True) for en, zh in NUMBERS.items()],
    *[Determiner(f"these {en}", f"這{zh}", plural=True) for en, zh in NUMBERS.items()],
)
_MEASURED = tuple(word for word in _POINTED if word.measured)
_OWNED = (*OWN * 2, *_OWN_MANY)
_NUMBERS = tuple(Determiner(en, zh, plural=True) for en, zh in NUMBERS.items())
_COUNTED = (*[_A] * 12, *_NUMBERS * 2)
# How often a determiner is listed is how often it is drawn.
_STYLES = {
    "one": (_A,),
    "activity": (_A_UNTRANSLATED,),
    "singular": _SINGULAR,
    "pointed": _POINTED,
    "measured": _MEASURED,
    "definite": (*_POINTED, *_OWNED),
    "counted": _COUNTED,
    "indefinite": (*_COUNTED, *[_SOME, _MANY] * 2),
    "any": (*_POINTED, *_OWNED, *_COUNTED * 2, *[_SOME, _MANY] * 3),
    "generic": (BARE,),
}


def possessive(word: Determiner) -> bool:
    """Whether it says whose."""
    return "的" in word.zh


@cache
def determiners(style: str, noun: Noun) -> tuple[Determiner, ...]:
    """Those of a style that suit the noun.

    Example:
        >>> from transformer.data.grammar.lexicon import nouns
        >>> sorted({word.en for word in determiners("singular", nouns("tea")[0])})
        ['that', 'the', 'this']
    """
    return tuple(word for word in _STYLES[style] if _suits(word, noun))


def _suits(word: Determiner, noun: Noun) -> bool:
    if possessive(word) and "mine" not in noun.tags:
        return False
    if possessive(word) and word.plural and "person" in noun.tags:
        return False  # 我的醫生 is one
    if word.en.endswith(("ten", "twelve")) and "few" not in noun.tags:
        return False
    if noun.container:  # a cup of coffee, some coffee, coffee; not: many coffee
        return word.measured or word is BARE or (word is _SOME and "drink" in noun.tags)
    return word != _THE_MANY or noun.one != noun.many  # the fish: one fish
