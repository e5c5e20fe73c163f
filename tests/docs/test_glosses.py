"""Every Chinese word that the grammar writes has a gloss."""

import re
from itertools import islice

from docs.builder.glosses import MEASURE, glosses
from transformer import generate_pairs

WORD = re.compile("|".join(sorted(glosses(), key=len, reverse=True)))


def in_words(chinese: str) -> list[str]:
    return [glosses()[word] for word in WORD.findall(chinese)]


def test_every_character_of_the_grammar_belongs_to_a_word_with_a_gloss():
    targets = {pair.target for pair in islice(generate_pairs(seed=1), 20_000)}
    left = {character for target in targets for character in WORD.sub("", target)}
    assert left == set("。？！，")


def test_a_sentence_word_by_word():
    told = in_words("那隻貓昨天吃了兩條魚。")
    assert told == ["that", MEASURE, "cat", "yesterday", "eat", "(done)", "two", MEASURE, "fish"]


def test_a_long_word_comes_before_the_words_in_it():
    assert in_words("昨天晚上") == ["last night"]
    assert in_words("牛肉麵") == ["beef noodles"]
