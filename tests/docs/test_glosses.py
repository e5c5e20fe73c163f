"""Every Chinese word that the grammar writes has a gloss."""

import re
from itertools import islice

import pytest

from docs.glosses import MEASURE, glosses
from transformer import generate_pairs

WORD = re.compile("|".join(sorted(glosses(), key=len, reverse=True)))


@pytest.mark.usefixtures("no_shape_checks")  # nine tenths of the time
def test_every_character_of_the_grammar_belongs_to_a_word_with_a_gloss() -> None:
    targets = {pair.target for pair in islice(generate_pairs(seed=1), 20_000)}
    assert {letter for target in targets for letter in WORD.sub("", target)} == set("。？！，")


@pytest.mark.parametrize(
    ("chinese", "expected"),
    [
        ("那隻貓昨天吃了兩條魚。", f"that|{MEASURE}|cat|yesterday|eat|(done)|two|{MEASURE}|fish"),
        ("昨天晚上", "last night"),  # a long word comes before the words in it
        ("牛肉麵", "beef noodles"),
    ],
)
def test_a_sentence_word_by_word(chinese: str, expected: str) -> None:
    assert "|".join(glosses()[word] for word in WORD.findall(chinese)) == expected
