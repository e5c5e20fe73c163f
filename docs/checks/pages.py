"""A page as the checks see it: headings, sections, directives, formulas, links."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from docs.checks.fences import Fence, fences

PAGE_SUFFIXES = {".md", ".py"}
FRONT_MATTER = re.compile(r"\A---\n.*?^---\n", re.S | re.M)
INLINE_CODE = re.compile(r"(?<![`\\])(`+)(?!`)((?:(?!\n\s*\n).)+?)(?<!`)\1(?!`)", re.S)
COMMENT = re.compile(r"<!--.*?-->", re.S)
FORMULA = re.compile(
    r"(?<!\\)\$\$(?P<block>(?:\\.|[^\\$])+?)\$\$"
    r"|(?<![\\$])\$(?!\s)(?P<inline>(?:\\.|[^\\$\n])+?)(?<!\s)\$",
    re.S,
)
HEADING = re.compile(r"^ *(?P<marks>#{1,6})[ \t]*(?P<title>[^#\s].*?)[ \t]*$", re.M)
SETEXT = re.compile(r"(?:\A|\n[ \t]*\n)(?P<title>\S.*)\n(?P<marks>=+|-+)[ \t]*$", re.M)
ANCHOR = re.compile(r"\s*\{:?\s*(?:[^}]*?\s)?#(?P<anchor>[^\s}]+)[^}]*\}\s*$")
DIRECTIVE = re.compile(
    r"^[ \t]*(?:<!--\s*(?P<kind>[a-z]+):\s*(?P<name>.*?)\s*-->"
    r"|(?P<api>:::[ \t].*(?:\n[ \t]+\S.*)*)"
    r"|(?P<box>(?:!!!|\?\?\?\+?)[ \t]+[\w-]+))",
    re.M,
)
LINK = re.compile(r"\]\(\s*<?(?P<url>[^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?[^()\n]*\)")
DEFINITION = re.compile(r"^ {0,3}\[(?P<name>[^\]^][^\]]*)\]:\s*<?(?P<url>[^\s>]+)", re.M)
HTML_LINK = re.compile(r"<[a-z][^>]*\s(?:href|src)=[\"'](?P<url>[^\"']*)", re.I)
ANY_ANCHOR = re.compile(r"\{:?[^}\n]*?#([^\s}]+)[^}\n]*\}|<[a-z][^>]*\bid=[\"']([^\"']+)", re.I)
CELL = re.compile(r"# %%(?P<kind> \[\w+\])?(?P<options>.*)")
REFERENCE = re.compile(r"\[(?P<text>[^\[\]]*)\]\[(?P<name>[^\[\]^]*)\]")


@dataclass(frozen=True)
class Item:
    """Something found on a page: a formula, a link's target, a directive."""

    line: int
    text: str


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


def blank(text: str, pattern: re.Pattern[str]) -> str:
    """`text` with every match turned into spaces, so that lines and columns stay."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def line_of(match: re.Match[str], group: str | int = 0) -> int:
    """The line on which a match in a whole page's text begins."""
    return match.string.count("\n", 0, match.start(group)) + 1


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
    """One page; its `prose` is without fences, its `words` without code at all."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.fences = fences(text)
        lines = blank(text, FRONT_MATTER).splitlines()
        for fence in self.fences:
            lines[fence.line - 1 : fence.end] = [""] * (fence.end - fence.line + 1)
        self.prose = "\n".join(lines)
        self.words = blank(blank(self.prose, INLINE_CODE), COMMENT)

    @classmethod
    def read(cls, path: Path) -> "Page":
        return cls.parse(path, path.read_text(encoding="utf-8"))

    @classmethod
    def parse(cls, path: Path, text: str) -> "Page":
        """The page that a file of this name with this text would be."""
        return cls(notebook_as_markdown(text) if path.suffix == ".py" else text)

    @cached_property
    def headings(self) -> list[Heading]:
        found = []
        for match in HEADING.finditer(blank(self.prose, COMMENT)):
            anchor = ANCHOR.search(match["title"])
            title = ANCHOR.sub("", match["title"]).rstrip("# ")
            level = len(match["marks"])
            found.append(Heading(line_of(match), level, title, anchor and anchor["anchor"]))
        for match in SETEXT.finditer(blank(self.prose, COMMENT)):
            level = 1 if match["marks"][0] == "=" else 2
            found.append(Heading(line_of(match, "title"), level, match["title"], None))
        return sorted(found, key=lambda heading: heading.line)

    @cached_property
    def sections(self) -> list[Section]:
        """The opening, then one section a heading with an anchor."""
        starts = [("", 1), *((h.anchor, h.line) for h in self.headings if h.anchor)]
        lines = self.text.splitlines()
        ends = [*(line for _, line in starts[1:]), len(lines) + 1]
        return [
            Section(anchor, line, end, "\n".join(lines[line - 1 : end - 1]).strip() + "\n")
            for (anchor, line), end in zip(starts, ends, strict=True)
        ]

    @cached_property
    def anchors(self) -> list[str]:
        """Every explicit anchor, headings' and others, in order."""
        return [match[1] or match[2] for match in ANY_ANCHOR.finditer(self.words)]

    @cached_property
    def directives(self) -> list[Item]:
        """`figure: NAME`, `::: object` with its options, and the kinds of admonitions."""
        return [
            Item(line_of(match), f"{match['kind']}: {match['name']}" if match["kind"] else match[0])
            for match in DIRECTIVE.finditer(blank(self.prose, INLINE_CODE))
        ]

    @cached_property
    def formulas(self) -> list[Item]:
        return [Item(line_of(match), match[0]) for match in FORMULA.finditer(self.words)]

    @cached_property
    def links(self) -> list[Item]:
        """Targets of links and images, wherever they are written out."""
        words = blank(self.words, FORMULA)
        found = [m for pattern in (LINK, DEFINITION, HTML_LINK) for m in pattern.finditer(words)]
        return [Item(line_of(match), match["url"]) for match in sorted(found, key=line_of)]

    @cached_property
    def references(self) -> list[Item]:
        """Targets of `[text][target]` and of `` [`target`][] ``."""
        return [
            Item(line_of(match), match["name"] or self.prose[slice(*match.span("text"))].strip("`"))
            for match in REFERENCE.finditer(blank(self.words, FORMULA))
        ]


def markdown_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.md"))


def page_files(folder: Path) -> list[Path]:
    """The pages of one language: Markdown and notebooks."""
    return sorted(path for path in folder.rglob("*") if path.suffix in PAGE_SUFFIXES)
