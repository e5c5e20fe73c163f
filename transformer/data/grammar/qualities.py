"""What something or someone is like: adjectives, comparisons, opinions."""

from functools import cache

from transformer.data.grammar.actions import Actions
from transformer.data.grammar.clauses import spaced
from transformer.data.grammar.determiners import OWN, THAT, THIS, determiners
from transformer.data.grammar.lexicon import (
    ADJECTIVES,
    NOUNS,
    PRONOUNS,
    STATES,
    VERBS,
    Adjective,
    Noun,
)
from transformer.data.grammar.phrases import NOTHING, Phrase
from transformer.data.grammar.predicates import question, statement

WAS = {"am": "was", "is": "was", "are": "were"}
_PRAISE = (
    "beautiful",
    "cute",
    "smart",
    "kind",
    "fresh",
    "delicious",
    "sweet",
    "interesting",
    "clean",
)
_BLAME = ("expensive", "big", "small", "heavy", "long")
_KINDS = ("fruit", "pet", "dish", "print", "clothes", "vehicle", "device", "furniture", "person")


@cache
def _fitting(noun: Noun) -> tuple[Adjective, ...]:
    return tuple(a for a in ADJECTIVES if noun in a.nouns and a.predicate)


@cache
def _rivals(adjective: Adjective) -> tuple[tuple[Noun, ...], ...]:
    """Groups of nouns that can be compared in this."""
    groups = (tuple(noun for noun in adjective.nouns if kind in noun.tags) for kind in _KINDS)
    return tuple(group for group in groups if group)


_OURS, _NOT_OURS = (OWN[0], OWN[4]), (OWN[1], OWN[2], OWN[3], OWN[5])
_DESCRIBED = tuple(noun for noun in NOUNS if _fitting(noun))
_COMPARED = tuple(a for a in ADJECTIVES if a.comparative and _rivals(a))


def quality(en: str, predicate: str, degree: str) -> Phrase:
    """What is said after "be".

    Example:
        >>> quality("big", "大", "very")[:2], quality("red", "是紅色的", "not")[:2]
        (('very big', '非常大'), ('not red', '不是紅色的'))
    """
    if degree == "not":
        return Phrase(f"not {en}", f"不{predicate}")
    if predicate.startswith("是"):
        return Phrase(en, predicate)
    zh = {"very": f"非常{predicate}", "too": f"太{predicate}了"}.get(degree, f"很{predicate}")
    return Phrase(spaced(degree, en), zh)


def together(subject: Phrase) -> str:
    """Of two it is said with 都: 孩子和老師說 is what the child told the teacher.

    Example:
        >>> together(Phrase("you and i", "你和我")), together(Phrase("we", "我們"))
        ('都', '')
    """
    return "都" if " and " in subject.en else ""


