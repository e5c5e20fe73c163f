"""Chinese words in the search: which ones stay whole, and what readers type instead of them."""

import re
from collections import Counter

from opencc import OpenCC

from docs.builder.glossary import Row, terms, words

CHINESE = re.compile("[一-鿿]")


def whole_words(names: list[str]) -> list[str]:
    """Return the Chinese words, of glossary and names, that the index must not cut.

    縮放點積注意力 is found under 注意力, so only what holds no other term stays whole.
    """
    known = {row["zh_tw"] for row in [*terms(), *words()]} | {*names}
    chinese = sorted(word for word in known if CHINESE.search(word))
    return [
        word
        for word in chinese
        if not any(len(part) > 1 and part in word and part != word for part in chinese)
    ]


def simplified_characters(text: str) -> dict[str, str]:
    """Return the characters of a text by their simplified forms; the more frequent one wins.

    >>> simplified_characters("頭髮、出發、發現")
    {'发': '發', '现': '現', '头': '頭'}
    """
    simplify = OpenCC("t2s").convert
    counts = Counter(CHINESE.findall(text))
    found: dict[str, str] = {}
    for character, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        simplified = simplify(character)
        if simplified not in counts:
            found.setdefault(simplified, character)
    return found


def words_instead(simplified: dict[str, str]) -> dict[str, str]:
    """Return the words of Taiwan by those of elsewhere, which the pages avoid."""
    characters = str.maketrans(simplified)
    found: dict[str, str] = {}
    for row in sorted([*terms(), *words()], key=lambda row: len(row["zh_tw"])):
        for avoided in _avoided(row):
            word = avoided.translate(characters)
            if word != row["zh_tw"]:
                found.setdefault(word, row["zh_tw"].lower())
    return found


def _avoided(row: Row) -> list[str]:
    listed = f"{row['avoid']};{row['not_in_this_sense']}".split(";")
    return [word for word in listed if CHINESE.search(word)]
