"""The search index: other names of a section, chapters before API pages, no weight for nothing."""

import csv
import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import jieba

from docs.builder.glossary import terms
from docs.builder.search_words import CHINESE, simplified_characters, words_instead

NAMES = Path(__file__).parents[1] / "search_names.csv"
API = "reference/api/"
# A chapter explains, so it comes first where it has a word in a title or a name. Before chapters
# that only mention it come functions and classes, but not modules, and members such as Log.last.
OBJECT, WORD = 0.01, 0.001
NAMED_BY_A_WORD = re.compile(r"(?:/|\.[A-Z]\w*\.[a-z]+)$")
# A mark between words is needed only where nothing else ends a word.
SPARE = re.compile("\u200b*([\\s<>、。，．？！；：（）「」『』《》…])\u200b*")


def names() -> list[tuple[str, str]]:
    """Return the names that readers type, each with the page or section that it leads to."""
    with NAMES.open(encoding="utf-8", newline="") as file:
        return [(row["name"], row["page"]) for row in csv.DictReader(file)]


def names_of_sections() -> dict[str, list[str]]:
    """Return all names by section, as in a.md#b, or by page; those of the glossary among them."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for row in terms():
        found[row["page"]] += [row["en"], row["zh_tw"]]
        if row["zh_tw"] != row["en"]:  # or the first use explains, with words of other sections
            found[row["page"]].append(row["first_use"])
    for name, section in names():
        found[section].append(name)
    return {section: [*dict.fromkeys(filter(None, found[section]))] for section in found}


def place_of(section: str) -> str:
    """Return where the index has a page or a section.

    >>> place_of("start/setup.md#gpu")
    'start/setup/#gpu'
    """
    page, number_sign, anchor = section.partition("#")
    return f"{Path(page).with_suffix('').as_posix()}/{number_sign}{anchor}"


def completed(index: str, language: str) -> str:
    r"""Return the index with names as tags of their sections, and without \u escapes.

    As UTF-8 it has a third of the size. The Chinese one also holds what readers type instead of
    its words: docs/assets/scripts/search/worker.js looks it up in each query.
    """
    record: dict[str, Any] = json.loads(index)
    tags = {place_of(section): found for section, found in names_of_sections().items()}
    for document in record["docs"]:
        location = document["location"]
        document["text"] = SPARE.sub(r"\1", document["text"])
        if found := _in_language(tags.get(location, []), language):
            document["tags"] = found
        if location.startswith(API):
            document["boost"] = WORD if NAMED_BY_A_WORD.search(location) else OBJECT
    if language == "zh-TW":
        simplified = simplified_characters(json.dumps(record, ensure_ascii=False))
        record["config"] |= {"simplified": simplified, "instead": words_instead(simplified)}
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def emptied(index: str) -> str:
    """Return an index of nothing; Material reads from it how words are parted, to mark them.

    >>> emptied('{"config": {"lang": ["en"]}, "docs": [{"title": "Masks"}]}')
    '{"config": {"lang": ["en"]}, "docs": []}'
    """
    return json.dumps(json.loads(index) | {"docs": []})


def _in_language(found: list[str], language: str) -> list[str]:
    """Return names that a language's readers type, cut into words as the index cuts sentences."""
    if language == "en":
        return [name for name in found if not CHINESE.search(name)]
    return ["\u200b".join(jieba.cut(name)) if CHINESE.search(name) else name for name in found]
