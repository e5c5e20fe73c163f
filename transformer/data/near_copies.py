"""Near copies of held-out sentences: found by their rarest word pairs, then compared as a whole."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from rapidfuzz.distance import Indel

from transformer.data.normal_form import tokens

SIMILAR = 0.8  # of the tokens of both texts together, so many are in the same order in both
SHORTEST = 6  # tokens of a held-out text; shorter ones are only compared for being the same


class NearCopies:
    """Texts that others are compared with.

    A near copy shares at least half of a text's pairs of neighbouring tokens. So it has one of any
    half of them and one more: only the rarest half is in the index, and the memory depends on the
    held-out texts alone.

    Args:
        texts: The held-out texts.

    Example:
        >>> copies = NearCopies(["Choose Insert to add a new row to the table."])
        >>> copies.find("Choose Insert to add two new rows to this table")
        >>> copies.find("choose Insert to add a new column to the table !")
        'Choose Insert to add a new row to the table.'
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = list(texts)
        self._tokens = [tokens(text) for text in self._texts]
        self._same = {"".join(known): number for number, known in enumerate(self._tokens)}
        neighbours = [set(pairwise(known)) for known in self._tokens]
        counts = Counter(pair for pairs in neighbours for pair in pairs)
        self._index: dict[tuple[str, str], list[int]] = {}
        for number, pairs in enumerate(neighbours):
            if len(self._tokens[number]) >= SHORTEST:
                for pair in sorted(pairs, key=lambda pair: (counts[pair], pair))[
                    : len(pairs) // 2 + 1
                ]:
                    self._index.setdefault(pair, []).append(number)

    def find(self, text: str) -> str | None:
        """Return a held-out text that this one is a near copy of, or None.

        Args:
            text: The text.
        """
        known = tokens(text)
        if (same := self._same.get("".join(known))) is not None:
            return self._texts[same]
        shared = self._index.keys() & set(pairwise(known))
        for number in sorted({number for pair in shared for number in self._index[pair]}):
            if Indel.normalized_similarity(known, self._tokens[number]) >= SIMILAR:
                return self._texts[number]
        return None
