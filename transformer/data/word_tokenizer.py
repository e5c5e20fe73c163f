"""Whole words as tokens: the vocabulary of the hand-made model, which is written in its file."""

import re
from collections.abc import Iterable, Sequence

from transformer.data.tokenizer import SPECIAL, Tokenizer


class WordTokenizer(Tokenizer):
    """A vocabulary of whole words, for a model whose ids a person should know by heart.

    Its special ids are those of every `Tokenizer`, but nothing is cut: a word that is not in the
    vocabulary cannot be written.

    Args:
        target: The words of the target in the order of their ids, the special ones first.
        source: The words of the source, whose ids follow.

    Raises:
        ValueError: If the first words are not `<pad>`, `<bos>` and `<eos>`, or one stands twice.

    Example:
        >>> tokenizer = WordTokenizer(["<pad>", "<bos>", "<eos>", "貓", "狗"], ["cats", "dogs"])
        >>> tokenizer.encode_source("Dogs.")
        [6, 2]
        >>> tokenizer.encode_target("貓 狗"), tokenizer.decode([3, 4, 2])
        ([1, 3, 4, 2], '貓狗')
        >>> tokenizer.encode_source("birds")
        Traceback (most recent call last):
        ...
        ValueError: words must be of cats, dogs: got 'birds'
    """

    def __init__(self, target: Sequence[str], source: Sequence[str]) -> None:
        self.spelling = "plain"
        special = list(SPECIAL[: self.unk_id])
        if list(target[: len(special)]) != special:
            raise ValueError(f"target must begin with {' '.join(special)}: got {' '.join(target)}")
        self._target_words, self._source_words = list(target[len(special) :]), list(source)
        self._words = [*target, *source]
        self._ids = {word: i for i, word in enumerate(self._words)}
        for word, i in self._ids.items():
            if i != self._words.index(word):
                raise ValueError(f"words must be in the vocabulary once: got {word!r} twice")

    @property
    def vocab_size(self) -> int:
        """Number of ids of both languages; a target has only the first of them."""
        return len(self._words)

    @property
    def vocabulary(self) -> list[str]:
        """The word of every id, the special ones first."""
        return list(self._words)

    def spelled(self, text: str) -> str:
        """Return a source sentence as the model knows it: lower case, without marks.

        Args:
            text: The sentence.

        Raises:
            TypeError: If the text is not a string.
        """
        return super().spelled(text).lower().rstrip(" .!?")

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text of one language, without special ids.

        Args:
            text: Words of the source with spaces between them, or words of the target.

        Raises:
            TypeError: If the text is not a string.
            ValueError: If it holds what is no word of its language.
        """
        text = super().spelled(text)
        if text.isascii():
            known, words = self._source_words, text.split()
        else:  # Chinese has no spaces: the longest word that fits
            known = self._target_words
            longest = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
            words = re.findall(rf"{longest}|\S", text)
        for word in words:
            if word not in known:
                raise ValueError(f"words must be of {', '.join(known)}: got {word!r}")
        return [self._ids[word] for word in words]

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of ids, without special ones; target words need no space.

        Args:
            ids: Ids of one language.

        Raises:
            TypeError: If an id is not an integer.
            ValueError: If an id is out of range.
        """
        words = [word for word in self.pieces(ids) if word not in SPECIAL]
        return (" " if words and words[0] in self._source_words else "").join(words)

    def to_json(self) -> str:
        """Refuse: these words are written in the file of their model.

        Raises:
            ValueError: Always.
        """
        raise ValueError(f"only a Tokenizer can be saved: got a {type(self).__name__}")

    def _piece(self, i: int) -> str:
        return self._words[i]
