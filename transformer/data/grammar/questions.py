"""Questions about an action: 嗎 at the end, or a question word where the answer will stand."""

from transformer.data.grammar.actions import Actions, objects
from transformer.data.grammar.clauses import Action, chinese, english, spaced
from transformer.data.grammar.lexicon import ADJECTIVES, NOUNS, Verb, verbs
from transformer.data.grammar.phrases import NOTHING, Phrase
from transformer.data.grammar.predicates import always, question
from transformer.data.grammar.statements import ACTIONS, style

_WHAT = verbs("buy sell eat drink read write draw see find make want need like")
_WHOM = verbs("see help know like")
_WHICH = verbs("buy sell eat read write wash wear find borrow fix want need drink")
_WHERE = verbs("buy sell eat read borrow sleep work run swim sing dance rest")
_WHEN = verbs("buy read write wash make borrow fix go go go")  # 是…幫老師的: whose?
_WHY, _WHY_NOT = verbs("buy wear go"), verbs("buy sell eat read draw wash borrow go go")
_UNCOUNTED = tuple({noun.many for noun in NOUNS} | {a.en for a in ADJECTIVES})
_ASKED = ("past", "future", "want", "stative")


class Questions(Actions):
    """Draws questions about actions."""

    def asked(self) -> Phrase:
        """那位農夫有買那本書嗎？ Did the farmer buy the book?"""
        self.mark("question", "yes-no question")
        verb = self.pick(ACTIONS)
        aspects = [a for a in verb.aspects if verb.base != "give" or a != "past"]  # 把…給了你嗎
        aspect, subject = self.pick(aspects), self.listener(verb)
        before = style(verb, aspect, False, self.random())
        action = self.action(verb, before, subject.about)
        if aspect == "past" and action.en:
            action = action._replace(place=None)
        predicate = self.predicate(action, aspect, subject.be)
        timed = self.needs_time(verb, aspect, 0.5)
        # 你有喝茶嗎, 你有賣那些茶嗎: does one ever? 你有穿那件毛衣嗎: now?
        alone = action.en.startswith(_UNCOUNTED) or verb.base in ("sell", "wear")
        timed |= aspect == "past" and alone
        timed |= aspect == "habitual" and (verb.base == "go" or not action.en)
        time = self.time(aspect) if timed else NOTHING
        zh = predicate.zh.replace("應該要", "應該")
        if aspect == "past":
            zh = f"有{chinese(action, 'present')}"
        return self.inverted("", action, aspect, subject, time, f"{zh}嗎")

    def inverted(
        self, asked: str, action: Action, aspect: str, subject: Phrase, time: Phrase, zh: str
    ) -> Phrase:
        """A question whose English has an auxiliary before the subject."""
        before, verb = english(action.verb, aspect, subject.be, support=True)
        where = action.place.en if action.place else ""
        en = spaced(asked, before, subject.en, verb, action.en, where, time.en)
        return question(en, subject.zh + time.zh + always(time, zh))

    def ask(self, choice: tuple[Verb, ...], aspects: tuple[str, ...]) -> tuple[Verb, str, Phrase]:
        """Verb, aspect and subject of a question with a question word."""
        self.mark("question", "wh-question")
        verb = self.pick(choice)
        aspect = self.pick([aspect for aspect in aspects if aspect in verb.aspects])
        self.show(aspect)
        return verb, aspect, self.listener(verb)

    def who(self) -> Phrase:
        """昨天誰買了那本書？ Who bought the book yesterday?"""
        self.mark("question", "wh-question")
        verb = self.pick(ACTIONS)
        aspect = self.pick([a for a in verb.aspects if a not in ("habitual", "should")])
        action = self.action(verb, style(verb, aspect, aspect == "past", self.random()), "")
        predicate = self.predicate(action, aspect, "is")
        timed = self.needs_time(verb, aspect, 0.4)
        time = self.time(aspect) if timed else NOTHING
        return question(spaced("who", predicate.en, time.en), f"{time.zh}誰{predicate.zh}")

    def what(self) -> Phrase:
        """那位農夫買了什麼？ What did the farmer buy?"""
        thing = self.chance(0.7)
        verb, aspect, subject = self.ask(_WHAT if thing else _WHOM, (*_ASKED, "progressive"))
        timed = aspect == "future" or self.chance(0.4)  # 要 alone is what one wants
        time = self.time(aspect) if timed else NOTHING
        en, zh = ("what", "什麼") if thing else ("who", "誰")
        if verb.base == "make":
            zh = "什麼東西"  # 做什麼 asks what one does
        elif verb.base == "read":
            zh = "什麼書"  # 看什麼 asks what one looks at
        action = Action(verb, zh=zh)
        return self.inverted(en, action, aspect, subject, time, chinese(action, aspect, asked=True))

    def which(self) -> Phrase:
        """那位農夫買了幾本書？ How many books did the farmer buy?"""
        verb, aspect, subject = self.ask(_WHICH, _ASKED)
        noun = self.pick(objects(verb, subject.about))
        self.combine("verb", verb.base, noun.one)
        self.mark("measure word")
        if noun.container or self.chance(0.5):
            many = f"{noun.container[1]} of {noun.one}" if noun.container else noun.many
            en, zh = f"how many {many}", "幾"
        else:
            en, zh = f"which {noun.one}", "哪一"
        timed = aspect == "future" or self.chance(0.4)  # 要 alone is what one wants
        time = self.time(aspect) if timed else NOTHING
        action = Action(verb, zh=zh + noun.measure + noun.zh)
        return self.inverted(en, action, aspect, subject, time, chinese(action, aspect, asked=True))

    def where(self) -> Phrase:
        """那位農夫是在哪裡買那本書的？ Where did the farmer buy the book?"""
        verb, aspect, subject = self.ask(_WHERE, ("past", "future", "habitual", "want"))
        before = "generic" if aspect == "habitual" else "definite"
        action = self.action(verb, before, subject.about)._replace(place=None)
        mark = {"future": "要", "want": "想", "habitual": "都"}.get(aspect, "")
        lasting = aspect == "past" and not verb.done  # 是在哪裡工作的 is now
        timed = lasting or (self.chance(0.3) and aspect != "habitual")
        time = self.time(aspect) if timed else NOTHING
        zh = self.circumstance(action, aspect, "在哪裡", f"{mark}在哪裡")
        return self.inverted("where", action, aspect, subject, time, zh)

    def when(self) -> Phrase:
        """那位農夫什麼時候要看那本書？ When will the farmer read the book?"""
        verb, aspect, subject = self.ask(_WHEN, ("past", "future"))
        action = self.action(verb, "definite", subject.about)._replace(place=None)
        zh = self.circumstance(action, aspect, "什麼時候", "什麼時候要")
        return self.inverted("when", action, aspect, subject, NOTHING, zh)

    def circumstance(self, action: Action, aspect: str, asked: str, before: str) -> str:
        """Time or place asked for: 是…的 for what is past, otherwise before the verb."""
        verb = action.lead + action.verb.zh + action.zh
        return f"是{asked}{verb}的" if aspect == "past" else before + verb

    def why(self) -> Phrase:
        """那位農夫為什麼沒有買那本書？ Why did the farmer not buy the book?"""
        negative = self.chance(0.6)
        verb, aspect, subject = self.ask(_WHY_NOT if negative else _WHY, ("past", "want"))
        action = self.action(verb, "definite", subject.about)._replace(place=None)
        if negative:
            self.mark("negation")
        before, predicate = english(verb, aspect, subject.be, support=True)
        done = aspect == "past" and not negative  # 了 is left out after 為什麼: say when it was
        time = self.time(aspect) if done else NOTHING
        zh = chinese(action, "habitual" if done else aspect, negative)
        not_ = "not" if negative else ""
        en = spaced("why", before, subject.en, not_, predicate, action.en, time.en)
        return question(en, f"{subject.zh}{time.zh}為什麼{zh}")

    def where_to(self) -> Phrase:
        """那位農夫昨天去了哪裡？ Where did the farmer go yesterday?"""
        verb, aspect, subject = self.ask(verbs("go"), ("past", "future", "want"))
        time = self.time(aspect) if self.chance(0.6) else NOTHING
        action = Action(verb, zh="哪裡")
        zh = chinese(action, aspect, asked=True)
        return self.inverted("where", action, aspect, subject, time, zh)
