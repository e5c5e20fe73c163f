"""A page's prose as a reader sees it: Markdown's marks taken out, code and formulas marked."""

import re
from collections.abc import Iterator
from dataclasses import replace

from docs.checks.pages import CODE, LATIN, REFERENCE, Page, Unit

TAGS = re.compile(r"<!--.*?(?:-->|$)|</?[A-Za-z][^>]*>")

# What Markdown's tokens leave in, and what to write for it.
MARKS = [
    (re.compile(r"\s*\{:?\s*[#.][^}]*\}"), ""),  # anchors and classes
    (REFERENCE, r"\g<text>"),
    (re.compile(r"https?://[!-;=?-~]*[\w/]", re.A), LATIN),
    (re.compile(r"(?<!\w)_+|_+(?!\w)", re.A), ""),
    (re.compile(r"\*+"), ""),
]


def units(page: Page) -> Iterator[Unit]:
    """The prose of a page, in order."""
    for number, line in enumerate(page.front_matter.splitlines(), 2):
        key, _, value = line.partition(":")
        if key == "description":
            yield Unit(number, "title", value.strip().strip("\"'"))
    html = [Unit(item.line, "text", TAGS.sub("", item.text)) for item in page.html]
    for unit in sorted([*page.units, *html], key=lambda unit: unit.line):
        if prose := plain(unit.marked):
            yield replace(unit, marked=prose)


def words(page: Page) -> int:
    """How many words a reader goes through, tables, displayed formulas and folded boxes aside.

    Code in a fence is aside too; in a sentence, code counts as it is read, a formula as a word.
    """
    folded = {
        line
        for _, token in page.blocks
        if token.type == "box_open" and token.content.split()[0] == "???"
        for line in range(*token.map or ())
    }
    read = [unit for unit in page.units if unit.kind != "cell" and unit.line - 1 not in folded]
    return sum(len(plain(unit.marked).split()) for unit in read)


def plain(text: str) -> str:
    """Prose without Markdown's marks; the code in it is left alone."""
    kept = iter(CODE.findall(text))
    text = CODE.sub("\ue000\ue001", text)
    for pattern, replacement in MARKS:
        text = pattern.sub(replacement, text)
    return re.sub("\ue000\ue001", lambda _: f"\ue000{next(kept)}\ue001", text).strip()
