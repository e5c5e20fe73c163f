"""Who does what to whom, and relative clauses, which say it of a noun."""

from collections.abc import Collection
from functools import cache

from transformer.data.grammar.clauses import MARKS, Action, english, spaced
from transformer.data.grammar.determiners import THE, determiners
from transformer.data.grammar.lexicon import (
    CITIES,
    HE,
    NOUNS,
    PRONOUNS,
    SHE,
    THEY,
    TRIPS,
    VERBS,
    YOU,
    Noun,
    Verb,
    nouns,
    verbs,
)
from transformer.data.grammar.phrases import NOTHING, Clause, Phrase
from transformer.data.grammar.predicates import Predicates

TRANSITIVE = tuple(v for v in VERBS.values() if v.objects and v.base != "give")
INTRANSITIVE = tuple(v for v in VERBS.values() if v.places and not v.objects)
# 看見了一位農夫的女孩 begins like a farmer's girl.
_DONE = tuple(v for v in TRANSITIVE if v.base not in ("wear", "ride", "see", "help", "read"))
_LARGE = frozenset(noun.one for noun in nouns("large"))
_ANIMALS = frozenset(("it", *(noun.one for noun in nouns("animal"))))
_OF_ANIMALS = nouns("person animal insect fruit fish cake egg")
_RIDDEN = {"any": "activity", "definite": "singular", "counted": "singular"}
# One borrows nothing of one's own, and 寫老師的書 is about the teacher.
_UNOWNED = {"definite": "pointed", "any": "counted"}
_MAKING = verbs("make wrap write")
_WISHING = verbs("want need")
# As in 看見孩子, 需要弟弟洗.
_ON_SOMEONE = verbs("see find like know help draw feed wash buy sell borrow read want need")
_SEVERAL = tuple(v for v in TRANSITIVE if len(v.objects) > 1 and v.base != "ride")
_ANIMAL = nouns("animal")
_OVER = {"feed": "過", "wear": "過", "fix": "好"}  # 他餵的貓 is the one that he feeds


@cache
def objects(verb: Verb, subject: str) -> tuple[Noun, ...]:
    """The nouns it can be done to by this subject; an animal's are few, and none is itself."""
    kept = _OF_ANIMALS if subject in _ANIMALS else NOUNS
    return tuple(noun for noun in verb.objects if noun in kept and noun.one != subject)


@cache
def _verbs_to(noun: Noun, but: str) -> tuple[Verb, ...]:
    # 借 is "lend" too, 賣的 "for sale", and 幫的 too short to stand alone
    left_out = ("eat", "drink", "read", "ride", "want", "borrow", "help", "sell", but)
    return tuple(v for v in TRANSITIVE if noun in v.objects and v.base not in left_out)


@cache
def _verbs_of(noun: Noun, aspect: str, but: str) -> tuple[Verb, ...]:
    pool = {"past": _DONE, "stative": verbs("like")}.get(aspect, INTRANSITIVE)
    fitting = (v for v in pool if noun in v.subjects and aspect in v.aspects)
    return tuple(v for v in fitting if v.base != but)


