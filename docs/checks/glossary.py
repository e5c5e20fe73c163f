"""The glossary explains a term in full or not at all, in good Chinese, with a page to read on."""

import csv
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from docs.checks import Problem
from docs.checks.chinese import GLOSSARY, avoided_terms, punctuation, simplified, spaces
from docs.checks.links import LANGUAGES, has_anchor
from docs.checks.pages import Page
from docs.checks.prose import units

COLUMNS = ("sentence_en", "sentence_zh", "page")
ENGLISH = ("docs/en", "docs/figures", "transformer")
ENDING = re.compile(r"(?<=\w{3})(?:i[sz]ations?|i[sz]ing|ations?|ing|ies|ed|es|s|e|y)$")
# Settled before the chapters that need them, or because other words for them are bad.
AHEAD = frozenset(
    {"backpropagation", "benchmark", "dataset", "ground truth"}
    | {"n-gram", "numerical stability", "pitfall", "regularization"}
    | {"sanity check", "software"}
)


def problems(root: Path) -> list[Problem]:
    """What to mend in the columns that explain a term."""
    with (root / GLOSSARY).open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = [(reader.line_num, row) for row in reader]
    english = stems(
        path.read_text("utf-8")
        for folder in ENGLISH
        for path in (root / folder).rglob("*")
        if path.suffix in {".md", ".py"}
    )
    checks = [simplified, avoided_terms([row for _, row in rows]), punctuation, spaces]
    found = []
    for line, row in rows:
        messages = [*gaps(row), *dead_ends(row["page"], root), *unused(row["en"], english)]
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
