"""Tokenizer: texts to ids and back, in two languages."""

import errno
import json
import re
import unicodedata
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import tokenizers
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from tests.refused import refusals
from transformer.data.tokenizer import _BYTES, LARGEST_VOCAB, SPECIAL, Tokenizer

ENGLISH = [
    "the old farmer bought three fish .",
    "did the cat see the teacher yesterday ?",
    "the teacher who the cat saw is taller than the farmer .",
]
CHINESE = ["老農夫買了三條魚。", "貓昨天有沒有看到老師？", "貓看到的老師比農夫高。"]
TOKENIZER = Tokenizer.train([*ENGLISH, *CHINESE] * 3, vocab_size=400)

english = st.lists(st.from_regex("[a-z]{1,8}", fullmatch=True), min_size=1).map(" ".join)
chinese = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1)
anything = st.text(st.characters(exclude_categories=["Cs", "Cn"]))


@example("the old farmer bought three fish .")
@example("老農夫買了三條魚。")
@example("我 love 夜市 , 你呢？ 😀")
@example("cafe\u0301 \u30ab\u3099 가 \u2126")
@example(" two  spaces\tand\u3000more\r\n")
@example("<eos> <pad>")
@example("don't")
@example("\x00\ufffd")
@example("cat  ")
@example("3條 ￭魚■ (cat).")
@given(st.one_of(english, chinese, anything, st.tuples(english, chinese, anything).map("".join)))
def test_decoding_undoes_encoding_up_to_nfc_and_joiners(text):
    ids = TOKENIZER.encode(text)
    assert TOKENIZER.decode(ids) == unicodedata.normalize("NFC", text).replace("￭", "■")
    assert all(len(SPECIAL) <= i < TOKENIZER.vocab_size for i in ids)


def cut_by_the_rule(text):
    """The rule of the tokenizer in plain words, for the few characters of the test below."""
    text, pieces = text.replace("￭", "■"), []
    while text:
        [piece] = re.findall(r"^(?:[aé9']+|[貓狗]|[.。■￭]+ ?|\s+)", text)
        text = text.removeprefix(piece)
        if piece[0] in "aé9'":  # a word always carries a space
            piece += " "
            if text.startswith(" ") and text.strip(" "):
                text = text.removeprefix(" ")  # its own
            elif text and not text.startswith(" "):
                text = "￭" + text  # none was there
        pieces.append(piece)
    return pieces


@example("a.")
@example("a貓9狗 a")
@example(".a.  a\n。a  ")
@given(st.text("aé9'貓狗.。￭■ \n\u3000"))
def test_pieces_are_those_of_the_rule(text):
    learned_by_heart = Tokenizer.train([text, text], vocab_size=LARGEST_VOCAB)
    assert learned_by_heart.pieces(learned_by_heart.encode(text)) == cut_by_the_rule(text)


@given(english, chinese)
def test_english_and_chinese_with_their_special_ids(source, target):
    assert TOKENIZER.encode_source(source) == [*TOKENIZER.encode(source), 2]
    assert TOKENIZER.encode_target(target) == [1, *TOKENIZER.encode(target), 2]
    assert TOKENIZER.decode(TOKENIZER.encode_target(target)) == target


def test_special_ids():
    assert (Tokenizer.pad_id, Tokenizer.bos_id, Tokenizer.eos_id, Tokenizer.unk_id) == (0, 1, 2, 3)
    assert TOKENIZER.pieces(range(4)) == list(SPECIAL)
    assert TOKENIZER.decode(range(4)) == ""


def test_nothing_stops_decoding():
    a, b = TOKENIZER.encode("貓"), TOKENIZER.encode("狗")
    assert TOKENIZER.decode([1, *a, 2, 0, *b, 3]) == "貓狗"


def test_what_looks_like_a_special_token_is_text():
    for loaded in (TOKENIZER, Tokenizer.from_json(TOKENIZER.to_json())):
        for name in SPECIAL:
            assert loaded.decode(loaded.encode(name)) == name


def test_a_frequent_word_is_one_id_wherever_it_stands():
    (the,) = TOKENIZER.encode("the")
    assert TOKENIZER.encode("the cat saw (the), the貓 the").count(the) == 4


def test_a_frequent_chinese_character_is_one_id_and_no_id_spans_two():
    assert TOKENIZER.pieces(TOKENIZER.encode("農夫昨天看到貓。")) == list("農夫昨天看到貓。")


