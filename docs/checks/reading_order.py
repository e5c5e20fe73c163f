"""A chapter that uses a term before the chapter that explains it has linked there by then.

Readers go through the chapters in the order of the navigation, Reference aside. The glossary names
the section that explains a term (`page`), and one that does so earlier, if there is one (`first`).
Headings, titles of boxes, code and formulas are no uses.
"""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from docs.builder.book import Loader
from docs.checks import Problem
from docs.checks.chinese import known_words
from docs.checks.pages import CHINESE, CJK, ENGLISH, read_pages

# The home page names what the chapters explain; the others are tools for later too.
NOT_CHAPTERS = ("index.md", "start/setup.md", "start/playground.md")
COLUMNS = {ENGLISH: "en", CHINESE: "zh_tw"}  # of the glossary, by the folder of a language
# Prose needs these in a plainer sense as well, and a machine cannot tell which one it reads.
ORDINARY = frozenset(
    {"clipping", "reference", "step", "trace"}  # of gradients; to a page; of any work; a little
    | {"設定", "截斷", "譯文"}  # to set; to cut off; any translation
)

Terms = dict[str, set[str]]  # spellings, and the pages that the glossary names for them


def problems(root: Path, page: str | None = None) -> Iterator[Problem]:
    """First uses of a term on a page that comes before its explanation and has no link to it."""
    order = chapters(yaml.load((root / "mkdocs.yml").read_text("utf-8"), Loader)["nav"])
    for folder, column in COLUMNS.items():
        terms = spellings(root, column)
        pattern = any_of(terms)
        for file, one in read_pages(root, page, folder):
            name = file.relative_to(folder).as_posix()
            if name not in order or name in NOT_CHAPTERS:
                continue
            read = {*order[: order.index(name) + 1]}
            links = [(link.line, resolved(link.text, name)) for link in one.links]
            prose = (unit for unit in one.units if unit.kind in {"text", "cell"})
            uses = ((unit.line, use) for unit in prose for use in pattern.finditer(unit.text))
            lines = {bare(use[1] or use[2]): line for line, use in reversed([*uses])}
            for term, pages in terms.items():
                line = lines.get(bare(term))
                near = read | {target for at, target in links if line and at <= line}
                if line and pages and not pages & near:
                    message = f"{term} is explained in {' or '.join(sorted(pages))}: link to it"
                    yield Problem(file, line, message)


def chapters(nav: list[dict[str, object]]) -> list[str]:
    """The pages of the chapters, from the first to the last."""
    found: list[str] = []
    for title, inside in (pair for item in nav for pair in item.items()):
        if title != "Reference":
            found += chapters(inside) if isinstance(inside, list) else [str(inside)]
    return found


def spellings(root: Path, column: str) -> Terms:
    """Every spelling with the pages of all its rows.

    Left to people: a spelling with several senses, such as memory (RAM) and memory (encoder
    output), and Chinese words of one character, which are parts of too many others.
    """
    rows: dict[str, list[dict[str, str]]] = {}
    for row in known_words(root):
        other = row["first_use"] if column == "zh_tw" and CJK.search(row["first_use"]) else ""
        for name in filter(None, (row[column], other)):
            rows.setdefault(re.sub(r"\s*\(.*\)", "", name).lower(), []).append(row)
    terms: Terms = {}
    for name, same in rows.items():
        senses = len(same) > 1 and any("(" in row["en"] for row in same)
        named = [row.get(key) or "" for row in same for key in ("first", "page")]
        left = senses or name in ORDINARY or CJK.fullmatch(name)
        terms[name] = set() if left else {page.partition("#")[0] for page in named if page}
    return terms


def any_of(terms: Terms) -> re.Pattern[str]:
    """Any spelling, the longest that fits: 位置編碼 is no 位置.

    A Chinese one may be anywhere. An English one is whole words, with hyphens or without.
    """
    longest = sorted(terms, key=len, reverse=True)
    han = "|".join(re.escape(term) for term in longest if CJK.search(term))
    words = [map(re.escape, re.split("[ -]", term)) for term in longest if not CJK.search(term)]
    latin = "|".join(map("[ -]?".join, words))
    return re.compile(rf"(?<![A-Za-z])({latin})(?:e?s)?(?![A-Za-z])|({han or '(?!)'})", re.I)


def bare(spelling: str) -> str:
    """A spelling without what may differ."""
    return re.sub("[ -]", "", spelling.lower())


def resolved(address: str, page: str) -> str:
    """The page that a link leads to, seen from the folder of the language."""
    path = address.partition("#")[0]
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
