"""A page as the checks see it: headings, sections, directives, formulas, links."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby, pairwise
from pathlib import Path

from markdown_it.token import Token

from docs.builder.values import VALUE, stand_in
from docs.checks.fences import Fence, fences
from docs.checks.markdown import parse, placed

PAGE_SUFFIXES = {".md", ".py"}
ANCHOR = re.compile(r"\s*\{:?\s*(?:[^}]*?\s)?#(?P<anchor>[^\s}]+)[^}]*\}")
HTML_ID = re.compile(r"<[a-z][^>]*\bid=[\"']([^\"']+)", re.I)
HTML_LINK = re.compile(r"<[a-z][^>]*\s(?:href|src)=[\"']([^\"']*)", re.I)
DIRECTIVE = re.compile(r"<!--\s*([a-z]+):\s*(.*?)\s*-->")
CELL = re.compile(r"# %%(?P<kind> \[\w+\])?(?P<options>.*)")
REFERENCE = re.compile(r"\[(?P<text>[^\[\]]*)\]\[(?P<name>[^\[\]^]*)\]")
KINDS = {"heading_open": "heading", "th_open": "cell", "td_open": "cell", "box_open": "title"}
CODE = re.compile("\ue000([^\ue001]*)\ue001")  # in a unit
LATIN = "\ue000"  # what stands for code, a formula or an address: a word that is not Chinese
FORMULAS = {"math_block", "math_inline", "math_inline_double"}


@dataclass(frozen=True)
class Item:
    """Something found on a page: a formula, a link's target, a directive."""

    line: int
    text: str


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


@dataclass(frozen=True)
class Heading:
    line: int
    level: int
    title: str
    anchor: str | None


@dataclass(frozen=True)
class Section:
    """From one heading to the next of any level; the opening, front matter included, is ""."""

    anchor: str
    line: int
    end: int  # the line after the last
    text: str

    def __contains__(self, item: Item | Fence) -> bool:
        return self.line <= item.line < self.end


def notebook_as_markdown(text: str) -> str:
    """A notebook in the percent format as a page, line for line: prose, and code in fences."""
    lines: list[str] = []
    is_code = False
    for line in text.splitlines():
        if cell := CELL.fullmatch(line):
            if is_code:
                lines[-1] = "```"  # the empty line before a cell
            is_code = not cell["kind"]
            lines.append(f"```python{cell['options']}" if is_code else "")
        else:
            lines.append(line if is_code else line.removeprefix("#").removeprefix(" "))
    return "\n".join([*lines, "```"] if is_code else lines) + "\n"