class Actions(Predicates):
    """Draws subjects, objects and actions."""

    # Relative clauses

    def described_noun(
        self, noun: Noun, style: str, but: str, after_verb: bool = False, inside: bool = False
    ) -> Phrase:
        """A noun with a relative clause.

        Args:
            noun: The noun.
            style: What may stand before it, as `determiners` knows it.
            but: A verb that the clause must not repeat.
            after_verb: Whether its Chinese stands after a verb.
            inside: Whether the clause stands between its measure word and itself.
        """
        word = self.pick(determiners(style, noun))
        clause = self.relative_clause(noun, word.plural, but, after_verb, inside)
        adjective = self.adjective(noun, short=True)  # 我買的紅色的外套 has one 的 too many
        return self.determined(noun, word, adjective, clause, inside)

    def relative_clause(
        self, noun: Noun, plural: bool, but: str, after_verb: bool, inside: bool
    ) -> Clause:
        """Who likes cats (喜歡貓的), that the cat saw (貓看見的); but 那位你爺爺 is grandfather."""
        self.mark("relative clause")
        active = 1.0 if inside and "person" in noun.tags else 0.6
        if noun.tags & {"person", "animal"} and self.chance(active):
            return self.doing(noun, "who" if "person" in noun.tags else "that", plural, but)
        return self.done_to(noun, but, after_verb)

    def doing(self, noun: Noun, who: str, plural: bool, but: str) -> Clause:
        """A relative clause whose noun does something."""
        # 在海邊跑步的 runs there now; 昨天…正在跑步的 ran yesterday.
        aspects = ("stative", "past", "progressive") if self.now else ("stative", "past")
        fitting: tuple[Verb, ...] = ()
        while not fitting:
            aspect = self.pick(aspects)
            fitting = _verbs_of(noun, aspect, but)
        verb = self.pick(fitting)
        self.combine("relative", noun.one, verb.base)
        style = "counted" if aspect == "past" else "generic"
        if verb.base == "like":  # 喜歡學生的老師 begins like a student's
            thing = self.thing(verb, style, noun.one, plain=True, without="person")
            action = Action(verb, thing.en, thing.zh)
        else:
            action = self.action(verb, style, noun.one, plain=True)
        if aspect == "past":
            action = action._replace(place=None)
        predicate = self.predicate(action, aspect, "are" if plural else "is")
        return Clause(spaced(who, predicate.en), f"{predicate.zh}的")

    def done_to(self, noun: Noun, but: str, after_verb: bool) -> Clause:
        """A relative clause whose noun has something done to it: here 了 is left out.

        After a verb it is done by somebody whom neither verb nor measure word could take: 看醫生 is
        to see a doctor, and 那隻歌手喜歡的貓 begins with an animal of a singer.
        """
        verb = self.pick(_verbs_to(noun, but))
        self.combine("relative", noun.one, verb.base)
        self.combine("verb", verb.base, noun.one)
        self.people.add(noun.one)
        doer = verb if noun in _OF_ANIMALS else VERBS["buy"]  # a cow likes no letters
        aspect = "past" if "past" in verb.aspects else "stative"
        counted = not after_verb and aspect == "past"  # 孩子喜歡的 sounds like all children
        if after_verb and noun.one == "fish" and verb.base in ("see", "like") and self.chance(0.5):
            cat = self.unnamed(_ANIMAL)
            subject = Phrase(f"the {cat.one}", cat.zh, "is", cat.one)  # no fish is counted so
        else:
            subject = self.subject(doer, bare=True, counted=counted)
        if self.now and "progressive" in verb.aspects and self.chance(0.2):
            aspect = "progressive"
        self.show(aspect)
        predicate = spaced(*english(verb, aspect, subject.be))
        over = _OVER.get(verb.base, "") if aspect == "past" else ""
        zh = f"{subject.zh}{MARKS[aspect][0]}{verb.zh}{over}的"
        return Clause(f"that {subject.en} {predicate}", zh, doer=True)

    # Who does what

    def subject(
        self,
        verb: Verb,
        bare: bool = False,
        relative: bool = False,
        but: Collection[str] = (),
        counted: bool = True,
    ) -> Phrase:
        """Someone who can do it.

        Args:
            verb: What they can do.
            bare: Whether it is the subject of a relative clause, and short.
            relative: Whether it has a relative clause itself.
            but: Pronouns and relatives that it must not be.
            counted: Whether it may be a noun that takes a measure word.
        """
        kind = 1.0 if relative else self.random()
        if kind < 0.25:
            return self.pronoun(self.pick([p for p in PRONOUNS if p.subject not in but]))
        if (
            kind < 0.28
            and not bare
            and "it" not in but
            and any("animal" in noun.tags for noun in verb.subjects)
        ):
            self.mark("pronoun")
            return Phrase("it", "牠", "is", "it")
        if kind < 0.45 or not counted:
            return self.family(but)
        noun = self.unnamed(verb.subjects)
        self.people.add(noun.one)
        if bare:
            return self.determined(noun, THE, self.adjective(noun, short=True))
        if relative:
            return self.described_noun(noun, "pointed", verb.base)
        if kind > 0.95:
            other = self.pick(verb.subjects)
            return self.family(but) if other.one in self.people else self.pair(noun, other)
        return self.noun_phrase(noun, "definite")

    def listener(self, verb: Verb) -> Phrase:
        """Someone a question may be about: often you, never I."""
        subject = self.pronoun(YOU) if self.chance(0.2) else self.subject(verb)
        return self.pronoun(YOU) if subject.about == "i" else subject

    def thing(
        self,
        verb: Verb,
        style: str,
        subject: str,
        relative: bool = False,
        plain: bool = False,
        without: str = "",
    ) -> Phrase:
        """An object of the verb: `style` as `determiners` knows it, perhaps a relative clause."""
        able = objects(verb, subject)
        if without:
            able = tuple(noun for noun in able if not noun.tags & {*without.split()})
        if style == "generic":
            able = tuple(noun for noun in able if "title" not in noun.tags)  # 喜歡老闆: one's own
        noun = self.unnamed(able)
        plain = plain or verb in _MAKING  # nobody makes an old chair
        if noun.container or verb in _MAKING or not _verbs_to(noun, verb.base):
            relative = False
        if verb.base == "help":
            relative = False  # 幫那位找到雨傘的老師 begins with helping to find it
        if noun.measure in ("個", "把", "頭") and verb in _ON_SOMEONE and "person" not in noun.tags:
            relative = False  # 洗這三個他妹妹需要的盤子 begins with three sisters
        if "person" in noun.tags and not (relative or plain or style == "counted"):
            if self.chance(0.35):
                return self.them(subject)
            style = "generic" if style == "generic" else "definite"
        if verb.zh == "包" and style != "counted":  # there is no 那顆 before it is made
            style = "counted" if style == "any" else "generic"
        if noun.container:
            many = "counted" if verb in _WISHING else "indefinite"
            style = {"definite": "generic", "any": many}.get(style, style)
        self.combine("verb", verb.base, noun.one)
        if relative:
            on_someone = verb in _ON_SOMEONE
            some = style == "any" and not on_someone and self.chance(0.5)
            style, inside = "counted" if some else "measured", on_someone or some
            if verb.base == "ride":  # one; and 騎 takes no sister: 騎他姊姊喜歡的那輛
                style, inside = "singular", False
            return self.described_noun(noun, style, verb.base, after_verb=True, inside=inside)
        if verb.base == "ride":
            style = _RIDDEN.get(style, style)
            plain = plain or style == "activity"
        elif verb.base in ("borrow", "buy", "write"):
            style = _UNOWNED.get(style, style)
        return self.noun_phrase(noun, style, plain)

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
        elif style == "any" and not relative and verb in _SEVERAL and self.chance(0.12):
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
        able = objects(verb, subject)
        one = self.unnamed(able)
        other = self.unnamed([noun for noun in able if noun is not one])
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
        """Giving someone something: 給你一本書; what is known comes first (把那本書給你)."""
        verb, known = VERBS["give"], self.random()
        if known < 0.5:
            someone = self.noun_phrase(self.unnamed(objects(VERBS["help"], subject)), "singular")
        elif known < 0.7 and subject not in ("i", "we"):
            self.mark("pronoun")
            someone = Phrase("me", "我")
        else:
            someone = self.family()
        thing = self.thing(verb, style, subject)
        en = f"{someone.en} {thing.en}"
        if thing.known:
            return Action(verb, en, someone.zh, lead=f"把{thing.zh}")
        return Action(verb, en, someone.zh + thing.zh)
