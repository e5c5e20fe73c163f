"""Paragraphs and their sentences."""

import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from transformer.data.sentences import join_sentences, split_sentences

TEXTS = st.text("aB.3 ?!。？「」『』（”\n貓走", max_size=30)


@pytest.mark.parametrize(
    ("paragraph", "sentences"),
    [
        ("Dr. Wu met the U.S. envoy at 5 p.m. today. Fine!", 2),
        ('"Stop!" he said. She went.', 2),
        ("See version 3.2.1 of test.txt. Really?", 2),
        ("「他說：『走吧。』就走了。」", 1),
        ("今天天氣很好。我們去公園吧！你要來嗎？", 3),
        ("請按「確定」。檔案 test.txt 會開啟……好嗎？！好。", 3),
        ("他走了。He left. Then he came.", 3),
        ("no mark at all", 1),
        (" \n ", 0),
    ],
)
def test_where_sentences_end(paragraph, sentences):
    found = split_sentences(paragraph)
    assert len(found) == sentences
    assert join_sentences(found).split() == paragraph.split()


@given(TEXTS)
@example("3\n\n」")
def test_nothing_is_lost(paragraph):
    sentences = split_sentences(paragraph)
    assert "".join(join_sentences(sentences).split()) == "".join(paragraph.split())
    assert all(sentence == sentence.strip() != "" for sentence in sentences)
    assert not any(sentence.startswith(("」", "』")) for sentence in sentences[1:])


def test_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentencex", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'transformer-book\[serve\]'"):
        split_sentences("Yes.")
