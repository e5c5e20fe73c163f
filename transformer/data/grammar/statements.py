"""Who does what: statements with one verb or two."""

from transformer.data.grammar.actions import INTRANSITIVE, TRANSITIVE, Actions
from transformer.data.grammar.clauses import Action, chinese, english, spaced
from transformer.data.grammar.determiners import BARE
from transformer.data.grammar.lexicon import (
    PLACES,
    PRONOUNS,
    SPOTS,
    TIMES,
    VERBS,
    Verb,
    nouns,
    verbs,
)
from transformer.data.grammar.phrases import NOTHING, Phrase
from transformer.data.grammar.predicates import question, statement

ACTIONS = (*TRANSITIVE, *INTRANSITIVE, *verbs("go go go go give give"))
_OF_ALL = verbs("like like eat")
_IN_TURN = verbs("buy eat drink read write draw wash find make wrap feed help fix")
_SHARED = verbs("like like eat drink read sell buy wash see find borrow go want need")
_AT = {place.en: place for place in PLACES.values()}  # 樹在公園裡, but 孩子在公園
_KNOWN_ASPECTS = ("past", "future", "habitual", "stative")


def style(verb: Verb, aspect: str, affirmative: bool, draw: float) -> str:
    """What may stand before the object, `draw` being a random number.

    "Did not buy a book" and "did you buy a book" have no good word for word translation.
    """
    if not verb.objects:
        return "placed" if aspect == "past" else "free"
    if aspect == "habitual":
        return "generic"
    if verb.base == "wear":  # 想穿一件襯衫 says too much
        return "one" if aspect == "past" and affirmative and draw < 0.4 else "definite"
    if verb.base == "ride":
        return "definite" if aspect == "past" or draw < 0.5 else "any"  # 騎了機車: how many?
    if aspect == "progressive":
        return "definite" if draw < 0.6 or not affirmative else "one"
    if verb.base == "like":
        return "generic" if draw < 0.5 else "definite"
    if affirmative and verb.base != "know":
        return "any"
    return "generic" if "habitual" in verb.aspects and draw < 0.3 else "definite"