class Page:
    """One page: its blocks and what they consist of, each with its line."""

    def __init__(self, text: str) -> None:
        self.text, self.lines = text, text.splitlines()
        self.tokens = parse(stand_in(text))
        self.blocks = [(token.map[0] + 1, token) for token in self.tokens if token.map]
        self.inline = [child for token in self.tokens for child in placed(token)]
        self.fences = fences(self.tokens, self.lines)

    @classmethod
    def read(cls, path: Path) -> "Page":
        return cls.parse(path, path.read_text(encoding="utf-8"))

    @classmethod
    @lru_cache(maxsize=512)
    def parse(cls, path: Path, text: str) -> "Page":
        """The page that a file of this name with this text would be."""
        return cls(notebook_as_markdown(text) if path.suffix == ".py" else text)

    @cached_property
    def front_matter(self) -> str:
        return next((t.content for t in self.tokens if t.type == "front_matter"), "")

    @cached_property
    def outside(self) -> list[tuple[int, str]]:
        """The lines that are in no fence, with their numbers."""
        inside = {line for fence in self.fences for line in range(fence.line, fence.end + 1)}
        return [(n, line) for n, line in enumerate(self.lines, 1) if n not in inside]

    @cached_property
    def headings(self) -> list[Heading]:
        found = []
        for (line, token), (_, inline) in pairwise(self.blocks):
            if token.type == "heading_open":
                title, anchor = ANCHOR.sub("", inline.content), ANCHOR.search(inline.content)
                found.append(Heading(line, int(token.tag[1]), title, anchor and anchor["anchor"]))
        return found

    @cached_property
    def sections(self) -> list[Section]:
        """The opening, then one section a heading with an anchor."""
        starts = [("", 1), *((h.anchor, h.line) for h in self.headings if h.anchor)]
        ends = [*(line for _, line in starts[1:]), len(self.lines) + 1]
        return [
            Section(anchor, line, end, "\n".join(self.lines[line - 1 : end - 1]).strip() + "\n")
            for (anchor, line), end in zip(starts, ends, strict=True)
        ]

    @cached_property
    def units(self) -> list[Unit]:
        """The prose, with the marks that are no tokens: attributes, references, emphasis."""
        found = []
        for before, token in pairwise(self.tokens):
            if token.type == "inline" and not token.content.startswith("::: "):
                for line, children in groupby(placed(token), key=lambda child: child[0]):
                    text = "".join(marked(child) for _, child in children)
                    found.append(Unit(line, KINDS.get(before.type, "text"), text))
        return found

    @cached_property
    def html(self) -> list[Item]:
        """Lines with tags and comments, and with what Markdown does not look into."""
        tokens = [*self.blocks, *self.inline]
        return [
            Item(line + number, part)
            for line, token in tokens
            if token.type in {"html_block", "html_inline"}
            for number, part in enumerate(token.content.splitlines())
        ]

    @cached_property
    def anchors(self) -> list[str]:
        """Every explicit anchor, headings' and others."""
        written = [match["anchor"] for unit in self.units for match in ANCHOR.finditer(unit.marked)]
        return written + [anchor for item in self.html for anchor in HTML_ID.findall(item.text)]

    @cached_property
    def directives(self) -> list[Item]:
        """`figure: NAME`, `::: object` with its options, and the kinds of admonitions, in order."""
        found = [
            Item(item.line, f"{kind}: {name}")
            for item in self.html
            for kind, name in DIRECTIVE.findall(item.text)
        ]
        for line, token in self.blocks:
            if token.type == "box_open":
                found.append(Item(line, token.content))
            elif token.type == "inline" and token.content.startswith("::: "):
                found.append(Item(line, "\n".join(self.lines[slice(*token.map or ())])))
        return sorted(found, key=lambda item: item.line)

    @cached_property
    def values(self) -> list[Item]:
        """The names of values that are printed in sentences."""
        return [Item(n, v["name"]) for n, line in self.outside for v in VALUE.finditer(line)]

    @cached_property
    def formulas(self) -> list[Item]:
        tokens = [*self.blocks, *self.inline]
        found = [(line, token) for line, token in tokens if token.type in FORMULAS]
        return [Item(line, f"{t.markup}{t.content}{t.markup}") for line, t in found]

    @cached_property
    def links(self) -> list[Item]:
        """Targets of links and images, wherever they are written out."""
        found = [Item(line, str(t.attrs["href"])) for line, t in self.inline if "href" in t.attrs]
        found += [Item(line, str(t.attrs["src"])) for line, t in self.inline if "src" in t.attrs]
        return found + [Item(i.line, url) for i in self.html for url in HTML_LINK.findall(i.text)]

    @cached_property
    def references(self) -> list[Item]:
        """Targets of `[text][target]` and of `` [`target`][] ``, unless the page defines them."""
        return [
            Item(unit.line, match["name"] or match["text"].strip("\ue000\ue001"))
            for unit in self.units
            for match in REFERENCE.finditer(unit.marked)
        ]


def marked(token: Token) -> str:
    """The text of an inline token, with code and formulas between two marks."""
    if token.type in {"code_inline", *FORMULAS}:
        return f"\ue000{token.content if token.type == 'code_inline' else ''}\ue001"
    return token.content if token.type in {"text", "image"} else ""


def markdown_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.md"))


def page_files(folder: Path) -> list[Path]:
    """The pages of one language: Markdown and notebooks."""
    return sorted(path for path in folder.rglob("*") if path.suffix in PAGE_SUFFIXES)
