"""What the search index knows besides the pages' own words."""

import csv
import json
from pathlib import Path

import pytest

from docs.checks.links import has_anchor
from docs.rendering.search import NAMES, names_of_sections, whole_words, with_names

ROOT = Path(__file__).parents[2]
INDEX = json.dumps(
    {
        "docs": [
            {"location": "components/masks/", "text": "\u906e"},
            {"location": "components/masks/#why-padding", "text": ""},
            {"location": "reference/api/model/masks/#why-padding", "text": ""},
        ]
    }
)


def tags(language: str) -> list[list[str]]:
    return [entry.get("tags", []) for entry in json.loads(with_names(INDEX, language))["docs"]]


def test_names_are_tags_of_their_section() -> None:
    page, section, api = tags("en")
    assert (page, api) == ([], [])
    assert {"padding token", "padding mask", "key padding mask"} <= set(section)
    assert section == [name for name in section if name.isascii()]
    assert {"padding token", "填充詞元"} <= set(tags("zh-TW")[1])


def test_the_index_is_written_as_utf_8() -> None:
    assert "遮" in with_names(INDEX, "en")


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_each_name_leads_to_a_section(language: str) -> None:
    lost = [
        section
        for section in names_of_sections()
        for path, _, anchor in [section.partition("#")]
        if not has_anchor(ROOT / "docs" / language / path, anchor, on_github=False)
    ]
    assert lost == []


def test_a_name_stands_in_the_list_once() -> None:
    with NAMES.open(encoding="utf-8", newline="") as file:
        names = [row["name"] for row in csv.DictReader(file)]
    assert len(names) == len(set(names))


def test_words_of_the_dictionary_hold_no_other() -> None:
    words = whole_words()
    assert {"注意力", "填充", "暖身", "檔案"} <= set(words)
    assert "縮放點積注意力" not in words
