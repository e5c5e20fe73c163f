"""The two languages have the same pages: the same sections, code, directives, formulas, numbers.

A section whose English changed since it was translated is left out: it says so on the page, and
`make translations` lists it.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

from docs.builder.freshness import recorded, stale_sections
from docs.checks import Problem, code
from docs.checks.pages import CHINESE, CJK, CODE, ENGLISH, Fence, Item, Page, Section, read_pages

BLOCKS = {"paragraph_open": "paragraphs", "list_item_open": "list items", "tr_open": "table rows"}
NUMBER = re.compile(r"(?:(\d+) 億 )?(\d[\d,]*(?:\.\d+)?)( 萬| 億)?")
MILLIONS = {" 萬": 0.01, " 億": 100.0, None: 1.0}
Placed = TypeVar("Placed", Item, Fence)


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
    seen: set[str] = set()
    for heading in page.headings:
        if heading.anchor is None:
            message = f"{heading.title!r} has no explicit anchor; add one, such as {{ #in-short }}"
            yield heading.line, message
        elif heading.anchor in seen:
            yield heading.line, f"#{heading.anchor} is here twice; rename one"
        else:
            seen.add(heading.anchor)


def differences(english: Page, chinese: Page, stale: set[str]) -> Iterator[tuple[int, str]]:
    """Lines of the Chinese page and what differs there."""
    ours, theirs = ([h for h in p.headings if h.anchor not in stale] for p in (english, chinese))
    for one, other in zip_longest(ours, theirs):
        if one is None or other is None or (one.level, one.anchor) != (other.level, other.anchor):
            wanted = f"{'#' * one.level} … {{ #{one.anchor} }}" if one else "nothing more"
            line = other.line if other else len(chinese.lines)
            yield line, f"the English page has {wanted} here; use the same headings"
            break  # what follows would only repeat it
    counterparts = {section.anchor: section for section in chinese.sections}
    for section in english.sections:
        counterpart = counterparts.get(section.anchor)
        if counterpart and section.anchor not in stale:
            yield from in_section(english, section, chinese, counterpart)


def in_section(
    english: Page, ours: Section, chinese: Page, theirs: Section
) -> Iterator[tuple[int, str]]:
    """What differs between two sections with the same anchor."""
    blocks = within(english.fences, ours), within(chinese.fences, theirs)
    if len(blocks[0]) != len(blocks[1]):
        counts = f"{len(blocks[1])} code blocks, the English one {len(blocks[0])}"
        yield theirs.line, f"this section has {counts}; make them the same"
    for pair in zip(*blocks):
        yield from code.differences(*pair)
    directives = within(english.directives, ours), within(chinese.directives, theirs)
    for a, b in zip_longest(*directives):
        if a is None or b is None or a.text != b.text:
            wanted = f"{a.text!r}, as in line {a.line} of the English page" if a else "left out"
            line, this = (b.line, repr(b.text)) if b else (theirs.line, "the end of the section")
            yield line, f"{this} should be {wanted}"
            break
    yield from equally_often("formula", english.formulas, ours, chinese.formulas, theirs)
    yield from equally_often("link to", english.links, ours, chinese.links, theirs)
    values = within(english.values, ours), within(chinese.values, theirs)
    for name in sorted({v.text for v in values[0]} ^ {v.text for v in values[1]}):
        yield theirs.line, f"only one language prints the value {name} in this section"
    yield from prose(english, ours, chinese, theirs)


def equally_often(
    kind: str, ours: list[Item], section: Section, theirs: list[Item], counterpart: Section
) -> Iterator[tuple[int, str]]:
    """Things that both sections must have equally often, in any order."""
    wanted, found = (
        Counter(item.text for item in within(*pair))
        for pair in ((ours, section), (theirs, counterpart))
    )
    lines = {item.text: item.line for item in within(theirs, counterpart)}
    where = f"the English section, line {section.line}"
    for text in found - wanted:
        yield lines[text], f"the {kind} {text!r} is not in {where}; correct whichever is wrong"
    for text in wanted - found:
        yield counterpart.line, f"the {kind} {text!r} of {where} is missing here"


def prose(
    english: Page, ours: Section, chinese: Page, theirs: Section
) -> Iterator[tuple[int, str]]:
    """Blocks that the Chinese prose lacks; code and numbers that the English one does not have."""
    wanted, found = blocks_of(english, ours), blocks_of(chinese, theirs)
    for kind in BLOCKS.values():
        if wanted[kind] != found[kind]:
            counts = f"{found[kind]} {kind}, the English one {wanted[kind]}"
            yield theirs.line, f"this section has {counts}; add what is missing or divide alike"
    known = {number for number, _ in numbers(ours.text, 1)}
    where = f"nowhere in the English section, line {ours.line}"
    for unit in chinese.units:
        if theirs.line <= unit.line < theirs.end:
            for span in CODE.findall(unit.marked):
                if span not in ours.text and not CJK.search(span):
                    yield unit.line, f"`{span}` is {where}; use the same code"
            for number, written in numbers(unit.text, 3):
                if number not in known:
                    yield unit.line, f"{written} is {where}; correct whichever is wrong"


def blocks_of(page: Page, section: Section) -> Counter[str]:
    """How many paragraphs, list items and table rows a section has."""
    inside = (token.type for line, token in page.blocks if section.line <= line < section.end)
    return Counter(BLOCKS[kind] for kind in inside if kind in BLOCKS)


def numbers(text: str, length: int) -> Iterator[tuple[float, str]]:
    """Numbers at least so long, and how they are written; 6,310 萬 counts as 63.1 million."""
    for match in NUMBER.finditer(text):
        if len(match[2]) >= length:
            value = float(match[2].replace(",", "")) * MILLIONS[match[3]]
            yield round(value + 100 * int(match[1] or 0), 6), match[0]


def within(items: list[Placed], section: Section) -> list[Placed]:
    return [item for item in items if item in section]
