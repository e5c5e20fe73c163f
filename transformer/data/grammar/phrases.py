"""Noun phrases, English and Chinese at the same time."""

from collections.abc import Collection, Sequence
from functools import cache
from random import Random
from typing import NamedTuple, TypeVar

from transformer.data.grammar.clauses import spaced
from transformer.data.grammar.determiners import THE, Determiner, determiners, possessive
from transformer.data.grammar.lexicon import (
    ADJECTIVES,
    FAMILY,
    PRONOUNS,
    Adjective,
    Noun,
    Pronoun,
    nouns,
)

T = TypeVar("T")


class Phrase(NamedTuple):
    """English and Chinese; of a noun also its form of "be" and what it is about.

    One can point at what is `known`; the Chinese of what is `doer_first` begins with a clause.
    """

    en: str
    zh: str
    be: str = "is"
    about: str = ""
    known: bool = False
    doer_first: bool = False


class Clause(NamedTuple):
    """A relative clause; `doer` if its Chinese begins with who does it (貓看見的)."""

    en: str
    zh: str
    doer: bool = False


NOTHING = Phrase("", "")
NO_CLAUSE = Clause("", "")
_OWNERS = nouns("title kid")


@cache
def _adjectives(noun: Noun, short: bool, generic: bool) -> tuple[Adjective, ...]:
    fitting = [adjective for adjective in ADJECTIVES if noun in adjective.nouns]
    if generic:  # 不吃很甜的蘋果 eats those that are less so
        fitting = [a for a in fitting if not a.attribute.startswith("很")]
    return tuple(a for a in fitting if not (short and a.attribute.endswith("的")))


class NounPhrases:
    """Draws noun phrases, and notes in `constructions` and `combinations` what it drew."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed).random  # the one method whose numbers never change
        self.constructions: set[str] = set()
        self.combinations: set[tuple[str, str, str]] = set()
        self.people: set[str] = set()  # who was named: nobody is named twice
        self.now = True  # whether what is going on may be told of somebody, besides the rest

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, all equally likely."""
        return items[int(self.random() * len(items))]

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.random() < probability

    def unnamed(self, items: Sequence[Noun]) -> Noun:
        """One of the nouns, but nobody who was named before."""
        left = [noun for noun in items if noun.one not in self.people]
        return self.pick(left or items)

    def mark(self, *constructions: str) -> None:
        """Note what the sentence shows."""
        self.constructions.update(constructions)

    def combine(self, kind: str, first: str, second: str) -> None:
        """Note two words that the sentence joins."""
        self.combinations.add((kind, first, second))

    def noun_phrase(self, noun: Noun, style: str, plain: bool = False) -> Phrase:
        """A noun with what may stand before it (`determiners` has the styles), or `plain`."""
        word = self.pick(determiners(style, noun))
        if possessive(word) and self.chance(0.3):
            self.people.add(noun.one)  # no teacher's teacher
            word = self.owned(word)
        generic = style == "generic"
        adjective = NOTHING if plain else self.adjective(noun, possessive(word), generic)
        return self.determined(noun, word, adjective)

    def determined(
        self,
        noun: Noun,
        word: Determiner,
        adjective: Phrase = NOTHING,
        clause: Clause = NO_CLAUSE,
        inside: bool = False,
        full: bool = False,
    ) -> Phrase:
        """Put everything in its order.

        A Chinese clause that begins with who does it stands before 這, 那 and numbers
        (貓看見的那條魚); but after a verb that could be done to that one (`inside`) it stands
        behind them (買那條貓看見的魚), as any other clause does (那位喜歡貓的農夫).
        """
        en = spaced(adjective.en, noun.many if word.plural else noun.one)
        pointed = word.zh[:1] in ("這", "那")
        zh = word.zh
        if noun.tags & {"person", "animal"}:
            self.people.add(noun.one)
        bare = word is THE and "title" in noun.tags and not (adjective.zh or clause.zh or full)
        if bare:
            zh = ""  # 老師, as one says of the one whom all know; but 那位老師和那位農夫 (`full`)
        elif word.measured:
            self.mark("measure word")
            zh += noun.measure
        if word.measured and noun.container:
            en = f"{noun.container[word.plural]} of {en}"
        if word.en.startswith(("this", "that", "these", "those")):
            self.mark("demonstrative")
        if possessive(word):
            self.mark("possessive")
        first = clause.doer and not inside
        zh = clause.zh + zh if first else zh + clause.zh
        article = "an" if word.en == "a" and en[0] in "aeiou" else word.en
        be = "are" if word.plural and (word.measured or not noun.container) else "is"
        known = pointed or possessive(word)
        return Phrase(
            spaced(article, en, clause.en), zh + adjective.zh + noun.zh, be, noun.one, known, first
        )

    def owned(self, word: Determiner) -> Determiner:
        """The teacher's (老師的), my mother's (我媽媽的)."""
        known = self.chance(0.5)
        owner = self.family() if known else self.determined(self.unnamed(_OWNERS), THE)
        own = f"{owner.zh}的{'那些' if word.plural else ''}"
        return Determiner(f"{owner.en} 's", own, word.plural, measured=False)

    def adjective(self, noun: Noun, short: bool = False, generic: bool = False) -> Phrase:
        """Now and then an adjective; a `short` one has no 的, one of all its kind no 很."""
        fitting = _adjectives(noun, short, generic)
        if not fitting or not self.chance(0.25):
            return NOTHING
        adjective = self.pick(fitting)
        self.mark("adjective")
        self.combine("adjective", adjective.en, noun.one)
        return Phrase(adjective.en, adjective.attribute)

    def pronoun(self, person: Pronoun) -> Phrase:
        """I, you, he."""
        self.mark("pronoun")
        return Phrase(person.subject, person.zh, person.be, person.subject)

    def family(self, but: Collection[str] = ()) -> Phrase:
        """My mother (我媽媽), her older brother (她哥哥)."""
        self.mark("possessive")
        name = self.pick([name for name in FAMILY if name not in {*but, *self.people}])
        self.people.add(name)
        person = self.pick(PRONOUNS[:4])
        return Phrase(f"{person.own} {name}", person.zh + FAMILY[name], "is", name)

    def pair(self, first: Noun, second: Noun) -> Phrase:
        """The farmer and the teacher: 那位農夫和那位老師."""
        self.mark("conjunction")
        left, right = (
            self.determined(n, THE, self.adjective(n), full=True) for n in (first, second)
        )
        return Phrase(f"{left.en} and {right.en}", f"{left.zh}和{right.zh}", "are", "they")
