"""English-Chinese sentence pairs without end, in splits that share nothing they should not."""

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b

from transformer.arguments import check_integer
from transformer.data.grammar import Grammar

SPLITS = ("train", "validation", "test", "compositional", "longer")
_HELD_OUT = 10  # per cent of the combinations, and of the sentences for validation and for test
_DRAW = 36  # a draw of reserved combinations that leaves every word enough others
_SHORT = 5  # words and marks; what has fewer counts as no shorter
_WAITING = 1000  # sentences of one length that wait for their turn, at most


@dataclass(frozen=True)
class Pair:
    """A sentence in both languages.

    Attributes:
        source: English: lower case words and marks, with single spaces between.
        target: Its one Chinese translation, without spaces.
        constructions: What the pair shows, such as "negation" or "relative clause".
    """

    source: str
    target: str
    constructions: frozenset[str]


def generate_pairs(seed: int, split: str = "train") -> Iterator[Pair]:
    r"""Generate pairs without end, the same ones for the same seed.

    Some combinations of two words (a noun and a verb of its relative clause, an adjective and its
    noun, a verb and its object) are reserved: every sentence of the split "compositional" has at
    least one of them, the other splits have none. Its sentences are as long as those of "test", so
    that length explains no difference between the two. Sentences of "longer" have more words than
    any other: relative clauses of subject and object, and up to three sentences in one. No two
    splits share a sentence, whatever the seeds: the sentence itself decides where it belongs. Short
    sentences repeat within a split.

    Args:
        seed: Where to start, at least 0.
        split: "train", "validation", "test", "compositional" or "longer".

    Returns:
        An endless iterator.

    Raises:
        TypeError: If `seed` is not an integer.
        ValueError: If `seed` is negative or the split is unknown.

    Example:
        >>> pairs = generate_pairs(seed=0)
        >>> pair = next(pairs)
        >>> print(pair.source, pair.target, sep="\n")
        these four nurses are at the hospital .
        這四位護理師在醫院。
        >>> sorted(pair.constructions)
        ['demonstrative', 'measure word', 'place']
    """
    seed = check_integer("seed", seed, 0)
    if split not in SPLITS:
        raise ValueError(f"split must be one of {', '.join(SPLITS)}: got {split!r}")
    return _as_long_as_test(seed) if split == "compositional" else _drawn(seed, split)


def _drawn(seed: int, split: str) -> Iterator[Pair]:
    """All sentences of a split, as the grammar draws them."""
    grammar = Grammar(seed, deep=split == "longer")
    while True:
        source, target = grammar.sentence()[:2]
        if split == _split_of(source, grammar.combinations, grammar.deep):
            yield Pair(source, target, frozenset(grammar.constructions))


def _as_long_as_test(seed: int) -> Iterator[Pair]:
    """For each sentence of the test split, one of reserved combinations with as many words."""
    waiting: defaultdict[int, deque[Pair]] = defaultdict(lambda: deque(maxlen=_WAITING))
    found = _drawn(seed, "compositional")
    for like in _drawn(seed, "test"):
        fitting = waiting[_length(like)]
        while not fitting:
            pair = next(found)
            waiting[_length(pair)].append(pair)
        yield fitting.popleft()


def _length(pair: Pair) -> int:
    return max(_SHORT, pair.source.count(" ") + 1)


def _split_of(source: str, combinations: set[tuple[str, str, str]], deep: bool) -> str:
    if any(is_reserved(*combination) for combination in combinations):
        return "compositional"
    if deep:
        return "longer"
    per_cent = _per_cent(source)
    if per_cent < _HELD_OUT:
        return "test"
    return "validation" if per_cent < 2 * _HELD_OUT else "train"


@cache
def is_reserved(kind: str, first: str, second: str) -> bool:
    """Whether a combination is kept for the compositional split.

    Args:
        kind: "relative" (a noun and the verb of its relative clause), "adjective" (an adjective
            and the noun it is said of) or "verb" (a verb and its object).
        first: The first of the two words, as a dictionary has it.
        second: The second.

    Returns:
        True for about one combination in ten.

    Example:
        >>> is_reserved("adjective", "old", "farmer"), is_reserved("verb", "buy", "fish")
        (False, False)
    """
    return _per_cent(f"{_DRAW} {kind} {first} {second}") < _HELD_OUT


def _per_cent(text: str) -> int:
    """A number from 0 to 99 that is the same everywhere and always."""
    return int.from_bytes(blake2b(text.encode(), digest_size=4).digest()) % 100
