"""How sources are spelled: plainly, or as the grammar does."""

from itertools import islice

import pytest

from transformer.data.generator import generate_pairs
from transformer.data.spelling import as_the_grammar, is_visible, spell


@pytest.mark.parametrize(
    ("text", "written"),
    [(" A  b\tc ", "A b c"), ("cafe\u0301", "café"), ("", ""), ("\u3000x", "x")],
)
def test_plain_is_nfc_with_single_spaces(text, written):
    assert spell(text, "plain") == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("The cat is sleeping.", "the cat is sleeping ."),
        ("the cat is sleeping .", "the cat is sleeping ."),
        ("  Where  are you?", "where are you ?"),
        ("If it rains, we will rest", "if it rains we will rest ."),
        ("I can't, won't and shan't.", "i can not will not and shall not ."),
        ("The cat’s tea isn’t here", "the cat 's tea is not here ."),
        ("", ""),
    ],
)
def test_writes_sentences_as_the_grammar_does(text, written):
    assert as_the_grammar(text) == written


@pytest.mark.parametrize("text", ["", " \u3000\t", "\u200b", "\ufeff\u200d", "\0"])
def test_what_nobody_can_see_is_not_visible(text):
    assert not is_visible(text)
    assert is_visible(text + "。")


@pytest.mark.usefixtures("no_shape_checks")  # nine tenths of the time
def test_leaves_the_sentences_of_the_grammar_as_they_are():
    for pair in islice(generate_pairs(3, "test"), 200):
        assert as_the_grammar(pair.source) == pair.source