def test_an_apostrophe_is_part_of_its_word():
    tokenizer = Tokenizer.train(["don't stop"] * 2, vocab_size=300)
    assert tokenizer.pieces(tokenizer.encode("don't stop")) == ["don't ", "stop "]


def test_bytes_are_named_as_utf_8_spells_them():
    bare = Tokenizer.train(["a"], vocab_size=260)
    assert bare.vocab_size == 260
    assert sorted(_BYTES.values()) == list(range(256))
    for text in ("é", "貓", "🐈", "\ufffd"):
        pieces = [f"<{byte:02X}>" for byte in text.encode()]
        assert bare.pieces(bare.encode(text))[: len(pieces)] == pieces
    assert bare.pieces(bare.encode("a b")) == ["a", " ", "b", " "]


def test_bytes_that_are_no_character_decode_to_the_replacement_character():
    assert TOKENIZER.decode(TOKENIZER.encode("🐈")[:-1]) == "\ufffd"


def test_training_depends_on_the_sentences_only():
    again = Tokenizer.train(iter([*reversed(CHINESE), *reversed(ENGLISH)] * 3), vocab_size=400)
    assert again.to_json() == TOKENIZER.to_json()
    assert Tokenizer.train(ENGLISH, vocab_size=400).to_json() != TOKENIZER.to_json()


@pytest.mark.parametrize("vocab_size", [260, 300, 333])
def test_vocab_size_is_reached(vocab_size):
    assert Tokenizer.train(ENGLISH + CHINESE, vocab_size).vocab_size == vocab_size


def test_vocab_size_stays_below_when_nothing_is_left_to_merge():
    assert Tokenizer.train(["ab"] * 2, vocab_size=LARGEST_VOCAB).vocab_size == 262


def test_the_bounds_of_vocab_size_are_allowed_and_integers_of_numpy(no_shape_checks):
    for vocab_size in (260, np.int64(1_000_000)):
        assert Tokenizer.train(["。"], vocab_size).vocab_size >= 260


def test_an_error_while_reading_sentences_is_not_swallowed():
    def sentences():
        yield "a"
        raise OSError("disk on fire")

    with pytest.raises(OSError, match="disk on fire"):
        Tokenizer.train(sentences(), 300)


def test_ids_may_be_a_tensor(no_shape_checks):
    assert TOKENIZER.decode(torch.tensor(TOKENIZER.encode_target("貓"))) == "貓"


def test_hugging_face_reads_the_file(tmp_path):
    TOKENIZER.save(tmp_path / "t.json")
    loaded = tokenizers.Tokenizer.from_file(str(tmp_path / "t.json"))
    for text in (CHINESE[0], "The cat, 3條魚 (see teacher)"):
        assert loaded.encode(text).ids == TOKENIZER.encode(text)
        assert loaded.decode(loaded.encode(text).ids) == text


def test_a_tokenizer_without_joiners_from_an_earlier_version():
    state = json.loads(TOKENIZER.to_json())
    state |= {"normalizer": {"type": "NFC"}, "decoder": {**state["decoder"]["decoders"][0]}}
    earlier = Tokenizer.from_json(json.dumps(state))
    assert earlier.pieces(earlier.encode("the cat.")) == ["the ", *"cat."]
    assert earlier.decode(earlier.encode("the cat.")) == "the cat."


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "t.json"
    path.write_text("old")

    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match=r"No space left on device: '.*t\.json'$"):
        TOKENIZER.save(path)
    assert path.read_text() == "old"


WHOLE = TOKENIZER.to_json().encode()
CUT = [WHOLE[: int(share * len(WHOLE))] for share in (0, 0.1, 0.5, 0.9, 0.999)]
FOREIGN = [b"[]", b"{}", b'{"d_model": 8}', b"\x80\x81", b"\x00"]


@pytest.mark.parametrize("content", [*CUT, *FOREIGN], ids=len)
def test_a_truncated_or_foreign_file(tmp_path, content):
    path = tmp_path / "t.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"t\.json is not a tokenizer saved by this package: "):
        Tokenizer.load(path)


def change_normalizer(state):
    state["normalizer"] = {"type": "NFKC"}


def swap_special_ids(state):
    state["added_tokens"][0]["content"] = "<bos>"
    state["added_tokens"][1]["content"] = "<pad>"
    state["model"]["vocab"] |= {"<bos>": 0, "<pad>": 1}


