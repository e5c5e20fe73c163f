"""WordTokenizer: whole words to ids and back; a word that is not known is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@pytest.mark.parametrize(
    ("text", "known", "got"),
    [
        ("birds", "cats, dogs, beat, today", "birds"),
        ("cats eat", "cats, dogs, beat, today", "eat"),
        ("貓鳥", "貓, 狗, 今, 今天, 昨天, 了", "鳥"),
        ("今年", "貓, 狗, 今, 今天, 昨天, 了", "年"),
    ],
)
def test_an_unknown_word_is_named(text, known, got):
    with pytest.raises(ValueError, match=f"words must be of {known}: got '{got}'"):
        TOKENIZER.encode(text)


def test_special_words_are_no_text():
    with pytest.raises(ValueError, match="got '<eos>'"):
        TOKENIZER.encode("<eos>")


@pytest.mark.parametrize("call", ["encode", "encode_source", "encode_target", "spelled"])
def test_a_text_is_a_string(call, no_shape_checks):
    with pytest.raises(TypeError, match=r"text must be a str(ing)?: got .*(list|\['cats'\])"):
        getattr(TOKENIZER, call)(["cats"])


def test_ids_must_be_of_the_vocabulary():
    for i in (-1, 13):
        with pytest.raises(ValueError, match=f"ids must be from 0 to 12.*: got {i}"):
            TOKENIZER.decode([i])
    with pytest.raises(TypeError):
        TOKENIZER.decode([3.0])


@pytest.mark.parametrize(
    ("target", "source", "message"),
    [
        (["<bos>", "<pad>", "<eos>"], [], "target must begin with <pad> <bos> <eos>: got <bos> "),
        (["<pad>"], [], "target must begin with <pad> <bos> <eos>: got <pad>"),
        ([*TARGET, "貓"], [], "words must be in the vocabulary once: got '貓' twice"),
        (TARGET, ["cats", "dogs", "cats"], "words must be in the vocabulary once: got 'cats' tw"),
        (TARGET, ["cats", "<eos>"], "words must be in the vocabulary once: got '<eos>' twice"),
    ],
)
def test_a_vocabulary_that_cannot_be(target, source, message):
    with pytest.raises(ValueError, match=message):
        WordTokenizer(target, source)


def test_is_not_saved(tmp_path):
    with pytest.raises(ValueError, match="only a Tokenizer can be saved: got a WordTokenizer"):
        TOKENIZER.to_json()
    with pytest.raises(ValueError, match="only a Tokenizer can be saved: got a WordTokenizer"):
        TOKENIZER.save(tmp_path / "tokenizer.json")
    assert not [*tmp_path.iterdir()]
