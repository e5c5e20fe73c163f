"""The glossary explains a term in full or not at all, in good Chinese, with a page to read on."""

import csv
from collections.abc import Iterator
from pathlib import Path

from docs.checks import Problem
from docs.checks.chinese import GLOSSARY, avoided_terms, punctuation, simplified, spaces
from docs.checks.links import LANGUAGES, has_anchor
from docs.checks.pages import Page
from docs.checks.prose import units

COLUMNS = ("sentence_en", "sentence_zh", "page")


def problems(root: Path) -> list[Problem]:
    """What to mend in the columns that explain a term."""
    with (root / GLOSSARY).open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = [(reader.line_num, row) for row in reader]
    checks = [simplified, avoided_terms([row for _, row in rows]), punctuation, spaces]
    found = []
    for line, row in rows:
        messages = [*gaps(row), *dead_ends(row["page"], root)]
        for unit in units(Page(row["sentence_zh"])):
            messages += [message for check in checks for message in check(unit.text)]
        found += [Problem(GLOSSARY, line, f"{row['en']}: {message}") for message in messages]
    return sorted(found)


def gaps(row: dict[str, str]) -> Iterator[str]:
    """A term is named in both languages, and explained in both with a page, or not at all."""
    if not (row["en"] and row["zh_tw"]):
        yield "en or zh_tw empty; fill both"
    empty = [column for column in COLUMNS if not row[column]]
    if empty and len(empty) < len(COLUMNS):
        yield f"{' and '.join(empty)} empty; fill {', '.join(COLUMNS)}, or none of them"


def dead_ends(page: str, root: Path) -> Iterator[str]:
    """Languages in which the page, or its anchor, is missing."""
    path, _, anchor = page.partition("#")
    for folder in LANGUAGES if page else ():
        file = folder / path
        if not (root / file).is_file():
            yield f"there is no {file.as_posix()}; mend the page"
        elif not has_anchor(root / file, anchor, on_github=False):
            yield f"{file.as_posix()} has no anchor {anchor!r}; name a section of it"
