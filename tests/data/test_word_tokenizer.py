"""WordTokenizer: whole words to ids and back; a word that is not known is named."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.refused import refusals
from transformer.data.word_tokenizer import WordTokenizer

TARGET = ["<pad>", "<bos>", "<eos>", "貓", "狗", "今", "今天", "昨天", "了"]
SOURCE = ["cats", "dogs", "beat", "today"]
TOKENIZER = WordTokenizer(TARGET, SOURCE)

english = st.lists(st.sampled_from(SOURCE), min_size=1)
chinese = st.lists(st.sampled_from(TARGET[3:]), min_size=1)


@given(english)
def test_source_words_come_back(words):
    ids = TOKENIZER.encode_source(" ".join(words))
    assert ids == [*(9 + SOURCE.index(word) for word in words), TOKENIZER.eos_id]
    assert TOKENIZER.decode(ids) == " ".join(words)


@given(chinese)
def test_target_words_come_back(words):
    ids = TOKENIZER.encode_target(" ".join(words))
    assert ids == [1, *(TARGET.index(word) for word in words), 2]
    assert TOKENIZER.decode(ids) == "".join(words)


def test_target_words_need_no_spaces_and_the_longest_is_taken():
    assert TOKENIZER.encode("狗今天了") == [4, 6, 8]
    assert TOKENIZER.encode("今今天今") == [5, 6, 5]


@pytest.mark.parametrize("text", ["Cats beat dogs.", "cats  beat dogs !", "CATS BEAT DOGS", "cats beat dogs?"])  # noqa: E501  # fmt: skip
def test_source_sentences_are_spelled_alike(text):
    assert TOKENIZER.encode_source(text) == [9, 11, 10, 2]


def test_ids_and_pieces():
    assert TOKENIZER.vocab_size == 13
    assert (TOKENIZER.pad_id, TOKENIZER.bos_id, TOKENIZER.eos_id) == (0, 1, 2)
    assert TOKENIZER.pieces([0, 1, 3, 12]) == ["<pad>", "<bos>", "貓", "today"]
    assert TOKENIZER.decode([]) == TOKENIZER.decode([1, 2, 0]) == ""


def test_nothing_is_nothing():
    assert TOKENIZER.encode("") == TOKENIZER.encode("  ") == []


# Errors

ENGLISH, CHINESE = "cats, dogs, beat, today", "貓, 狗, 今, 今天, 昨天, 了"
UNSAVED = "only a Tokenizer can be saved: got a WordTokenizer…"


def what_is_no_word_or_id():
    for text, known, got in (
        ("birds", ENGLISH, "birds"), ("cats eat", ENGLISH, "eat"), ("貓鳥", CHINESE, "鳥"),
        ("今年", CHINESE, "年"), ("<eos>", ENGLISH, "<eos>"),
    ):  # fmt: skip
        words = f"words must be of {known}: got '{got}'…"
        yield partial(TOKENIZER.encode, text), ValueError, words
    for method in ("encode", "encode_source", "encode_target", "spelled"):
        yield partial(getattr(TOKENIZER, method), ["cats"]), TypeError, "text must be a str…"
    for i in (-1, 13):
        yield partial(TOKENIZER.decode, [i]), ValueError, f"ids must be from 0 to 12: got {i}"
    yield partial(TOKENIZER.decode, [3.0]), TypeError, "ids must be integers…"


test_refuses = refusals(
    *what_is_no_word_or_id(),
    (lambda: WordTokenizer(["<bos>", "<pad>", "<eos>"], []), ValueError,
     "target must begin with <pad> <bos> <eos>: got <bos> <pad> <eos>"),
    (lambda: WordTokenizer(["<pad>"], []), ValueError,
     "target must begin with <pad> <bos> <eos>: got <pad>"),
    (lambda: WordTokenizer([*TARGET, "貓"], []), ValueError,
     "words must be in the vocabulary once: got '貓' twice"),
    (lambda: WordTokenizer(TARGET, ["cats", "dogs", "cats"]), ValueError,
     "words must be in the vocabulary once: got 'cats' twice"),
    (lambda: WordTokenizer(TARGET, ["cats", "<eos>"]), ValueError,
     "words must be in the vocabulary once: got '<eos>' twice"),
    (lambda: TOKENIZER.to_json(), ValueError, UNSAVED),
    (lambda: TOKENIZER.save("tokenizer.json"), ValueError, UNSAVED),
)  # fmt: skip
