"""Why, and on what condition: in Chinese the reason comes first, whatever the English does."""

from dataclasses import replace
from typing import NamedTuple

from transformer.data.grammar.actions import Actions
from transformer.data.grammar.clauses import Action, spaced
from transformer.data.grammar.lexicon import (
    CITIES,
    GENDER,
    HE,
    PLACES,
    PRONOUNS,
    SHE,
    STATES,
    THEY,
    VERBS,
    WEATHER,
    Pronoun,
    nouns,
    verbs,
)
from transformer.data.grammar.phrases import NOTHING, Phrase
from transformer.data.grammar.predicates import statement
from transformer.data.grammar.qualities import WAS

_OUTINGS = (*CITIES, *(PLACES[name] for name in ("park", "beach", "market", "night_market")))
_OUTDOORS = {"run": "park", "swim": "beach", "dance": "park"}
_EFFORTS = verbs("go go run swim dance")
_DEEDS = verbs("buy eat find make fix wash help sell give")


class Reason(NamedTuple):
    """A result and its cause; the English may say the `result_first`, `both` are of whom.

    They are `at_once` where one time is said of both.
    """

    result: Phrase
    cause: Phrase
    result_first: bool
    both: str = ""
    at_once: bool = True


class Reasons(Actions):
    """Draws sentences with "because" and "if"."""

    def because(self) -> Phrase:
        """I did not go to the market because I was tired: 我因為很累，所以沒有去市場."""
        self.mark("cause", "conjunction", "past")
        return self.put(self.reason(future=False), "because", "past", "因為", "所以")

    def provided(self) -> Phrase:
        """The farmer will not go to the park if it rains: 如果下雨，那位農夫就不會去公園."""
        self.mark("condition", "conjunction", "future")
        return self.put(self.reason(future=True), "if", "future", "如果", "")

    def put(self, reason: Reason, word: str, aspect: str, why: str, then: str) -> Phrase:
        """Put result, time and cause in their orders; who does both is said first in Chinese."""
        result, cause = reason.result, reason.cause
        time = self.time(aspect) if reason.at_once and self.chance(0.3) else NOTHING
        parts = (result.en, time.en), (word, cause.en)
        first, last = parts if reason.result_first else parts[::-1]
        return statement(
            spaced(*first, *last), f"{time.zh}{reason.both}{why}{cause.zh}，{then}{result.zh}"
        )

    def reason(self, future: bool) -> Reason:
        """A result and its reason."""
        return self.pick((self.weather, self.state, self.deed))(future, self.chance(0.6))

    def result(self, subject: Phrase, predicate: Phrase, future: bool) -> Phrase:
        """Who does what in the end; 就 if it is still to come."""
        return Phrase(
            f"{subject.en} {predicate.en}", f"{subject.zh}{'就' if future else ''}{predicate.zh}"
        )

    def weather(self, future: bool, result_first: bool) -> Reason:
        """What the weather makes one do."""
        weather, subject = self.pick(WEATHER), self.subject(VERBS["buy"])
        negative = False
        if weather.acts and self.chance(0.5):
            base, name = self.pick(weather.acts)
            self.combine("verb", base, name)
            noun = self.pick(nouns(name))
            thing = self.noun_phrase(noun, "singular" if base == "wear" else "one")
            action = Action(VERBS[base], thing.en, thing.zh)
        else:
            negative = not weather.good
            out = future and not negative  # 在海邊游泳 alone is present, 不會游泳 cannot swim
            base = self.pick(("go", "go", *_OUTDOORS)) if out else "go"
            if base == "go":
                place = self.pick(_OUTINGS)
                action = Action(VERBS["go"], f"to {place.name}", place.zh)
            else:
                action = Action(VERBS[base], place=PLACES[_OUTDOORS[base]])
        predicate = self.predicate(action, "future" if future else "past", subject.be, negative)
        cause = Phrase(weather.present if future else weather.was, weather.zh)
        return Reason(self.result(subject, predicate, future), cause, result_first)

    def state(self, future: bool, result_first: bool) -> Reason:
        """What being busy, tired or hungry makes one do; the Chinese names the person once."""
        subject, (en, zh) = self.subject(VERBS["buy"]), self.pick(STATES[:3])
        if en == "hungry":
            thing = self.thing(VERBS["eat"], "counted", subject.about)
            action = Action(VERBS["eat"], thing.en, thing.zh)
        else:
            verb = VERBS["go"] if future else self.pick(_EFFORTS)
            action = self.trip(ride=0.0) if verb.base == "go" else Action(verb)
        again = self.again(subject)
        first, second = (subject.en, again.subject)[:: 1 if result_first else -1]
        doer, be = (subject.be, again.be) if result_first else (again.be, subject.be)
        aspect = "future" if future else "past"
        predicate = self.predicate(action, aspect, doer, negative=en != "hungry")
        result = self.result(Phrase(first, ""), predicate, future)
        cause = Phrase(f"{second} {be if future else WAS[be]} {en}", f"很{zh}")
        return Reason(result, cause, result_first, subject.zh)

    def again(self, subject: Phrase) -> Pronoun:
        """The pronoun for a subject named before."""
        for person in PRONOUNS:
            if person.subject == subject.about:
                return person
        if subject.be == "are":
            return THEY
        return GENDER.get(subject.about) or self.pick((HE, SHE))

    def deed(self, future: bool, result_first: bool) -> Reason:
        """What one does makes another happy or angry."""
        verb, (en, zh) = self.pick(_DEEDS), self.pick(STATES[3:])
        unclear = ("it", "he", "she", "they")  # in Chinese he would be who was named before
        subject = self.subject(VERBS["buy"], but=unclear)
        other = self.subject(verb, but=(*unclear, subject.about))
        style = "definite" if future else "any"
        action = self.action(verb, style, other.about)._replace(place=None)
        if verb.base == "fix" and future:
            action = action._replace(verb=replace(verb, zh="修好"))
        event = self.predicate(action, "present" if future else "past", other.be)
        be, will = ("will be", "會") if future else (WAS[subject.be], "")
        result = self.result(subject, Phrase(f"{be} {en}", f"{will}很{zh}"), future)
        cause = Phrase(f"{other.en} {event.en}", other.zh + event.zh)
        return Reason(result, cause, result_first, at_once=False)
