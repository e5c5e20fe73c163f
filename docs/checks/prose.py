"""A page's prose as a reader sees it: Markdown's marks taken out, code and formulas marked."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from docs.checks.pages import COMMENT, FORMULA, FRONT_MATTER, INLINE_CODE, Page, blank

CODE = re.compile("\ue000([^\ue001]*)\ue001")  # inline code on its way through `plain`
LATIN = "\ue000"  # what stands for code, a formula or an address: a word that is not Chinese

TABLE_ROW = re.compile(r"[\s>]*\|(.*?)\|?\s*")
BOX = re.compile(r"[\s>]*(?:!!!|\?\?\?\+?|===[!+]?)[^\"]*(?:\"(.*)\")?\s*")
HEADING = re.compile(r"[\s>]*#{1,6}(.*)")
MARKER = re.compile(r"[\s>]*(?:(?:[-*+]|\d+[.)]|:)\s+|\[\^\w+\]:)?\s*(?:\[[ xX]\]\s)?")

# In this order: what to take out of a line, and what it leaves.
MARKS = [
    (re.compile(r"\s*\{:?\s*[#.][^}]*\}"), ""),  # anchors and classes
    (re.compile(r"\[\^\w+\]"), ""),  # footnotes
    (re.compile(r"!\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])"), r"\1"),  # images
    (re.compile(r"\[([^\[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])"), r"\1"),
    (re.compile(r"<?https?://[!-;=?-~]*[\w/]>?", re.A), LATIN),
    (re.compile(r"</?[A-Za-z][^>]*>"), ""),
    (re.compile(r"\+\+[\w+-]+\+\+"), LATIN),  # keys
    (re.compile(r"(?<!\w)_+|_+(?!\w)", re.A), ""),
    (re.compile(r"\*+|~~|==|\^\^"), ""),
    (re.compile(r"\\(?=[!-/:-@\[-`{-~])"), ""),
]


@dataclass(frozen=True)
class Unit:
    """A line, a heading, a table cell: what is read in one go. Its kind is one of these words:

    text, heading, cell, title (of a box, or the front matter's description).
    """

    line: int
    kind: str
    marked: str  # inline code stands between \ue000 and \ue001

    @property
    def text(self) -> str:
        """The prose, with one character for every piece of code."""
        return CODE.sub(LATIN, self.marked)


def units(page: Page) -> Iterator[Unit]:
    """The prose of a page, in order."""
    for number, line in enumerate((front_matter(page.text)).splitlines(), 1):
        key, _, value = line.partition(":")
        if key == "description":
            yield Unit(number, "title", value.strip().strip("\"'"))
    text = INLINE_CODE.sub(lambda match: one_line(match, match[2]), blank(page.prose, COMMENT))
    text = FORMULA.sub(lambda match: one_line(match, ""), text)
    for number, line in enumerate(text.splitlines(), 1):
        for kind, part in parts(line):
            if prose := plain(part):
                yield Unit(number, kind, prose)


def front_matter(text: str) -> str:
    match = FRONT_MATTER.match(text)
    return match[0] if match else ""


def one_line(match: re.Match[str], content: str) -> str:
    """Code between its marks, with the line breaks after it and nothing that means something."""
    content = re.sub(r"[|\n\ue000\ue001]", " ", content)
    return f"\ue000{content}\ue001" + "\n" * match[0].count("\n")


def parts(line: str) -> Iterator[tuple[str, str]]:
    """What a line consists of, each with its kind."""
    if row := TABLE_ROW.fullmatch(line):
        yield from (("cell", cell) for cell in re.split(r"(?<!\\)\|", row[1]))
    elif box := BOX.fullmatch(line):
        yield "title", box[1] or ""
    elif heading := HEADING.fullmatch(line):
        yield "heading", heading[1]
    elif not line.lstrip().startswith(":::"):
        yield "text", MARKER.sub("", line, count=1)


def plain(text: str) -> str:
    """Prose without Markdown's marks; the code in it is left alone."""
    kept = CODE.findall(text)
    text = CODE.sub(LATIN + "\ue001", text)
    for pattern, replacement in MARKS:
        text = pattern.sub(replacement, text)
    contents = iter(kept)
    text = re.sub("\ue000\ue001", lambda _: f"\ue000{next(contents)}\ue001", text)
    return html.unescape(text).strip()
