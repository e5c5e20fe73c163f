"""What is said of a subject, and when."""

from transformer.data.grammar.clauses import Action, chinese, english, spaced
from transformer.data.grammar.lexicon import TIMES, Verb
from transformer.data.grammar.phrases import NOTHING, NounPhrases, Phrase

_SHOWN = {"past", "future", "habitual", "progressive"}
_SHOWING = ("沒有", "會", "不會")  # says when without a time


class Predicates(NounPhrases):
    """Draws what is said, and when it happens."""

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

    def needs_time(self, verb: Verb, aspect: str, probability: float) -> bool:
        """Whether to say when: always where nothing else shows past or future, never twice else.

        Without a time, 會唱歌 says that one can sing, and 會去學校 that one does now and then.
        """
        if aspect == "past" and (verb.past == verb.base or not verb.done):
            return True
        if aspect == "future":
            return True
        return self.chance(probability) and "time" not in self.constructions

    def at(self, time: Phrase, subject: Phrase, predicate: Phrase, first: bool) -> Phrase:
        """A sentence with its time; said last in English, it follows the subject in Chinese.

        It does so too where it would be taken with the subject: 昨天我買的那條魚 was bought
        yesterday, 明天買了魚的農夫 has not yet done so, 昨天那位老師很忙 is about yesterday's.
        """
        before, after = (time.en, "") if first else ("", time.en)
        en = spaced(before, subject.en, predicate.en, after)
        who = time.zh + subject.zh
        unshown = subject.zh[0] in "這那" and not (
            predicate.zh.startswith(_SHOWING) or "了" in predicate.zh
        )
        unclear = unshown or "了" in subject.zh or time.zh.startswith("每")
        if not first or subject.doer_first or unclear:
            who = subject.zh + time.zh
        return statement(en, who + always(time, predicate.zh))


def always(time: Phrase, zh: str) -> str:
    """What is done every day takes 都, and 會 where little follows.

    Example:
        >>> always(Phrase("every day", "每天"), "跳舞"), always(NOTHING, "跳舞")
        ('都會跳舞', '跳舞')
    """
    if not time.zh.startswith("每"):
        return zh
    return f"都會{zh}" if len(zh.removesuffix("嗎")) < 3 else f"都{zh}"


def statement(en: str, zh: str) -> Phrase:
    """The two sentences with their full stops."""
    return Phrase(f"{en} .", f"{zh}。")


def question(en: str, zh: str) -> Phrase:
    """The two sentences with their question marks."""
    return Phrase(f"{en} ?", f"{zh}？")
