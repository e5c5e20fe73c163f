"""Byte-pair encoding: sentences of both languages to ids of one vocabulary, and back (§5.1)."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from operator import index
from os import PathLike
from pathlib import Path
from typing import Any

import tokenizers
from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers, trainers

from transformer.arguments import (
    ArgumentError,
    ArgumentTypeError,
    check_integer,
    check_strings,
)
from transformer.atomic_write import atomic_write
from transformer.data.spelling import SPELLINGS, spell

SPECIAL = ("<pad>", "<bos>", "<eos>", "<unk>")
PAD_ID, BOS_ID, EOS_ID, UNK_ID = range(len(SPECIAL))
SMALLEST_VOCAB = len(SPECIAL) + 256
LARGEST_VOCAB = 1_000_000

# No merge crosses the border of a piece: a Chinese character; a word, or a run of punctuation,
# with the space after it; other white space.
_LETTER = r"[[\p{L}\p{M}\p{N}']&&[^\p{Han}]]"
PIECES = (
    r"\p{Han}"
    rf"|{_LETTER}+ ?"
    r"|[^\s\p{L}\p{M}\p{N}']+ ?"
    r"|\s+"
)

# Every word gets a space. If the text has none there, the joiner tells the decoder: "cat." is cut
# as "cat ￭.". The end of the text needs no joiner.
JOINER = "\uffed"
_ENDS_BEFORE_OTHERS = Regex(rf"(?<={_LETTER})(?! |{_LETTER}|\z)")
_ENDS_THE_TEXT = Regex(rf"(?<={_LETTER})(?= *\z)")
_ADDED_AT_THE_END = Regex(rf"(?<={_LETTER}) (?= *\z)")

# Tokenizers of an earlier version are read as they are: their words have no space before a mark.
_WITHOUT_JOINER = {
    "normalizer": {"type": "NFC"},
    "decoder": {
        "type": "ByteLevel",
        "add_prefix_space": True,
        "trim_offsets": True,
        "use_regex": True,
    },
}

# tokenizers writes a byte as a character: a printable one as itself, another from U+0100 on.
_PRINTABLE = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_OTHERS = [byte for byte in range(256) if byte not in _PRINTABLE]
_BYTES = {chr(byte): byte for byte in _PRINTABLE}
_BYTES |= {chr(256 + i): byte for i, byte in enumerate(_OTHERS)}


class Tokenizer:
    """One vocabulary of subwords for both languages, made with `train` or `load`.

    A text is normalized to NFC, cut into pieces and spelled in UTF-8 bytes; merges learned from
    the training sentences then join bytes that often stand together. Every word carries a space
    after it, so it has the same ids wherever it stands. If the text has no space there, what
    follows begins with the joiner `￭`, as in OpenNMT's tokenizer: `cat.` is cut into `cat ` and
    `￭.`, and decoding removes both. A Chinese character is a piece of its own, so it has the same
    ids in every sentence. A character that training never saw is cut into its bytes: nothing is
    lost, and `unk_id`, reserved by custom, is never produced.

    Args:
        bpe: A byte-pair encoding of Hugging Face's `tokenizers`, built as `train` builds it.
        spelling: How a source sentence is spelled before it becomes ids: `"plain"`, in NFC with
            single spaces, or `"grammar"`, as the package's own grammar writes.
        source: Another tokenizer for sources, if each language has a vocabulary of its own.

    Attributes:
        spelling: The same.
        pad_id: 0, fills up the shorter rows of a batch.
        bos_id: 1, starts a target sentence.
        eos_id: 2, ends a sentence.
        unk_id: 3, never produced.

    Raises:
        ValueError: If `bpe` is built in another way, or lacks an id or a byte, or the spelling is
            unknown.

    Example:
        >>> tokenizer = Tokenizer.train(["the cat sleeps .", "貓在睡覺。"] * 2, vocab_size=300)
        >>> ids = tokenizer.encode("the cat .")
        >>> tokenizer.pieces(ids)
        ['the ', 'cat ', '.']
        >>> tokenizer.decode(ids)
        'the cat .'
        >>> tokenizer.pieces(tokenizer.encode("cat"))
        ['cat ']
        >>> tokenizer.decode(tokenizer.encode("NFC 與沒見過的字 🐈"))
        'NFC 與沒見過的字 🐈'
    """

    pad_id = PAD_ID
    bos_id = BOS_ID
    eos_id = EOS_ID
    unk_id = UNK_ID
    _source: "Tokenizer | None" = None

    def __init__(
        self,
        bpe: tokenizers.Tokenizer,
        spelling: str = "plain",
        source: "Tokenizer | None" = None,
    ) -> None:
        if spelling not in SPELLINGS:
            raise ValueError(f"spelling must be one of {', '.join(SPELLINGS)}: got {spelling!r}")
        self.spelling = spelling
        frame = _frame(_untrained())
        if _frame(bpe) not in (frame, frame | _WITHOUT_JOINER):
            raise ValueError("the tokenizer must be one that Tokenizer.train builds")
        vocab = bpe.get_vocab()
        if sorted(vocab.values()) != list(range(len(vocab))):
            raise ValueError(f"ids must run from 0 to {len(vocab) - 1} without a gap")
        if missing := set(_BYTES) - set(vocab):
            raise ValueError(f"the vocabulary must hold all 256 bytes: {len(missing)} are missing")
        bpe.encode_special_tokens = True  # "<eos>" in a sentence is five characters, not the end
        self._bpe = bpe
        self._source = source

    @classmethod
    def train(
        cls, sentences: Iterable[str], vocab_size: int, spelling: str = "plain"
    ) -> "Tokenizer":
        """Learn the merges from sentences: those of the training split, of both languages.

        The result depends on the sentences only, not on their order. Memory grows with the number
        of different words, not with the number of sentences.

        Args:
            sentences: The sentences, read once.
            vocab_size: Number of ids wanted, from 260 (4 special ones and 256 bytes) to 1,000,000.
                There are fewer when the sentences hold no more pairs to merge.
            spelling: How sources will be spelled, `"plain"` or `"grammar"`; the sentences are taken
                as they are.

        Returns:
            The trained tokenizer.

        Raises:
            TypeError: If `vocab_size` is not an integer, or a sentence is not a string.
            ValueError: If `vocab_size` is out of range, there are no sentences, or the spelling is
                unknown.

        Example:
            >>> Tokenizer.train(["so so so"], vocab_size=262).pieces([260, 261])
            ['o ', 'so ']
        """
        vocab_size = check_integer("vocab_size", vocab_size, -sys.maxsize)
        if not SMALLEST_VOCAB <= vocab_size <= LARGEST_VOCAB:
            raise ArgumentError(
                "vocab_size",
                f"must be from {SMALLEST_VOCAB} ({len(SPECIAL)} special ids and 256 bytes) to "
                f"{LARGEST_VOCAB:,}: got {vocab_size}",
            )
        trainer = trainers.BpeTrainer(
            vocab_size=vocab_size,
            special_tokens=list(SPECIAL),
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
        bpe = _untrained()
        bpe.train_from_iterator(_checked(sentences), trainer)
        return cls(bpe, spelling)

    @classmethod
    def train_separate(
        cls,
        sources: Iterable[str],
        targets: Iterable[str],
        vocab_size: int,
        spelling: str = "plain",
    ) -> "Tokenizer":
        """Learn a vocabulary of each language.

        What does not name the source, such as `encode` and `pieces`, is the target's.

        Args:
            sources: The source sentences, read once.
            targets: The target sentences, read once.
            vocab_size: Number of ids wanted of each language, as in `train`.
            spelling: How sources will be spelled.

        Raises:
            TypeError: If `vocab_size` is not an integer, or a sentence is not a string.
            ValueError: If `train` would refuse one of the two.

        Example:
            >>> tokenizer = Tokenizer.train_separate(["so so"], ["貓貓"], vocab_size=262)
            >>> tokenizer.encode_source("so"), tokenizer.encode_target("貓")
            ([261, 2], [1, 261, 2])
            >>> tokenizer.source.pieces([261]), tokenizer.target.pieces([261])
            (['so '], ['貓'])
        """
        source = cls.train(sources, vocab_size, spelling)
        return cls(cls.train(targets, vocab_size)._bpe, spelling, source)

    @property
    def source(self) -> "Tokenizer":
        """The tokenizer of sources alone; this one if they share the vocabulary."""
        return self._source or self

    @property
    def target(self) -> "Tokenizer":
        """The tokenizer of targets alone; this one if they share the vocabulary."""
        return Tokenizer(self._bpe) if self._source else self

    @property
    def vocab_size(self) -> int:
        """Number of ids: a model's `tgt_vocab_size`; its `src_vocab_size` is that of `source`."""
        return self._bpe.get_vocab_size()

    @property
    def vocabulary(self) -> list[str]:
        """The token of every id, as `tokenizers` writes it: no two are the same.

        Example:
            >>> tokenizer = Tokenizer.train(["so so so"], vocab_size=262)
            >>> vocabulary = tokenizer.vocabulary
            >>> [vocabulary[i] for i in tokenizer.encode_target("so so")]
            ['<bos>', 'soĠ', 'soĠ', '<eos>']
        """
        ids = self._bpe.get_vocab()
        return sorted(ids, key=ids.__getitem__)

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, without special ids.

        Args:
            text: Any text; what looks like a special token (`<eos>`) is text too.

        Raises:
            TypeError: If the text is not a string.
            ValueError: If the text holds half a surrogate pair, which is not a character.
        """
        check_characters("text", text)
        return self._bpe.encode(text, add_special_tokens=False).ids

    def encode_all(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of each text, as `encode` does; all cores work at it.

        Args:
            texts: Any texts.

        Raises:
            TypeError: If `texts` is no list, or a text is not a string.
            ValueError: If a text holds half a surrogate pair, which is not a character.
        """
        check_strings("texts", texts)
        for number, text in enumerate(texts, start=1):
            check_characters(f"text {number}", text)
        found = self._bpe.encode_batch_fast(texts, add_special_tokens=False)
        return [encoding.ids for encoding in found]

    def spelled(self, text: str) -> str:
        """Return a source sentence as the model knows it.

        Args:
            text: The sentence.

        Raises:
            TypeError: If the text is not a string.

        Example:
            >>> tokenizer = Tokenizer.train(["the cat ."], vocab_size=260, spelling="grammar")
            >>> tokenizer.spelled("The cat, too.")
            'the cat too .'
        """
        check_characters("text", text)
        return spell(text, self.spelling)

    def encode_source(self, text: str) -> list[int]:
        """Return the ids of a source sentence, spelled as the model knows it, and `eos_id`.

        Args:
            text: The sentence.

        Raises:
            TypeError: If the text is not a string.
            ValueError: If the text holds half a surrogate pair, which is not a character.
        """
        return [*self.source.encode(self.spelled(text)), EOS_ID]

    def encode_target(self, text: str) -> list[int]:
        """Return `bos_id`, the ids of a target sentence and `eos_id`.

        Args:
            text: The sentence.

        Raises:
            TypeError: If the text is not a string.
            ValueError: If the text holds half a surrogate pair, which is not a character.

        Example:
            >>> tokenizer = Tokenizer.train(["貓在睡覺。"], vocab_size=260)
            >>> tokenizer.pieces(tokenizer.encode_target("cat"))
            ['<bos>', 'c', 'a', 't', ' ', '<eos>']
        """
        return [BOS_ID, *self.encode(text), EOS_ID]

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the ids; special ids are skipped, and stop nothing.

        `decode(encode(text))` is `text` in NFC, but a joiner `￭` that stands in it becomes `■`.
        Bytes that do not make up a character, as a model may write them, become U+FFFD (�).

        Args:
            ids: Ids below `vocab_size`.

        Raises:
            TypeError: If an id is not an integer.
            ValueError: If an id is out of range.
        """
        return self._bpe.decode(self._known(ids), skip_special_tokens=True)

    def pieces(self, ids: Iterable[int]) -> list[str]:
        """Return the text of every id on its own, to label an axis.

        Args:
            ids: Ids below `vocab_size`.

        Returns:
            A text for each id: a special one by its name, a part of a character in hexadecimal.

        Raises:
            TypeError: If an id is not an integer.
            ValueError: If an id is out of range.

        Example:
            >>> tokenizer = Tokenizer.train(["貓在睡覺。"], vocab_size=260)
            >>> tokenizer.pieces([*tokenizer.encode("é"), tokenizer.eos_id])
            ['<C3>', '<A9>', ' ', '<eos>']
        """
        return [self._piece(i) for i in self._known(ids)]

    def _piece(self, i: int) -> str:
        if i < len(SPECIAL):
            return SPECIAL[i]
        spelled = bytes(_BYTES[c] for c in self._bpe.id_to_token(i) or "")
        text = spelled.decode(errors="replace")
        return f"<{spelled.hex(' ').upper()}>" if "\ufffd" in text else text

    def _known(self, ids: Iterable[int]) -> list[int]:
        if isinstance(ids, str) or not isinstance(ids, Iterable):
            raise TypeError(f"ids must be integers in a list: got {ids!r}")
        try:
            known = [index(i) for i in ids]
        except TypeError:
            raise TypeError(f"ids must be integers: got {ids!r}") from None
        for i in known:
            if not 0 <= i < self.vocab_size:
                raise ValueError(f"ids must be from 0 to {self.vocab_size - 1}: got {i}")
        return known

    def to_json(self) -> str:
        """Return the tokenizer as JSON text.

        With the plain spelling it is that of Hugging Face's `tokenizers`, which reads it. Theirs
        has no place for another spelling, nor for two vocabularies, so these stand beside it.
        """
        if self._source:
            sides = {"source": self.source, "target": self.target}
            return json.dumps({name: json.loads(side.to_json()) for name, side in sides.items()})
        if self.spelling == "plain":
            return self._bpe.to_str()
        return json.dumps({"spelling": self.spelling, "bpe": json.loads(self._bpe.to_str())})

    @classmethod
    def from_json(cls, text: str) -> "Tokenizer":
        """Make a tokenizer from what `to_json` returned.

        Args:
            text: The JSON text.

        Raises:
            ValueError: If the text is truncated, or is not a tokenizer of this class.
        """
        spelling = "plain"
        try:
            document = json.loads(text)
            if isinstance(document, dict) and document.keys() == {"source", "target"}:
                sides = (document["source"], document["target"])
                source, target = (cls.from_json(json.dumps(side)) for side in sides)
                return cls(target._bpe, source.spelling, source)
            if isinstance(document, dict) and document.keys() == {"spelling", "bpe"}:
                spelling, text = document["spelling"], json.dumps(document["bpe"])
            bpe = tokenizers.Tokenizer.from_str(text)
        except Exception as error:  # tokenizers raises nothing narrower
            raise ValueError(f"not the JSON of a tokenizer: {error}") from error
        return cls(bpe, spelling)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the tokenizer to a JSON file.

        Args:
            path: The file; one that is there is replaced.

        Raises:
            OSError: If it cannot be written, such as on a full disk; the old file stands then.
        """
        text = self.to_json()
        with atomic_write(Path(path)) as unfinished:
            unfinished.write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "Tokenizer":
        """Read a tokenizer from a file that `save` wrote.

        Args:
            path: The file.

        Raises:
            ValueError: If the file is truncated, or is not a tokenizer of this class.
        """
        try:
            return cls.from_json(Path(path).read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{path} is not a tokenizer saved by this package: {error}") from error


def check_characters(name: str, text: object) -> None:
    r"""Refuse what is not a string of characters.

    Args:
        name: What the text is called.
        text: The text.

    Raises:
        TypeError: If it is not a string.
        ValueError: If it holds half a surrogate pair, as a wrong encoding or a cut may leave it.

    Example:
        >>> check_characters("text", "a \ud83d")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        transformer.arguments.ArgumentError: text must be characters: got half of ...
    """
    if not isinstance(text, str):
        raise ArgumentTypeError(name, f"must be a string: got {text!r}")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ArgumentError(
            name,
            f"must be characters: got half of one, {text[error.start]!r}, at position "
            f"{error.start + 1} of {text!r}",
        ) from None


def _untrained() -> tokenizers.Tokenizer:
    """Return the pipeline with only the special ids, which come first."""
    bpe = tokenizers.Tokenizer(models.BPE(unk_token=SPECIAL[UNK_ID]))
    bpe.normalizer = normalizers.Sequence(
        [
            normalizers.NFC(),
            normalizers.Replace(JOINER, "■"),
            normalizers.Replace(_ENDS_BEFORE_OTHERS, f" {JOINER}"),
            normalizers.Replace(_ENDS_THE_TEXT, " "),
        ]
    )
    bpe.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    bpe.decoder = decoders.Sequence(
        [
            decoders.ByteLevel(),
            decoders.Replace(Regex(f" ?{JOINER}"), ""),
            decoders.Replace(_ADDED_AT_THE_END, ""),
        ]
    )
    bpe.add_special_tokens(list(SPECIAL))
    return bpe


def _frame(bpe: tokenizers.Tokenizer) -> dict[str, Any]:
    """Return the pipeline as plain values, without what training learns."""
    frame: dict[str, Any] = json.loads(bpe.to_str())
    del frame["model"]["vocab"], frame["model"]["merges"]
    return frame


def _checked(sentences: Iterable[str]) -> Iterator[str]:
    """Pass the sentences on, and refuse what would train a useless tokenizer."""
    if isinstance(sentences, str):
        raise TypeError(f"sentences must be strings, not one string: got {sentences!r}")
    empty = True
    for number, sentence in enumerate(sentences, start=1):
        check_characters(f"sentence {number}", sentence)
        empty = False
        yield sentence
    if empty:
        raise ValueError("sentences must hold at least one sentence: got none")
