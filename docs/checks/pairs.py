"""The two languages have the same pages: the same sections, code, directives, formulas, numbers.

A section whose English changed since it was translated is left out: it says so on the page, and
`make translations` lists it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path

from docs.builder.freshness import recorded, stale_sections
from docs.builder.values import VALUE
from docs.checks import Problem, code
from docs.checks.pages import CHINESE, CJK, CODE, ENGLISH, Item, Page, Section, read_pages

BLOCKS = {  # of a syntax tree of Markdown
    "paragraph_open": "paragraphs",
    "list_item_open": "list items",
    "tr_open": "table rows",
    "fence": "code blocks",
}
NUMBER = re.compile(r"(?:(\d+) 億 )?(\d[\d,]*(?:\.\d+)?)( 萬| 億)?")
MILLIONS = {" 萬": 0.01, " 億": 100.0, None: 1.0}


def problems(root: Path, page: str | None = None) -> Iterator[Problem]:
    """Every difference between a page and its translation that is not one of language."""
    english = {file.relative_to(ENGLISH): found for file, found in read_pages(root, page, ENGLISH)}
    chinese = {file.relative_to(CHINESE): found for file, found in read_pages(root, page, CHINESE)}
    for name in english.keys() | chinese.keys():
        if name not in chinese:
            yield Problem(CHINESE / name, 1, f"missing: translate {ENGLISH / name}")
        elif name not in english:
            message = f"there is no {ENGLISH / name}: remove this page or write that one"
            yield Problem(CHINESE / name, 1, message)
        else:
            texts = [(root / folder / name).read_text("utf-8") for folder in (ENGLISH, CHINESE)]
            stale = {*stale_sections(*texts)} if recorded(texts[1]) else set[str]()
            for found in differences(english[name], chinese[name], stale):
                yield Problem(CHINESE / name, *found)
    for folder, pages in ((ENGLISH, english), (CHINESE, chinese)):
        for name, one in pages.items():
            yield from (Problem(folder / name, *found) for found in headings(one))


def headings(page: Page) -> Iterator[tuple[int, str]]:
    """Headings without an anchor, or with one that is taken."""
    seen: set[str | None] = set()
    for section in page.sections:
        if section.anchor is None:
            message = f"{section.title!r} has no explicit anchor; add one, such as {{ #in-short }}"
            yield section.line, message
        elif section.anchor in seen:
            yield section.line, f"#{section.anchor} is here twice; rename one"
        seen.add(section.anchor)


def differences(english: Page, chinese: Page, stale: set[str]) -> Iterator[tuple[int, str]]:
    """Lines of the Chinese page and what differs there."""
    fresh = [[s for s in p.sections if s.anchor not in stale] for p in (english, chinese)]
    for one, other in zip_longest(*fresh):
        if one is None or other is None or (one.level, one.anchor) != (other.level, other.anchor):
            wanted = f"{'#' * one.level} … {{ #{one.anchor} }}" if one else "nothing more"
            line = other.line if other else len(chinese.lines)
            yield line, f"the English page has {wanted} here; use the same headings"
            break  # what follows would only repeat it
    counterparts = {section.anchor: section for section in fresh[1]}
    for section in fresh[0]:
        if section.anchor in counterparts:
            yield from in_section(section, counterparts[section.anchor])


def in_section(english: Section, chinese: Section) -> Iterator[tuple[int, str]]:
    """What differs between two sections with the same anchor, the second one Chinese."""
    wanted, found = blocks(english), blocks(chinese)
    for kind in wanted | found:
        if wanted[kind] != found[kind]:
            counts = f"{found[kind]} {kind}, the English one {wanted[kind]}"
            yield chinese.line, f"this section has {counts}; add what is missing or divide alike"
    for pair in zip(english.within(english.page.fences), chinese.within(chinese.page.fences)):
        yield from code.differences(*pair)
    directives = english.within(english.page.directives), chinese.within(chinese.page.directives)
    for a, b in zip_longest(*directives):
        if a is None or b is None or a.text != b.text:
            should = f"{a.text!r}, as in line {a.line} of the English page" if a else "left out"
            line, this = (b.line, repr(b.text)) if b else (chinese.line, "the end of the section")
            yield line, f"{this} should be {should}"
            break
    yield from equally_often("formula", english, chinese, lambda page: page.formulas)
    yield from equally_often("link to", english, chinese, lambda page: page.links)
    values = ({match["name"] for match in VALUE.finditer(part.text)} for part in (english, chinese))
    for name in sorted(set.symmetric_difference(*values)):
        yield chinese.line, f"only one language prints the value {name} in this section"
    yield from unknown(english, chinese)


def blocks(section: Section) -> Counter[str]:
    """How many paragraphs, code blocks … a section has."""
    lines = range(section.line, section.end)
    return Counter(
        BLOCKS[token.type]
        for line, token in section.page.blocks
        if line in lines and token.type in BLOCKS
    )


def equally_often(
    kind: str, english: Section, chinese: Section, items_of: Callable[[Page], list[Item]]
) -> Iterator[tuple[int, str]]:
    """Things that both sections must have equally often, in any order."""
    wanted = Counter(item.text for item in english.within(items_of(english.page)))
    items = chinese.within(items_of(chinese.page))
    found, lines = Counter(item.text for item in items), {item.text: item.line for item in items}
    where = f"the English section, line {english.line}"
    for text in found - wanted:
        yield lines[text], f"the {kind} {text!r} is not in {where}; correct whichever is wrong"
    for text in wanted - found:
        yield chinese.line, f"the {kind} {text!r} of {where} is missing here"


def unknown(english: Section, chinese: Section) -> Iterator[tuple[int, str]]:
    """Code and numbers in the Chinese prose that the English section does not have."""
    known = {number for number, _ in numbers(english.text, 1)}
    where = f"nowhere in the English section, line {english.line}"
    for unit in chinese.within(chinese.page.units):
        for span in CODE.findall(unit.marked):
            if span not in english.text and not CJK.search(span):
                yield unit.line, f"`{span}` is {where}; use the same code"
        for number, written in numbers(unit.text, 3):
            if number not in known:
                yield unit.line, f"{written} is {where}; correct whichever is wrong"


def numbers(text: str, length: int) -> Iterator[tuple[float, str]]:
    """Numbers at least so long, and how they are written; 6,310 萬 counts as 63.1 million."""
    for match in NUMBER.finditer(text):
        if len(match[2]) >= length:
            value = float(match[2].replace(",", "")) * MILLIONS[match[3]]
            yield round(value + 100 * int(match[1] or 0), 6), match[0]