class Qualities(Actions):
    """Draws sentences around an adjective."""

    def felt(self) -> Phrase:
        """The teacher was very busy yesterday: 那位老師昨天非常忙."""
        subject, (en, zh) = self.subject(VERBS["buy"]), self.pick(STATES)
        degree = self.pick(("", "very", "not") if en != "angry" else ("", "very"))
        state, tense = quality(en, zh, degree), self.random()
        if degree == "not":
            self.mark("negation")
        both = together(subject)
        if tense < 0.4:
            predicate = Phrase(f"{subject.be} {state.en}", both + state.zh)
            return self.at(NOTHING, subject, predicate, True)
        aspect = "past" if tense < 0.7 or degree == "not" else "future"
        self.mark(aspect)
        be, will = (WAS[subject.be], "") if aspect == "past" else ("will be", "會")
        predicate = Phrase(f"{be} {state.en}", both + will + state.zh)
        return self.at(self.time(aspect), subject, predicate, self.chance(0.5))

    def described(self) -> Phrase:
        """This coat is beautiful but too expensive: 這件外套很漂亮，但是太貴了."""
        return statement(*self.description())

    def description(self) -> tuple[str, str]:
        """Something, and what it is like."""
        noun = self.unnamed(_DESCRIBED)
        relative = not noun.container and len(_fitting(noun)) > 1 and self.chance(0.35)
        if relative:
            subject = self.described_noun(noun, "pointed", but="")
        else:
            before = "pointed" if noun.container else "definite"
            subject = self.noun_phrase(noun, before, plain=True)
        subject_words = subject.en.split()  # no new phone is not new
        adjective = self.pick([a for a in _fitting(noun) if a.en not in subject_words])
        denied = "very" if adjective.predicate[:1] == "有" else "not"  # nobody says 不有趣
        degree = self.pick(("", "very", denied, "too" if adjective.too else ""))
        predicate = self.judged(noun, adjective, degree)
        if adjective.en in _PRAISE and degree in ("", "very") and self.chance(0.5):
            more = self.more(noun, adjective)
            predicate = Phrase(predicate.en + more.en, predicate.zh + more.zh)
        return f"{subject.en} {subject.be} {predicate.en}", subject.zh + predicate.zh

    def judged(self, noun: Noun, adjective: Adjective, degree: str) -> Phrase:
        """An adjective said of a noun."""
        self.mark("adjective")
        self.combine("adjective", adjective.en, noun.one)
        if degree == "not":
            self.mark("negation")
        return quality(adjective.en, adjective.predicate, degree)

    def more(self, noun: Noun, praised: Adjective) -> Phrase:
        """After praise, more praise or some blame."""
        praise = [a for a in _fitting(noun) if a.en in _PRAISE and a is not praised]
        blame = [a for a in _fitting(noun) if a.en in _BLAME]
        if blame and self.chance(0.5):
            self.mark("conjunction")
            predicate = self.judged(noun, self.pick(blame), "too")
            return Phrase(f" but {predicate.en}", f"，但是{predicate.zh}")
        if not praise:
            return NOTHING
        self.mark("conjunction")
        predicate = self.judged(noun, self.pick(praise), self.pick(("", "very")))
        return Phrase(f" and {predicate.en}", f"，而且{predicate.zh}")

    def is_it(self) -> Phrase:
        """這件外套貴嗎？ Is this coat expensive?"""
        self.mark("question", "yes-no question")
        if self.chance(0.3):
            subject, (en, zh) = self.listener(VERBS["buy"]), self.pick(STATES)
            zh = "在生氣" if en == "angry" else zh
        else:
            noun = self.pick(_DESCRIBED)
            adjective = self.pick(_fitting(noun))
            self.judged(noun, adjective, "")
            en, zh = adjective.en, adjective.predicate
            before = "pointed" if noun.container else "definite"
            subject = self.noun_phrase(noun, before, plain=True)
        return question(f"{subject.be} {subject.en} {en}", f"{subject.zh}{zh}嗎")

    def compared(self) -> Phrase:
        """This coat is much more expensive than that coat: 這件外套比那件外套貴很多."""
        return statement(*self.comparison())

    def comparison(self) -> tuple[str, str]:
        """Two, and which is more so."""
        left, right, adjective = self.rivals()
        more, zh, kind = adjective.comparative, adjective.predicate, self.random()
        if kind < 0.35:
            en, zh = f"{more} than", f"比{right.zh}{zh}"
        elif kind < 0.5:
            en, zh = f"much {more} than", f"比{right.zh}{zh}很多"
        elif kind < 0.65:
            en, zh = f"a little {more} than", f"比{right.zh}{zh}一點"
        elif kind < 0.8:
            self.mark("negation")
            en, zh = f"not {more} than", f"沒有比{right.zh}{zh}"
        else:
            en, zh = f"as {adjective.en} as", f"跟{right.zh}一樣{zh}"
        return f"{left.en} {left.be} {en} {right.en}", left.zh + zh

    def is_it_more(self) -> Phrase:
        """這件外套比那件外套貴嗎？ Is this coat more expensive than that coat?"""
        self.mark("question", "yes-no question")
        left, right, adjective = self.rivals(asked=True)
        en = f"{left.be} {left.en} {adjective.comparative} than {right.en}"
        return question(en, f"{left.zh}比{right.zh}{adjective.predicate}嗎")

    def rivals(self, asked: bool = False) -> tuple[Phrase, Phrase, Adjective]:
        """Two to compare, and in what."""
        self.mark("comparison")
        adjective = self.pick(_COMPARED)
        group = self.pick(_rivals(adjective))
        noun, other = self.unnamed(group), self.unnamed(group)
        if "person" in noun.tags and self.chance(0.6):
            # My older brother is not younger than me.
            known = adjective.en == "young" or self.chance(0.5)
            left = self.pronoun(self.pick(PRONOUNS[asked:])) if known else self.family()
            return left, self.them(left.about), adjective
        self.combine("adjective", adjective.en, noun.one)
        self.combine("adjective", adjective.en, other.one)
        first, second = THIS, THAT
        if noun is other and "mine" in noun.tags and self.chance(0.7):
            first, second = self.pick(_OURS), self.pick(_NOT_OURS)
        if noun is other:
            return self.determined(noun, first), self.determined(noun, second), adjective
        left, right = (  # 老師比老闆親切 is said of all of them
            self.determined(n, self.pick(determiners("singular", n)), full=True)
            for n in (noun, other)
        )
        return left, right, adjective

    def thought(self) -> Phrase:
        """My mother thinks that this coat is too expensive: 我媽媽覺得這件外套太貴了."""
        subject = self.subject(VERBS["buy"])
        who = subject.zh + together(subject)
        en, zh = self.comparison() if self.chance(0.3) else self.description()
        if self.chance(0.4):
            self.mark("past")
            return statement(f"{subject.en} said that {en}", f"{who}說{zh}")
        think = "thinks" if subject.be == "is" else "think"
        return statement(f"{subject.en} {think} that {en}", f"{who}覺得{zh}")
