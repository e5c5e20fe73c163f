"""What readers type into the search: words that stay whole, and names that lead to a section."""

import csv
import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from docs.rendering.glossary import terms, words

NAMES = Path(__file__).parents[1] / "search_names.csv"
API = "reference/api/"
BEHIND = 0.01  # a chapter explains; where both have a word, its API page comes after it
CHINESE = re.compile("[一-鿿]")


def whole_words() -> list[str]:
    """Return the Chinese terms that the index must not cut.

    縮放點積注意力 is found under 注意力, so only what holds no other term stays whole.
    """
    known = {row["zh_tw"] for row in [*terms(), *words()]} | {name for name, _ in _names()}
    chinese = sorted(word for word in known if CHINESE.search(word))
    return [
        word
        for word in chinese
        if not any(len(part) > 1 and part in word and part != word for part in chinese)
    ]


def names_of_sections() -> dict[str, list[str]]:
    """Return the names that lead to each section, by page and anchor as in a.md#b."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for row in terms():
        found[row["page"]] += [row["en"], row["zh_tw"], row["first_use"]]
    for name, section in _names():
        found[section].append(name)
    return {section: [*dict.fromkeys(filter(None, names))] for section, names in found.items()}


def with_names(index: str, language: str) -> str:
    r"""Return the index with names as tags of their sections, and without \u escapes.

    As UTF-8 it has a third of the size.
    """
    record: dict[str, Any] = json.loads(index)
    names = {_address(section): found for section, found in names_of_sections().items()}
    for document in record["docs"]:
        tags = names.get(document["location"], [])
        if language == "en":
            tags = [name for name in tags if not CHINESE.search(name)]
        if tags and not document["location"].startswith(API):
            document["tags"] = tags
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def _address(section: str) -> str:
    page, _, anchor = section.partition("#")
    return f"{Path(page).with_suffix('').as_posix()}/#{anchor}"


def _names() -> list[tuple[str, str]]:
    with NAMES.open(encoding="utf-8", newline="") as file:
        return [(row["name"], row["page"]) for row in csv.DictReader(file)]
