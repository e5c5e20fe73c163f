"""A term is explained where readers first meet it, or a link there leads to the explanation.

Readers go through the chapters in the order of the navigation, Reference aside. The glossary names
the section that explains a term (`page`), and one that does so earlier, if there is one (`first`).
A page before both may use the term if its first use there is the text of a link, or shares its
sentence with a link to one of the two pages. Headings, titles of boxes, code and formulas are no
uses.
"""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import yaml
from markdown_it.token import Token

from docs.checks import Problem
from docs.checks.chinese import known_words
from docs.checks.pages import (
    CHINESE,
    CJK,
    CODE,
    ENGLISH,
    REFERENCE,
    Page,
    marked,
    plain,
    read_pages,
    with_lines,
)

NAVIGATION, ASIDE = Path("mkdocs.yml"), "Reference"
NAMES_ALL = frozenset({"index.md"})  # the home page names what the chapters explain
COLUMNS = {ENGLISH: "en", CHINESE: "zh_tw"}  # of the glossary, by the folder of a language

# Prose needs these in a plainer sense as well, and a machine cannot tell which one it reads.
ORDINARY = frozenset(
    {"clipping", "reference", "step", "trace"}  # of gradients; to a page; of any work; a little
    | {"設定", "截斷", "譯文"}  # to set; to cut off; any translation
)

OPEN, MIDDLE, CLOSE = "\ue002", "\ue003", "\ue004"
LINK = re.compile(rf"{OPEN}([^{OPEN}{MIDDLE}]*){MIDDLE}(\d+){CLOSE}")
SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
QUALIFIER = re.compile(r"\s*\(.*\)")

Terms = dict[str, tuple[str, ...]]  # spellings, and the pages that the glossary names for them


@dataclass(frozen=True)
class Sentence:
    """A sentence without its code; each link is OPEN words MIDDLE number CLOSE."""

    line: int
    text: str
    addresses: list[str]


def problems(root: Path, page: str | None = None) -> Iterator[Problem]:
    """First uses of a term before the page that explains it, without a link to it."""
    order = reading_order(root / NAVIGATION)
    for folder, column in COLUMNS.items():
        terms = spellings(root, column)
        pattern = any_of(terms)
        for file, one in read_pages(root, page, folder):
            name = file.relative_to(folder).as_posix()
            if name not in order or name in NAMES_ALL:
                continue
            read = order[: order.index(name) + 1]
            for line, term in unexplained(one, name, pattern, terms, read):
                where = " or ".join(dict.fromkeys(terms[term]))
                message = f"{term} is explained in {where}: explain it here, or link to it"
                yield Problem(file, line, message)


def reading_order(navigation: Path) -> list[str]:
    """The pages of the chapters, from the first to the last."""
    top = yaml.compose(navigation.read_text("utf-8"), Loader=yaml.SafeLoader)
    return [page for name, nav in _pairs(top) if name == "nav" for page in _leaves(nav)]


def _pairs(node: yaml.Node | None) -> Iterator[tuple[str, yaml.Node]]:
    if isinstance(node, yaml.MappingNode):
        yield from ((name.value, value) for name, value in node.value)


def _leaves(node: yaml.Node) -> Iterator[str]:
    if isinstance(node, yaml.ScalarNode):
        yield node.value
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _leaves(item)
    for title, inner in _pairs(node):
        yield from () if title == ASIDE else _leaves(inner)


def spellings(root: Path, column: str) -> Terms:
    """Every spelling with the pages of all its rows.

    Left to people: a spelling with several senses, such as memory (RAM) and memory (encoder
    output), and Chinese words of one character, which are parts of too many others.
    """
    found: dict[str, list[dict[str, str]]] = {}
    for row in known_words(root):
        other = row["first_use"] if column == "zh_tw" and CJK.search(row["first_use"]) else ""
        for name in filter(None, (row[column], other)):
            found.setdefault(QUALIFIER.sub("", name).lower(), []).append(row)
    terms: Terms = {}
    for name, same in found.items():
        senses = len(same) > 1 and any("(" in row["en"] for row in same)
        single = bool(CJK.fullmatch(name))
        named = [row.get(key) or "" for row in same for key in ("first", "page")]
        pages = tuple(page.partition("#")[0] for page in named if page)
        terms[name] = () if senses or single or name in ORDINARY else pages
    return terms


def unexplained(
    page: Page, name: str, pattern: re.Pattern[str], terms: Terms, read: list[str]
) -> Iterator[tuple[int, str]]:
    """Lines on which a page first uses a term that no page up to it explains, and that term."""
    names, met = {bare(term): term for term in terms}, set[str]()
    for sentence in sentences(page):
        linked, targets = set[int](), set[str]()
        for link in LINK.finditer(sentence.text):
            address = sentence.addresses[int(link[2])]
            targets.add(resolved(address, name))
            if "://" not in address:
                linked |= {*range(*link.span(1))}
        for use in pattern.finditer(sentence.text):
            term = names[bare(use["latin"] or use["han"])]
            explained = {*terms[term]} & {*read, *targets} or use.start() in linked
            if terms[term] and term not in met and not explained:
                yield sentence.line, term
            met.add(term)


def any_of(terms: Terms) -> re.Pattern[str]:
    """Any spelling, the longest that fits: 位置編碼 is no 位置.

    A Chinese one may be anywhere. An English one is whole words, with hyphens or without.
    """
    longest = sorted(terms, key=len, reverse=True)
    han = "|".join(re.escape(term) for term in longest if CJK.search(term))
    words = [map(re.escape, re.split("[ -]", t)) for t in longest if not CJK.search(t)]
    latin = "|".join(map("[ -]?".join, words))
    return re.compile(
        rf"(?<![A-Za-z])(?P<latin>{latin})(?:e?s)?(?![A-Za-z])|(?P<han>{han or '(?!)'})", re.I
    )


def bare(spelling: str) -> str:
    """A spelling without what may differ."""
    return re.sub("[ -]", "", spelling.lower())


def resolved(address: str, page: str) -> str:
    """The page that a link leads to, seen from the folder of the language."""
    path = address.partition("#")[0]
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page


def sentences(page: Page) -> list[Sentence]:
    """What is read in one go, in order."""
    found: list[Sentence] = []
    for before, token in pairwise(page.tokens):
        if token.type != "inline" or before.type in {"heading_open", "box_open"}:
            continue
        lines, addresses = dict[int, str](), [""]  # of [`name`][name]: an API page
        for line, child in with_lines(token):
            lines[line] = lines.get(line, "") + with_links(child, addresses)
        for line, text in lines.items():
            text = REFERENCE.sub(rf"{OPEN}\g<text>{MIDDLE}0{CLOSE}", text)
            parts = [part for part in SENTENCE.split(plain(CODE.sub(" ", text))) if part]
            found += [Sentence(line, part, addresses) for part in parts]
    return found


def with_links(token: Token, addresses: list[str]) -> str:
    """The words of a token; those of a link stand between marks, with the number of its address."""
    if token.type == "link_open":
        addresses.append(str(token.attrs["href"]))
        return OPEN
    if token.type == "link_close":
        return f"{MIDDLE}{len(addresses) - 1}{CLOSE}"
    return marked(token)
