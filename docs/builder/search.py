"""The search index of a finished site: which section answers which word, and how well.

Python does what takes judgement: it cuts Chinese into words, knows other names of a term, and
weighs. docs/assets/scripts/search/ looks words up, adds their weights and shows the sections.
"""

import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from docs.builder.search_sections import Section, sections
from docs.builder.search_words import (
    PLURAL,
    QUESTION_WORDS,
    RUN,
    is_chinese,
    names_of_sections,
    other_words,
    place_of,
    shares,
    words_of,
)

API = "reference/api/"
# What a word counts for in a name, a heading, the page's title (each shared among its words),
# and at most in the text.
NAME, HEADING, TITLE, TEXT = 14.0, 6.0, 1.0, 1.0
SATURATION, LENGTH = 1.5, 0.6  # k1 and b of BM25
# Chapters explain, so they come first; of the API, first what has a name of its own.
OBJECT, WORD = 0.4, 0.1
NAMED_BY_A_WORD = re.compile(r"(?:/|\.[A-Z]\w*\.[a-z]+)$")
SCALE = 10  # weights are written as integers


def write_index(site: Path, language: str) -> None:
    """Write search/index.json beside the finished pages of one language."""
    path = site / "search" / "index.json"
    path.parent.mkdir(exist_ok=True)
    found = index(list(sections(site)), language)
    path.write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")), "utf-8")


def index(found: list[Section], language: str) -> dict[str, Any]:
    """Return what the browser loads: sections, the words that lead to them, and other words."""
    chinese = language != "en"
    named = {place_of(section): names for section, names in names_of_sections().items()}
    weights: defaultdict[str, list[int]] = defaultdict(list)
    last: defaultdict[str, int] = defaultdict(int)  # a step from section to section takes less room
    counts = [Counter(words_of(section.text, chinese)) for section in found]
    average = (sum(count.total() for count in counts) or 1) / len(counts)
    for number, (section, count) in enumerate(zip(found, counts)):
        names = [name for name in named.get(section.url, []) if chinese or not is_chinese(name)]
        for word, weight in _weights(section, count, average, names, chinese).items():
            weights[word] += [number - last[word], max(1, round(weight * SCALE))]
            last[word] = number
    for word in QUESTION_WORDS:
        weights.pop(word, None)
    rows = [[section.url, section.title, section.heading, section.text] for section in found]
    instead = other_words(json.dumps(rows, ensure_ascii=False)) if chinese else {}
    questions = [word for word in QUESTION_WORDS if chinese or not is_chinese(word)]
    return {
        "run": RUN.pattern,
        "plural": PLURAL.pattern,
        "questions": questions,
        "instead": instead,
        "words": weights,
        "sections": rows,
    }


def _weights(
    section: Section, count: Counter[str], average: float, names: list[str], chinese: bool
) -> dict[str, float]:
    """Return what each word of a section counts for."""
    length = SATURATION * (1 - LENGTH + LENGTH * count.total() / average)
    found = {word: TEXT * n * (SATURATION + 1) / (n + length) for word, n in count.items()}
    titles = [(section.heading, HEADING), (section.title, TITLE)]
    best: defaultdict[str, float] = defaultdict(float)
    for name, full_weight in [*titles, *((name, NAME) for name in names)]:
        for word, share in shares(name, chinese).items():
            best[word] = max(best[word], full_weight * share)
    for word, weight in best.items():
        found[word] = found.get(word, 0.0) + weight
    factor = 1.0
    if section.url.startswith(API):
        factor = WORD if NAMED_BY_A_WORD.search(section.url) else OBJECT
    return {word: weight * factor for word, weight in found.items()}
