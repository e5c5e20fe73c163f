"""Two sentences in one, commands and exclamations."""

from dataclasses import replace

from transformer.data.grammar.clauses import chinese, spaced
from transformer.data.grammar.lexicon import verbs
from transformer.data.grammar.phrases import Phrase
from transformer.data.grammar.predicates import statement
from transformer.data.grammar.qualities import Qualities
from transformer.data.grammar.statements import Statements

_TOGETHER = ("past", "progressive", "future", "want", "habitual")
_ASKED_FOR = verbs("buy read help help help wash fix feed give go")
_FULL = {"help": "幫助", "fix": "修好"}  # 請幫老師 waits for a verb
_FORBIDDEN = verbs("buy sell eat drink read wash ride wear feed sleep run swim sing dance cry go")


class Joined(Statements, Qualities):
    """Draws what is made of whole sentences, and what is said with more force."""

    def joined(self) -> Phrase:
        """The cat is sleeping and the dog is resting: 那隻貓正在睡覺，那隻狗正在休息."""
        if self.chance(0.4):
            first, second = self.part(), self.part()
            return Phrase(f"{first.en} . {second.en} .", f"{first.zh}。{second.zh}。")
        self.mark("conjunction")
        aspect = self.pick(_TOGETHER)
        first, second = self.part(aspect), self.part(aspect)
        word, mark = self.pick((("and", "，"), ("but", "，但是")))
        return statement(f"{first.en} {word} {second.en}", f"{first.zh}{mark}{second.zh}")

    def part(self, aspect: str = "") -> Phrase:
        """A statement without its full stop; with an aspect, about what is done."""
        self.constructions.discard("time")  # each may say when
        if aspect or self.chance(0.6):
            sentence = self.stated(aspect)
        else:
            sentence = self.pick((self.described, self.felt))()
        return Phrase(sentence.en.removesuffix(" ."), sentence.zh.removesuffix("。"))

    def exclaimed(self) -> Phrase:
        """This cat is very cute! (這隻貓非常可愛！)."""
        sentence = self.part()
        return Phrase(f"{sentence.en} !", f"{sentence.zh}！")

    def ordered(self) -> Phrase:
        """Please do not sing in the library: 請不要在圖書館唱歌."""
        negative = self.chance(0.5)
        verb = self.pick(_FORBIDDEN if negative else _ASKED_FOR)
        action = self.action(verb, "pointed" if verb.base == "give" else "definite", "you")
        action = action._replace(place=action.place if negative else None)
        if verb.base in _FULL:
            action = action._replace(verb=replace(verb, zh=_FULL[verb.base]))
        polite = not negative or self.chance(0.5)
        self.mark("command", *(["negation"] if negative else []))
        where = action.place.en if action.place else ""
        order = spaced("do not" if negative else "", verb.base, action.en, where)
        zh = ("請" if polite else "") + ("不要" if negative else "") + chinese(action, "habitual")
        mark, stop = ("!", "！") if self.chance(0.3) else (".", "。")
        return Phrase(f"{'please ' if polite else ''}{order} {mark}", zh + stop)
