"""Noun phrases, relative clauses and predicates, English and Chinese at the same time."""

from collections.abc import Collection, Sequence
from functools import cache
from random import Random
from typing import NamedTuple, TypeVar

from transformer.data.grammar.clauses import MARKS, Action, chinese, english, spaced
from transformer.data.grammar.determiners import THE, Determiner, determiners, possessive
from transformer.data.grammar.lexicon import (
    ADJECTIVES,
    CITIES,
    FAMILY,
    HE,
    NOUNS,
    PRONOUNS,
    SHE,
    THEY,
    TIMES,
    TRIPS,
    VERBS,
    YOU,
    Adjective,
    Noun,
    Pronoun,
    Verb,
    nouns,
    verbs,
)

T = TypeVar("T")


class Phrase(NamedTuple):
    """English and Chinese; of a subject also its form of "be" and what it is about."""

    en: str
    zh: str
    be: str = "is"
    about: str = ""


NOTHING = Phrase("", "")
TRANSITIVE = tuple(v for v in VERBS.values() if v.objects and v.base != "give")
INTRANSITIVE = tuple(v for v in VERBS.values() if v.places and not v.objects)
_DONE = tuple(v for v in TRANSITIVE if v.base != "wear")
_LARGE = frozenset(noun.one for noun in nouns("large"))
_ANIMALS = frozenset(("it", *(noun.one for noun in nouns("animal"))))
_OF_ANIMALS = nouns("person animal insect fruit fish cake egg")
_MAKING = verbs("make write")
_SHOWN = {"past", "future", "habitual", "progressive"}


@cache
def _adjectives(noun: Noun, short: bool) -> tuple[Adjective, ...]:
    fitting = (adjective for adjective in ADJECTIVES if noun in adjective.nouns)
    return tuple(a for a in fitting if not (short and a.attribute.endswith("的")))


@cache
def objects(verb: Verb, subject: str) -> tuple[Noun, ...]:
    """The nouns it can be done to by this subject; an animal's are few, and none is itself."""
    kept = _OF_ANIMALS if subject in _ANIMALS else NOUNS
    return tuple(noun for noun in verb.objects if noun in kept and noun.one != subject)


@cache
def _verbs_to(noun: Noun, but: str) -> tuple[Verb, ...]:
    left_out = ("eat", "drink", "read", "ride", "want", but)
    return tuple(v for v in TRANSITIVE if noun in v.objects and v.base not in left_out)


@cache
def _verbs_of(noun: Noun, aspect: str, but: str) -> tuple[Verb, ...]:
    pool = {"past": _DONE, "stative": verbs("like")}.get(aspect, INTRANSITIVE)
    fitting = (v for v in pool if noun in v.subjects and aspect in v.aspects)
    return tuple(v for v in fitting if v.base != but)


