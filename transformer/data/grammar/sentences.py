"""The grammar as a whole: which sentences there are, and how often each is drawn."""

import re
from collections.abc import Callable

from transformer.data.grammar.joined import Joined
from transformer.data.grammar.phrases import Phrase
from transformer.data.grammar.questions import Questions
from transformer.data.grammar.reasons import Reasons

LONGEST = 18  # words, marks not counted; a deep sentence has more
_DEEPEST = 30
_WHEN = r"(?:yesterday |tomorrow |tonight |(?:last|next|this|every) \w+ )?"
# In 她…，他… the two are easily one; of one, the second is said with 也.
_WHO = re.compile(
    rf"(?:and|but) {_WHEN}(?:he|she|they|it|his|her|their) |\b(i|you|we) .*(?:and|but) {_WHEN}\1 "
)
_TWICE = re.compile(r"\b(yesterday|tomorrow|tonight|(?:last|next|this|every) \w+)\b[^.]*\b\1\b")
# 那匹馬上星期 has "at once", 那個他媽媽 a curse in it; in 如果那位農夫…，他爸爸 it is his own.
_MISREAD = re.compile("馬上|[個這那]他媽|(?:如果|因為)(?!下雨|天氣)[^。]*，(?:所以)?[他她牠]")


class Grammar(Joined, Questions, Reasons):
    r"""Draws sentences; `constructions` and `combinations` describe the last one.

    Args:
        seed: Decides every sentence to come.
        deep: Whether to draw sentences longer than all others: with relative clauses of both
            subject and object, and up to three sentences in one.

    Example:
        >>> grammar = Grammar(seed=0)
        >>> print(*grammar.sentence()[:2], sep="\n")
        these four nurses are at the hospital .
        這四位護理師在醫院。
    """

    def __init__(self, seed: int, deep: bool = False) -> None:
        super().__init__(seed)
        self.deep = deep

    def sentence(self) -> Phrase:
        """Draw a sentence: English words with the marks apart, and its Chinese."""
        while True:
            self.constructions.clear()
            self.combinations.clear()
            self.people.clear()
            self.now = True
            sentence = self.pick(_DEEP if self.deep else _RULES)(self)
            if self.fits(sentence.en) and not _MISREAD.search(sentence.zh):
                return sentence

    def fits(self, en: str) -> bool:
        """Whether it has as many words as it may, and can be read."""
        words = sum(word not in ".?!" for word in en.split())
        shortest, longest = (LONGEST + 1, _DEEPEST) if self.deep else (1, LONGEST)
        unclear = "that that" in en or _WHO.search(en) or _TWICE.search(en)
        return shortest <= words <= longest and not unclear

    def nested(self) -> Phrase:
        """The girl who likes cats is feeding the dog that my mother saw."""
        return self.stated(deep=True)

    def three_statements(self) -> Phrase:
        """A sentence and two in one."""
        first, second = self.part(), self.joined()
        return Phrase(f"{first.en} . {second.en}", f"{first.zh}。{second.zh}")


_RULES: tuple[Callable[[Grammar], Phrase], ...] = (
    *[Grammar.stated] * 28,
    *[Grammar.of_all] * 2,
    *[Grammar.in_turn] * 3,
    *[Grammar.contrasted] * 4,
    *[Grammar.there] * 5,
    *[Grammar.located] * 4,
    *[Grammar.asked] * 7,
    *[Grammar.who] * 2,
    *[Grammar.what, Grammar.which] * 3,
    *[Grammar.where, Grammar.when, Grammar.why] * 2,
    Grammar.where_to,
    *[Grammar.felt] * 3,
    *[Grammar.described] * 9,
    *[Grammar.is_it] * 2,
    *[Grammar.compared] * 7,
    *[Grammar.is_it_more] * 2,
    *[Grammar.thought] * 3,
    *[Grammar.because, Grammar.provided] * 7,
    *[Grammar.joined] * 20,
    *[Grammar.exclaimed] * 2,
    *[Grammar.ordered] * 4,
)
_DEEP: tuple[Callable[[Grammar], Phrase], ...] = (
    *[Grammar.nested] * 8,
    *[Grammar.joined] * 2,
    Grammar.three_statements,
)