def drop_a_byte(state):
    vocab = state["model"]["vocab"]
    first, *_ = (token for token, i in vocab.items() if i == 4)
    vocab["new"] = vocab.pop(first)


def leave_a_gap(state):
    state["model"]["vocab"]["far away"] = 9999


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (change_normalizer, "must be one that Tokenizer.train builds"),
        (swap_special_ids, "must be one that Tokenizer.train builds"),
        (drop_a_byte, "the vocabulary must hold all 256 bytes: 1 are missing"),
        (leave_a_gap, "ids must run from 0 to .* without a gap"),
    ],
)
def test_a_tokenizer_of_another_kind(tmp_path, change, text):
    state = json.loads(TOKENIZER.to_json())
    change(state)
    state["model"]["merges"] = []
    path = tmp_path / "other.json"
    path.write_text(json.dumps(state), encoding="utf-8")
    with pytest.raises(ValueError, match=f"other.json .*{text}"):
        Tokenizer.load(path)


@pytest.mark.parametrize("spelling", ["plain", "grammar"])
def test_the_spelling_travels_and_only_sources_are_spelled(spelling, tmp_path):
    tokenizer = Tokenizer.train(ENGLISH, 300, spelling=spelling)
    tokenizer.save(tmp_path / "分詞器.json")
    loaded = Tokenizer.load(str(tmp_path / "分詞器.json"))
    assert loaded.spelling == spelling
    assert loaded.to_json() == tokenizer.to_json()
    written = {"plain": "The cat, too.", "grammar": "the cat too ."}[spelling]
    assert loaded.spelled(" The  cat, too.") == written
    assert loaded.encode_source(" The  cat, too.") == [*loaded.encode(written), 2]
    assert loaded.encode_target("The  cat.") == [1, *loaded.encode("The  cat."), 2]


# Errors


def vocabularies_of_no_size():
    size = "vocab_size must be from 260 (4 special ids and 256 bytes) to 1,000,000: got"
    for number in (259, -1, 1_000_001):
        yield partial(Tokenizer.train, ENGLISH, number), ValueError, f"{size} {number}"
    for number in (300.0, True, "300"):
        text = f"vocab_size must be an integer: got {number!r}"
        yield partial(Tokenizer.train, ENGLISH, number), TypeError, text


def texts_that_are_none():
    for method in ("encode", "encode_source", "encode_target", "spelled"):
        for wrong in (5, None, b"cat", ["cat"]):
            text = f"text must be a string: got {wrong!r}"
            yield partial(getattr(TOKENIZER, method), wrong), TypeError, text
    half = "must be characters: got half of one, '\\udce9', at position 2 of 'a\\udce9'"
    for call, name in (
        (partial(TOKENIZER.encode, "a\udce9"), "text"),
        (partial(TOKENIZER.encode_source, "a\udce9"), "text"),
        (partial(TOKENIZER.encode_all, ["a", "a\udce9"]), "text 2"),
        (partial(Tokenizer.train, ["a", "a\udce9"], 300), "sentence 2"),
    ):
        yield call, ValueError, f"{name} {half}"


def ids_that_are_none():
    size = TOKENIZER.vocab_size
    for method in (TOKENIZER.decode, TOKENIZER.pieces):
        for wrong in (-1, size, 2**70):
            text = f"ids must be from 0 to {size - 1}: got {wrong}"
            yield partial(method, [5, wrong]), ValueError, text
        for wrong in (5, None, "cat", ["cat"], [1.5], torch.tensor([1.5])):
            yield partial(method, wrong), TypeError, "ids must be integers…"


test_refuses = refusals(
    *vocabularies_of_no_size(),
    *texts_that_are_none(),
    *ids_that_are_none(),
    (lambda: Tokenizer.train([], 300), ValueError,
     "sentences must hold at least one sentence: got none"),
    (lambda: Tokenizer.train("ab", 300), TypeError,
     "sentences must be strings, not one string: got 'ab'"),
    (lambda: Tokenizer.train(["ab", 3], 300), TypeError, "sentence 2 must be a string: got 3"),
    (lambda: Tokenizer.train(ENGLISH, 300, spelling="loud"), ValueError,
     "spelling must be one of plain, grammar: got 'loud'"),
    (lambda: TOKENIZER.encode_all("abc"), TypeError,
     "texts must be a list of strings: got the string 'abc'"),
    (lambda: TOKENIZER.encode_all(iter(["a"])), TypeError,
     "texts must be a list of strings: got list_iterator (make it a list)"),
)  # fmt: skip
