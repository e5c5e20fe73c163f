"""The two languages have the same pages, and these the same bones."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

import yaml

from docs.checks import Problem
from docs.checks.code import CJK, Comparison
from docs.checks.fences import Fence
from docs.checks.pages import CODE, PAGE_SUFFIXES, Item, Page, Section, page_files
from docs.checks.prose import units

ENGLISH, CHINESE = Path("docs/en"), Path("docs/zh-TW")
BLOCKS = {"paragraph_open": "paragraphs", "list_item_open": "list items", "tr_open": "table rows"}
NUMBER = re.compile(r"(?:(\d+) 億 )?(\d[\d,]*(?:\.\d+)?)( 萬| 億)?")
MILLIONS = {" 萬": 0.01, " 億": 100.0, None: 1.0}
Placed = TypeVar("Placed", Item, Fence)


def problems(root: Path) -> list[Problem]:
    """Every difference between docs/en and docs/zh-TW that is not one of language."""
    folders = root / ENGLISH, root / CHINESE
    ours, theirs = ({p.relative_to(f) for p in f.rglob("*") if p.is_file()} for f in folders)
    found = [Problem(CHINESE / p, 1, f"missing: translate {ENGLISH / p}") for p in ours - theirs]
    found += [
        Problem(CHINESE / p, 1, f"there is no {ENGLISH / p}: remove this file or write that one")
        for p in theirs - ours
    ]
    for folder, at in zip(folders, (ENGLISH, CHINESE)):
        for path in page_files(folder):
            file, page = at / path.relative_to(folder), Page.read(path)
            found += [*front_matter(page, file), *headings(page, file)]
    for name in sorted(ours & theirs):
        if name.suffix in PAGE_SUFFIXES:
            pages = (Page.read(folder / name) for folder in folders)
            found += [Problem(CHINESE / name, *place) for place in differences(*pages)]
    return sorted(found)


def front_matter(page: Page, file: Path) -> Iterator[Problem]:
    """Front matter that YAML cannot read: MkDocs would show it as text."""
    try:
        yaml.safe_load(page.front_matter)
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", 0) + 2
        yield Problem(file, line, "YAML cannot read this: put the text into quotes")


def headings(page: Page, file: Path) -> Iterator[Problem]:
    """Headings of one page without an anchor, or with one that is taken."""
    seen: set[str] = set()
    for heading in page.headings:
        if heading.anchor is None:
            message = f"{heading.title!r} has no explicit anchor; add one, such as {{ #in-short }}"
            yield Problem(file, heading.line, message)
        elif heading.anchor in seen:
            yield Problem(file, heading.line, f"#{heading.anchor} is here twice; rename one")
        else:
            seen.add(heading.anchor)


def differences(english: Page, chinese: Page) -> Iterator[tuple[int, str]]:
    """Lines of the Chinese page and what differs there."""
    last = 1
    for one, other in zip_longest(english.headings, chinese.headings):
        last = other.line if other else last
        if one is None:
            yield last, f"there is no heading #{other.anchor} here on the English page"
        elif other is None:
            yield last, f"the heading #{one.anchor} of the English page is missing after this one"
        elif (one.level, one.anchor) != (other.level, other.anchor):
            wanted = f"{'#' * one.level} … {{ #{one.anchor} }}"
            yield last, f"the English page has {wanted} here (line {one.line}); use the same"
        else:
            continue
        break  # what follows would only repeat it
    comparison = Comparison()
    counterparts = {section.anchor: section for section in chinese.sections}
    for section in english.sections:
        if other_section := counterparts.get(section.anchor):
            yield from in_section(english, section, chinese, other_section, comparison)


def in_section(
    english: Page, ours: Section, chinese: Page, theirs: Section, comparison: Comparison
) -> Iterator[tuple[int, str]]:
    """What differs between two sections with the same anchor."""
    blocks = within(english.fences, ours), within(chinese.fences, theirs)
    if len(blocks[0]) != len(blocks[1]):
        counts = f"{len(blocks[1])} code blocks, the English one {len(blocks[0])}"
        yield theirs.line, f"this section has {counts}; make them the same"
    for pair in zip(*blocks):
        yield from comparison.differences(*pair)
    directives = within(english.directives, ours), within(chinese.directives, theirs)
    for a, b in zip_longest(*directives):
        if a is None or b is None or a.text != b.text:
            wanted = f"{a.text!r}, as in line {a.line} of the English page" if a else "left out"
            line, this = (b.line, repr(b.text)) if b else (theirs.line, "the end of the section")
            yield line, f"{this} should be {wanted}"
            break
    yield from multiset("formula", english.formulas, ours, chinese.formulas, theirs)
    links, their_links = english.links + english.references, chinese.links + chinese.references
    yield from multiset("link to", links, ours, their_links, theirs)
    names = [
        {item.text for item in within(p.values, s)} for p, s in ((english, ours), (chinese, theirs))
    ]
    for name in sorted(names[0] ^ names[1]):
        yield theirs.line, f"only one language prints the value {name} in this section"
    yield from prose(english, ours, chinese, theirs)


def multiset(
    kind: str, ours: list[Item], section: Section, theirs: list[Item], counterpart: Section
) -> Iterator[tuple[int, str]]:
    """Things that both sections must have equally often, in any order."""
    lines = {item.text: item.line for item in within(ours, section)}
    count = Counter(item.text for item in within(ours, section))
    for item in within(theirs, counterpart):
        count[item.text] -= 1
        if count[item.text] < 0:
            where = f"not in the English section, line {section.line}"
            yield item.line, f"the {kind} {item.text!r} is {where}; mend whichever is wrong"
    for text, missing in count.items():
        if missing > 0:
            where = f"in line {lines[text]} of the English page but not in this section"
            yield counterpart.line, f"the {kind} {text!r} is {where}; mend whichever is wrong"


def within(items: list[Placed], section: Section) -> list[Placed]:
    return [item for item in items if item in section]


def prose(
    english: Page, ours: Section, chinese: Page, theirs: Section
) -> Iterator[tuple[int, str]]:
    """Blocks that the Chinese section lacks; code and numbers that the English one lacks."""
    wanted, found = blocks(english, ours), blocks(chinese, theirs)
    for kind in BLOCKS.values():
        if wanted[kind] != found[kind]:
            counts = f"{found[kind]} {kind}, the English one {wanted[kind]}"
            yield theirs.line, f"this section has {counts}; add what is missing or divide alike"
    known = {number for number, _ in numbers(ours.text, 1)}
    where = f"nowhere in the English section, line {ours.line}"
    for unit in units(chinese):
        if theirs.line <= unit.line < theirs.end:
            for span in CODE.findall(unit.marked):
                if span not in ours.text and not CJK.search(span):
                    yield unit.line, f"`{span}` is {where}; use the same code"
            for number, written in numbers(unit.text, 3):
                if number not in known:
                    yield unit.line, f"{written} is {where}; mend whichever is wrong"


def blocks(page: Page, section: Section) -> Counter[str]:
    """How many paragraphs, list items and table rows a section has."""
    inside = (token.type for line, token in page.blocks if section.line <= line < section.end)
    return Counter(BLOCKS[kind] for kind in inside if kind in BLOCKS)


def numbers(text: str, length: int) -> Iterator[tuple[float, str]]:
    """Numbers at least so long, and how they are written; 6,310 萬 counts as 63.1 million."""
    for match in NUMBER.finditer(text):
        if len(match[2]) >= length:
            value = float(match[2].replace(",", "")) * MILLIONS[match[3]]
            yield round(value + 100 * int(match[1] or 0), 6), match[0]
