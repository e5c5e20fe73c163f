"""What the prose of a section pair must share: its paragraphs and rows, its code, its numbers."""

import re
from collections import Counter
from collections.abc import Iterator

from docs.checks.code import CJK
from docs.checks.pages import CODE, Page, Section
from docs.checks.prose import units

BLOCKS = {"paragraph_open": "paragraphs", "list_item_open": "list items", "tr_open": "table rows"}
NUMBER = re.compile(r"(?:(\d+) 億 )?(\d[\d,]*(?:\.\d+)?)( 萬| 億)?")
MILLIONS = {" 萬": 0.01, " 億": 100.0, None: 1.0}


def differences(
    english: Page, ours: Section, chinese: Page, theirs: Section
) -> Iterator[tuple[int, str]]:
    """Lines of the Chinese section that lack a block, or say what the English one does not."""
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