class Phrases:
    """Draws phrases, and notes in `constructions` and `combinations` what it drew."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed).random  # the one method whose numbers never change
        self.constructions: set[str] = set()
        self.combinations: set[tuple[str, str, str]] = set()
        self.people: set[str] = set()  # who was named: nobody is named twice

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, all equally likely."""
        return items[int(self.random() * len(items))]

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.random() < probability

    def unnamed(self, items: Sequence[Noun]) -> Noun:
        """One of the nouns, but nobody who was named before."""
        noun = self.pick(items)
        while noun.one in self.people:
            noun = self.pick(items)
        return noun

    def mark(self, *constructions: str) -> None:
        """Note what the sentence shows."""
        self.constructions.update(constructions)

    def combine(self, kind: str, first: str, second: str) -> None:
        """Note two words that the sentence joins."""
        self.combinations.add((kind, first, second))

    # Nouns

    def noun_phrase(
        self, noun: Noun, style: str, relative: bool = False, but: str = "", plain: bool = False
    ) -> Phrase:
        """A noun with what belongs to it.

        Args:
            noun: The noun.
            style: What may stand before it, as `determiners` knows it.
            relative: Whether it has a relative clause.
            but: A verb that the relative clause must not repeat.
            plain: Whether it goes without an adjective.
        """
        word = self.pick(determiners(style, noun))
        clause = self.relative_clause(noun, word, but) if relative else NOTHING
        short = relative or possessive(word)  # 我的紅色的外套 has one 的 too many
        adjective = NOTHING if plain else self.adjective(noun, short)
        return self.determined(noun, word, adjective, clause)

    def determined(
        self, noun: Noun, word: Determiner, adjective: Phrase = NOTHING, clause: Phrase = NOTHING
    ) -> Phrase:
        """Put everything in its order.

        A Chinese relative clause stands before 這 or 那 (貓看見的那條魚), but after a bare number
        (一條貓看見的魚).
        """
        en = spaced(adjective.en, noun.many if word.plural else noun.one)
        zh = word.zh
        if noun.tags & {"person", "animal"}:
            self.people.add(noun.one)
        if word.measured:
            self.mark("measure word")
            zh += noun.measure
            if noun.container:
                en = f"{noun.container[word.plural]} of {en}"
        if word.en.startswith(("this", "that", "these", "those")):
            self.mark("demonstrative")
        if possessive(word):
            self.mark("possessive")
        zh = clause.zh + zh if zh[:1] in ("這", "那") else zh + clause.zh
        article = "an" if word.en == "a" and en[0] in "aeiou" else word.en
        be = "are" if word.plural and (word.measured or not noun.container) else "is"
        return Phrase(spaced(article, en, clause.en), zh + adjective.zh + noun.zh, be, noun.one)

    def adjective(self, noun: Noun, short: bool = False) -> Phrase:
        """Now and then an adjective; a `short` one has no 的."""
        fitting = _adjectives(noun, short)
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
        left, right = (self.determined(n, THE, self.adjective(n)) for n in (first, second))
        return Phrase(f"{left.en} and {right.en}", f"{left.zh}和{right.zh}", "are", "they")

    # Relative clauses

    def relative_clause(self, noun: Noun, word: Determiner, but: str) -> Phrase:
        """Who likes cats (喜歡貓的), that the cat saw (貓看見的)."""
        self.mark("relative clause")
        if noun.tags & {"person", "animal"} and self.chance(0.6):
            return self.doing(noun, "who" if "person" in noun.tags else "that", word.plural, but)
        return self.done_to(noun, but, any_doer=word.zh[:1] in ("這", "那"))

    def doing(self, noun: Noun, who: str, plural: bool, but: str) -> Phrase:
        """A relative clause whose noun does something."""
        aspect = self.pick(("stative", "past", "progressive", "habitual"))
        fitting = _verbs_of(noun, aspect, but)
        if not fitting:
            aspect = "progressive"
            fitting = _verbs_of(noun, aspect, but)
        verb = self.pick(fitting)
        self.combine("relative", noun.one, verb.base)
        style = {"past": "counted", "habitual": "placed"}.get(aspect, "generic")
        action = self.action(verb, style, noun.one, plain=True)
        if aspect == "past":
            action = action._replace(place=None)
        said = self.predicate(action, aspect, "are" if plural else "is")
        time = self.time(aspect) if aspect == "past" and self.needs_time(verb, 0.3) else NOTHING
        return Phrase(spaced(who, said.en, time.en), f"{time.zh}{said.zh}的")

    def done_to(self, noun: Noun, but: str, any_doer: bool) -> Phrase:
        """A relative clause whose noun has something done to it: here 了 is left out."""
        verb = self.pick(_verbs_to(noun, but))
        self.combine("relative", noun.one, verb.base)
        self.combine("verb", verb.base, noun.one)
        self.people.add(noun.one)
        # A cow likes no letters, and 五條牛看見的魚 sounds like five cows.
        doer = verb if any_doer and noun in _OF_ANIMALS else VERBS["buy"]
        subject = self.subject(doer, bare=True)
        aspect = "past" if "past" in verb.aspects else "stative"
        if "progressive" in verb.aspects and self.chance(0.2):
            aspect = "progressive"
        self.show(aspect)
        said = spaced(*english(verb, aspect, subject.be))
        return Phrase(f"that {subject.en} {said}", f"{subject.zh}{MARKS[aspect][0]}{verb.zh}的")

    # Who does what

    def subject(
        self, verb: Verb, bare: bool = False, relative: bool = False, but: Collection[str] = ()
    ) -> Phrase:
        """Someone who can do it.

        Args:
            verb: What they can do.
            bare: Whether it is the subject of a relative clause: then 那 is left out.
            relative: Whether it has a relative clause itself.
            but: Pronouns and relatives that it must not be.
        """
        kind = 1.0 if relative else self.random()
        if kind < 0.25:
            return self.pronoun(self.pick([p for p in PRONOUNS if p.subject not in but]))
        if kind < 0.28 and "it" not in but and any("animal" in noun.tags for noun in verb.subjects):
            self.mark("pronoun")
            return Phrase("it", "牠", "is", "it")
        if kind < 0.45:
            return self.family(but)
        noun = self.unnamed(verb.subjects)
        self.people.add(noun.one)
        if bare:
            adjective, plural = self.adjective(noun, short=True), self.chance(0.15)
            en = spaced("the", adjective.en, noun.many if plural else noun.one)
            return Phrase(en, adjective.zh + noun.zh, "are" if plural else "is", noun.one)
        if 0.95 < kind < 1.0:
            other = self.pick(verb.subjects)
            return self.family(but) if other.one in self.people else self.pair(noun, other)
        return self.noun_phrase(noun, "pointed" if relative else "definite", relative, verb.base)

    def listener(self, verb: Verb) -> Phrase:
        """Someone a question may be about: often you, never I."""
        subject = self.pronoun(YOU) if self.chance(0.2) else self.subject(verb)
        return self.pronoun(YOU) if subject.about == "i" else subject

    def thing(
        self, verb: Verb, style: str, subject: str, relative: bool = False, plain: bool = False
    ) -> Phrase:
        """An object of the verb; `style`, `relative` and `plain` as for `noun_phrase`."""
        noun = self.unnamed(objects(verb, subject))
        plain = plain or verb in _MAKING  # nobody makes an old chair
        if noun.container or verb in _MAKING or not _verbs_to(noun, verb.base):
            relative = False
        if "person" in noun.tags and not relative and style != "counted":
            if self.chance(0.35):
                return self.them(subject)
            style = "generic" if style == "generic" else "definite"
        if noun.container:
            style = {"definite": "generic", "any": "indefinite"}.get(style, style)
        self.combine("verb", verb.base, noun.one)
        if relative:
            # 三位學生喜歡的老師 could be three students, or three teachers
            clear = style == "any" and not noun.tags & {"person", "animal"}
            style = "counted" if clear and self.chance(0.5) else "pointed"
            return self.noun_phrase(noun, style, relative=True, but=verb.base)
        return self.noun_phrase(noun, style, plain=plain)

    def them(self, subject: str) -> Phrase:
        """Someone else than the subject, as an object."""
        known = any(person.subject == subject for person in PRONOUNS)
        person = self.pick((HE, SHE, THEY) if known else PRONOUNS)
        if person.subject == subject:
            return self.family()
        self.mark("pronoun")
        return Phrase(person.object, person.zh, person.be, person.subject)

    def action(
        self, verb: Verb, style: str, subject: str, relative: bool = False, plain: bool = False
    ) -> Action:
        """The verb with its object or destination, and perhaps a place."""
        if verb.base == "go":
            return self.trip()
        if verb.base == "give":
            return self.gift(style, subject)
        if not verb.objects:
            what = NOTHING
        elif style == "any" and not relative and self.chance(0.12):
            what = self.two_things(verb, subject)
        else:
            what = self.thing(verb, style, subject, relative, plain)
        if relative and what.en:
            return Action(verb, what.en, what.zh)  # where what was done would be unclear
        if style != "placed" and not (verb.places and self.chance(0.3)):
            return Action(verb, what.en, what.zh)
        far = what.about in _LARGE and verb.base in ("buy", "sell")
        return Action(verb, what.en, what.zh, place=self.pick(CITIES if far else verb.places))

    def two_things(self, verb: Verb, subject: str) -> Phrase:
        """Two apples and a cup of tea: 兩顆蘋果和一杯茶."""
        self.mark("conjunction")
        one, other = (self.unnamed(objects(verb, subject)) for _ in range(2))
        while other is one:
            other = self.unnamed(objects(verb, subject))
        for noun in (one, other):
            self.combine("verb", verb.base, noun.one)
        left, right = (
            self.noun_phrase(noun, "counted", plain=verb in _MAKING) for noun in (one, other)
        )
        about = left.about if left.about in _LARGE else right.about
        return Phrase(f"{left.en} and {right.en}", f"{left.zh}和{right.zh}", "are", about)

    def trip(self, ride: float = 0.4) -> Action:
        """Going somewhere, perhaps by bus (搭公車)."""
        places, rides = self.pick(TRIPS)
        place, (by, lead) = self.pick(places), self.pick(rides) if self.chance(ride) else ("", "")
        return Action(VERBS["go"], spaced("to", place.name, by), place.zh, lead)

    def gift(self, style: str, subject: str) -> Action:
        """Giving someone something: in both languages the receiver comes first."""
        verb, known = VERBS["give"], self.random()
        if known < 0.5:
            someone = self.noun_phrase(self.unnamed(objects(VERBS["help"], subject)), "singular")
        elif known < 0.7 and subject not in ("i", "we"):
            self.mark("pronoun")
            someone = Phrase("me", "我")
        else:
            someone = self.family()
        thing = self.thing(verb, style, subject)
        return Action(verb, f"{someone.en} {thing.en}", someone.zh + thing.zh)

    # What is said, and when

    def show(self, aspect: str) -> None:
        """Note the aspect."""
        if aspect in _SHOWN:
            self.mark(aspect)
        elif aspect in ("want", "should"):
            self.mark("modal")

    def predicate(self, action: Action, aspect: str, be: str, negative: bool = False) -> Phrase:
        """What is said of a subject, without the time."""
        self.show(aspect)
        if negative:
            self.mark("negation")
        if action.place:
            self.mark("place")
        before, verb = english(action.verb, aspect, be, support=negative)
        where = action.place.en if action.place else ""
        en = spaced(before, "not" if negative else "", verb, action.en, where)
        return Phrase(en, chinese(action, aspect, negative))

    def time(self, aspect: str) -> Phrase:
        """When it happens, if the aspect leaves that open."""
        if aspect not in TIMES:
            return NOTHING
        self.mark("time")
        return Phrase(*self.pick(TIMES[aspect]))

    def needs_time(self, verb: Verb, probability: float) -> bool:
        """Whether to say when: always if nothing else shows the past, never twice if not."""
        if verb.past == verb.base or not verb.done:
            return True
        return self.chance(probability) and "time" not in self.constructions

    def at(self, time: Phrase, subject: Phrase, said: Phrase, first: bool) -> Phrase:
        """A sentence with its time; said last in English, it follows the subject in Chinese."""
        if first:
            return statement(spaced(time.en, subject.en, said.en), time.zh + subject.zh + said.zh)
        return statement(spaced(subject.en, said.en, time.en), subject.zh + time.zh + said.zh)


def statement(en: str, zh: str) -> Phrase:
    """The two sentences with their full stops."""
    return Phrase(f"{en} .", f"{zh}。")


def question(en: str, zh: str) -> Phrase:
    """The two sentences with their question marks."""
    return Phrase(f"{en} ?", f"{zh}？")
