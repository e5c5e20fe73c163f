"""The glossary explains every term in both languages, in good Chinese, with a page to read on.

Words that only have to be written alike, such as 檔案, are in docs/words.csv.
"""

import csv
import re
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path

from docs.checks import Problem
from docs.checks.chinese import (
    GLOSSARY,
    WORDS_OF_TAIWAN,
    avoided_terms,
    known_words,
    punctuation,
    simplified,
    spaces,
)
from docs.checks.links import LANGUAGES, has_anchor
from docs.checks.pages import Page
from docs.checks.prose import units

COLUMNS = ("en", "zh_tw", "sentence_en", "sentence_zh", "page")
ENGLISH = ("docs/en", "docs/figures", "transformer")
ENDING = re.compile(r"(?<=\w{3})(?:i[sz]ations?|i[sz]ing|ations?|ing|ies|ed|es|s|e|y)$")
# Settled before the chapters that need them, or because other words for them are bad.
AHEAD = frozenset(
    {"benchmark", "dataset", "ground truth"}
    | {"n-gram", "numerical stability", "pitfall", "regularization"}
    | {"sanity check", "software"}
)

Row = dict[str, str]


def problems(root: Path) -> list[Problem]:
    """What to mend in the columns that explain a term, and in the words beside the glossary."""
    english = stems(
        path.read_text("utf-8")
        for folder in ENGLISH
        for path in (root / folder).rglob("*")
        if path.suffix in {".md", ".py"}
    )
    checks = [simplified, avoided_terms(known_words(root)), punctuation, spaces]
    found, listed = [], set[str]()
    for file in (GLOSSARY, WORDS_OF_TAIWAN):
        for line, row in rows(root / file):
            messages = [*unused(row["en"], english)]
            if row["en"] in listed:
                messages.append("listed twice; keep one row")
            if file == GLOSSARY:
                messages += [*gaps(row, COLUMNS), *dead_ends(row, root)]
            else:
                messages += gaps(row, COLUMNS[:2])
            for unit in units(Page(row.get("sentence_zh", ""))):
                messages += [message for check in checks for message in check(unit.text)]
            found += [Problem(file, line, f"{row['en']}: {message}") for message in messages]
            listed.add(row["en"])
    return sorted(found)


def rows(file: Path) -> list[tuple[int, Row]]:
    """The rows of a table, each with its line."""
    if not file.exists():
        return []
    with file.open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines, restval="")
        return [(reader.line_num, row) for row in reader]


def gaps(row: Row, columns: tuple[str, ...]) -> Iterator[str]:
    """Columns that are empty and must not be."""
    empty = [column for column in columns if not row[column]]
    if empty:
        advice = "fill it" if len(empty) == 1 else "fill them"
        beside = "" if len(columns) == 2 else f", or move the row to {WORDS_OF_TAIWAN.as_posix()}"
        yield f"{' and '.join(empty)} empty; {advice}{beside}"


def dead_ends(row: Row, root: Path) -> Iterator[str]:
    """Languages in which a page, its anchor, or the term in its first section is missing."""
    for column, folder in product(("page", "first"), LANGUAGES):
        name, _, anchor = row.get(column, "").partition("#")
        file = folder / name
        if not name:
            continue
        if not (root / file).is_file():
            yield f"there is no {file.as_posix()}; mend {column}"
        elif not has_anchor(root / file, anchor, on_github=False):
            yield f"{file.as_posix()} has no anchor {anchor!r}; name a section of it in {column}"
        elif column == "first" and not says(Page.read(root / file), anchor, row, folder):
            yield f"{file.as_posix()}#{anchor} does not say it; name a section that explains it"


def says(page: Page, anchor: str, row: Row, folder: Path) -> bool:
    """Whether a section has the term, as it is or with an ending."""
    term = row["en" if folder.name == "en" else "zh_tw"]
    words = re.sub(r"\s*\(.*\)", "", term.lower()).split()
    texts = [section.text.lower() for section in page.sections if section.anchor == anchor]
    return any(all(ENDING.sub("", word) in text for word in words) for text in texts)


def stems(texts: Iterable[str]) -> set[str]:
    """Words in small letters without their endings; hyper-parameter is hyperparameter too."""
    words = {word for text in texts for word in re.findall(r"[a-z]+(?:-[a-z]+)*", text.lower())}
    parts = {part for word in words for part in (*word.split("-"), word.replace("-", ""))}
    return {ENDING.sub("", part) for part in parts}


def unused(term: str, english: set[str]) -> Iterator[str]:
    """Words of a term, those in brackets aside, that no English page or docstring has."""
    words = re.findall("[a-z]+", re.sub(r"\(.*\)", "", term.lower()))
    for word in words if term not in AHEAD else ():
        if ENDING.sub("", word) not in english:
            yield f"{word} stands on no English page; write the term as the pages do"
