"""The grammar as a whole: which sentences there are, and how often each is drawn."""

from collections.abc import Callable

from transformer.data.grammar.phrases import Phrase
from transformer.data.grammar.qualities import Qualities
from transformer.data.grammar.questions import Questions
from transformer.data.grammar.reasons import Reasons
from transformer.data.grammar.statements import Statements

_LONGEST = 25  # words, the final mark not counted


class Grammar(Statements, Questions, Qualities, Reasons):
    """Draws sentences; `constructions` and `combinations` describe the last one.

    Args:
        seed: Decides every sentence to come.

    Example:
        >>> grammar = Grammar(seed=0)
        >>> print(*grammar.sentence()[:2], sep=" | ")
        our novel is much longer than his novel . | 我們的小說比他的小說長很多。
    """

    def sentence(self) -> Phrase:
        """Draw a sentence: English words with the final mark apart, and its Chinese."""
        while True:
            self.constructions.clear()
            self.combinations.clear()
            self.people.clear()
            sentence = self.pick(_RULES)(self)
            if sentence.en.count(" ") <= _LONGEST and "that that" not in sentence.en:
                return sentence


_RULES: tuple[Callable[[Grammar], Phrase], ...] = (
    *[Grammar.told] * 28,
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
    *[Grammar.because, Grammar.provided] * 5,
)