class Statements(Actions):
    """Draws statements about actions and places."""

    def stated(self, aspect: str = "", deep: bool = False) -> Phrase:
        """The old farmer did not buy the three fish that the cat saw.

        Args:
            aspect: What to tell; any when empty.
            deep: Whether subject and object both have a relative clause.
        """
        verb = self.pick([verb for verb in ACTIONS if not aspect or aspect in verb.aspects])
        aspect = aspect or self.pick(verb.aspects)
        negative, relative = self.chance(0.3), self.random()
        habitual = aspect == "habitual"
        if habitual and verb.base == "go":
            negative = False
        self.now = aspect not in TIMES
        who = deep or relative < 0.15
        what = deep or (relative > 0.7 and not habitual)
        subject = self.subject(verb, relative=who)
        before = style(verb, aspect, not negative, self.random())
        action = self.action(verb, before, subject.about, relative=what)
        if who and verb.objects:
            action = action._replace(place=None)
        if negative and aspect in ("progressive", "habitual"):
            # 沒有在公園唱歌 did not or is not, 不在公園唱歌 sings elsewhere, 不工作 refuses to
            action = action._replace(place=None)
            negative = aspect == "progressive" or bool(action.en)
        if aspect == "future" and verb.base in ("see", "find"):
            negative = False  # that is 看不見
        if verb.base == "borrow" and aspect in ("want", "should"):
            negative = False  # 不想借 does not want to lend
        if aspect == "future" and verb.skill and not (action.en or action.place):
            negative = False  # 不會唱歌 cannot sing
        self.now = True
        predicate = self.predicate(action, aspect, subject.be, negative)
        if habitual and not negative and self.chance(0.3):
            self.mark("time")
            return statement(
                f"{subject.en} often {predicate.en}", f"{subject.zh}常常{predicate.zh}"
            )
        timed = not negative if habitual else self.needs_time(verb, aspect, 0.5)
        # 沒有在公園哭 and 沒有穿 may be what is not so now.
        timed |= negative and aspect == "past" and (bool(action.place) or verb.base == "wear")
        time = self.time(aspect) if timed else NOTHING
        return self.at(
            time,
            subject,
            predicate,
            bool(what and verb.objects)
            or (subject.zh[0] not in "這那" and not who and self.chance(0.6)),
        )

    def of_all(self) -> Phrase:
        """Cats like fish: 貓都喜歡魚."""
        verb = self.pick(_OF_ALL)
        noun = self.pick(verb.subjects if verb.base == "like" else nouns("animal"))
        subject = self.determined(noun, BARE)
        thing = self.thing(verb, "generic", noun.one)
        likes, negative = verb.base == "like", self.chance(0.2)
        aspect = "stative" if likes else "habitual"
        predicate = self.predicate(Action(verb, thing.en, thing.zh), aspect, "are", negative)
        they = "都" if likes else "" if negative else "會"  # 老師喜歡她: one teacher does
        return statement(f"{subject.en} {predicate.en}", subject.zh + they + predicate.zh)

    def in_turn(self) -> Phrase:
        """The boy ate an apple and drank a cup of milk: 那個男孩吃了一顆蘋果，也喝了一杯牛奶."""
        first, second = self.pick(_IN_TURN), self.pick(_IN_TURN)
        while second is first:
            second = self.pick(_IN_TURN)
        aspect = self.pick(("past", "future"))
        self.mark("conjunction", aspect)
        subject = self.subject(VERBS["buy"])
        timed = [self.needs_time(verb, aspect, 0.0) for verb in (first, second)]
        time = self.time(aspect) if any(timed) else NOTHING
        acts = []
        for verb in (first, second):
            thing = self.thing(verb, "any", subject.about)
            acts.append(Action(verb, thing.en, thing.zh))
        en = " and ".join(f"{english(act.verb, aspect, 'is')[1]} {act.en}" for act in acts)
        zh = "，也".join(chinese(act, aspect) for act in acts)
        predicate = Phrase(spaced("will" if aspect == "future" else "", en), zh)
        return self.at(time, subject, predicate, first=subject.zh[0] not in "這那")

    def contrasted(self) -> Phrase:
        """The cat likes fish but the dog does not: 那隻貓喜歡魚，但是那隻狗不喜歡."""
        self.mark("conjunction", "negation")
        verb = self.pick(_SHARED)
        aspect = self.pick([aspect for aspect in verb.aspects if aspect in _KNOWN_ASPECTS])
        if verb.base == "go" and aspect == "habitual":
            aspect = "future"
        if verb.base == "drink" and aspect == "past":
            aspect = "habitual"
        left = self.subject(verb)
        us = ("i", "we")
        someone = any(person.subject == left.about for person in PRONOUNS)
        others = () if someone else ("he", "she", "they", "it")  # he could be the one just named
        right = self.subject(verb, but=us if left.about in us else (left.about, *others))
        before = "generic" if aspect == "habitual" else "definite"
        if verb.base == "go":
            action = self.trip()
        else:  # 但是那位老師不喜歡: nobody whom the teacher could be liked by
            uncounted = " drink served" if aspect == "past" else ""  # 賣了豆漿: how much?
            thing = self.thing(verb, before, left.about, without="person animal" + uncounted)
            action = Action(verb, thing.en, thing.zh)
        predicate = self.predicate(action, aspect, left.be)
        timed = aspect in ("past", "future") and self.needs_time(verb, aspect, 0.4)
        time = self.time(aspect) if timed else NOTHING
        auxiliary, _ = english(verb, aspect, right.be, support=True)
        no = {"past": f"沒有{verb.zh}{verb.done.removesuffix('了')}", "future": "不會"}.get(
            aspect, f"不{verb.zh}"
        )
        en = spaced(left.en, predicate.en, time.en, "but", right.en, auxiliary, "not")
        return statement(en, f"{left.zh}{time.zh}{predicate.zh}，但是{right.zh}{no}")

    def there(self) -> Phrase:
        """There are two cats under the table: 桌子下面有兩隻貓."""
        self.mark("existence", "place")
        spot, things = self.pick(SPOTS)
        noun, kind = self.pick(things), self.random()
        be = "is" if noun.container else "are"
        if kind < 0.5:
            thing = self.noun_phrase(noun, "indefinite")
            return statement(f"there {thing.be} {thing.en} {spot.en}", f"{spot.zh}有{thing.zh}")
        if kind < 0.7:
            self.mark("negation")
            return statement(f"there {be} no {noun.many} {spot.en}", f"{spot.zh}沒有{noun.zh}")
        self.mark("question")
        if kind < 0.85:
            self.mark("yes-no question")
            return question(f"{be} there any {noun.many} {spot.en}", f"{spot.zh}有{noun.zh}嗎")
        self.mark("wh-question", "measure word")
        many = f"{noun.container[1]} of {noun.one}" if noun.container else noun.many
        en, zh = f"how many {many} are there {spot.en}", f"{spot.zh}有幾{noun.measure}{noun.zh}"
        return question(en, zh)

    def located(self) -> Phrase:
        """The phone that i bought is in the backpack: 我買的那支手機在背包裡."""
        kind, someone = self.random(), self.chance(0.4)
        if someone:
            subject = self.listener(VERBS["buy"]) if kind < 0.4 else self.subject(VERBS["buy"])
            spot = self.pick(tuple(PLACES.values()))
        else:
            spot, things = self.pick(SPOTS)
            noun = self.pick(things)
            if "person" in noun.tags:
                spot = _AT[spot.en]
            # "Is the dog that is resting in the park?" would be two questions.
            asked = 0.2 <= kind < 0.4
            relative = not noun.container and not asked and self.chance(0.3)
            if relative:
                subject = self.described_noun(noun, "pointed", but="")
            else:
                subject = self.noun_phrase(noun, "pointed" if noun.container else "definite")
        if kind < 0.2:
            self.mark("question", "wh-question")
            return question(f"where {subject.be} {subject.en}", f"{subject.zh}在哪裡")
        self.mark("place")
        if kind < 0.4:
            self.mark("question", "yes-no question")
            return question(f"{subject.be} {subject.en} {spot.en}", f"{subject.zh}在{spot.zh}嗎")
        if kind < 0.6:
            self.mark("negation")
            en, zh = f"{subject.be} not {spot.en}", f"不在{spot.zh}"
        else:
            en, zh = f"{subject.be} {spot.en}", f"在{spot.zh}"
        return statement(f"{subject.en} {en}", subject.zh + zh)
