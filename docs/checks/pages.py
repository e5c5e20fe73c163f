"""A page as the site reads it: its prose, fences, headings, sections, directives, formulas, links.

This is the one reader of Markdown that the checks share: CommonMark's tokens with their lines, and
what the site adds to CommonMark.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import groupby, pairwise
from pathlib import Path
from typing import TypeVar

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from docs.builder.freshness import TOP
from docs.builder.values import stand_in

ENGLISH, CHINESE = Path("docs/en"), Path("docs/zh-TW")
PAGE_SUFFIXES = {".md", ".py"}
CJK = re.compile(r"[\u3400-\u9fff々〇]")
ANCHOR = re.compile(r"\s*\{:?\s*(?:[^}]*?\s)?#(?P<anchor>[^\s}]+)[^}]*\}")
HTML_ID = re.compile(r"<[a-z][^>]*\bid=[\"']([^\"']+)", re.I)
HTML_LINK = re.compile(r"<[a-z][^>]*\s(?:href|src)=[\"']([^\"']*)", re.I)
TAGS = re.compile(r"<!--.*?(?:-->|$)|</?[A-Za-z][^>]*>")
DIRECTIVE = re.compile(r"<!--\s*([a-z]+):\s*(.*?)\s*-->")
CELL = re.compile(r"# %%(?P<kind> \[\w+\])?(?P<options>.*)")
REFERENCE = re.compile(r"\[(?P<text>[^\[\]]*)\]\[(?P<name>[^\[\]^]*)\]")
KINDS = {"heading_open": "heading", "th_open": "cell", "td_open": "cell", "box_open": "title"}
CODE = re.compile("\ue000([^\ue001]*)\ue001")  # in the marked text of a unit
LATIN = "\ue000"  # stands for code, a formula or an address: a word that is not Chinese
FORMULAS = {"math_block", "math_inline", "math_inline_double"}

BOX = re.compile(r"(?P<kind>(?:!!!|\?\?\?\+?)[ \t]+[\w-]+)[^\"]*(?:\"(?P<title>.*)\")?\s*")
INDENT = 4  # of what is inside a box
OPENING = re.compile(r"(?P<prefix>[ \t>]*)(?P<mark>`{3,}|~{3,})")
# The name in `python hl_lines="1"` and in `{ .text .output }`.
LANGUAGE = re.compile(r"\s*(?:\{(?:[^}]*?\s)?\.)?([\w+#-]+)")
ROW, INLINE_CODE = re.compile(r"^[ \t>]*\|.*", re.M), re.compile(r"`[^`\n]+`")
# What Markdown's tokens leave in the prose, and what to write for it.
MARKS = [
    (re.compile(r"\s*\{:?\s*[#.][^}]*\}"), ""),  # anchors and classes
    (REFERENCE, r"\g<text>"),
    (re.compile(r"https?://[!-;=?-~]*[\w/]", re.A), LATIN),
    (re.compile(r"(?<!\w)_+|_+(?!\w)", re.A), ""),
    (re.compile(r"\*+"), ""),
]


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
class Fence:
    """A fenced block; `line` and `end` are its first and last line."""

    line: int
    end: int
    info: str
    code: str
    closed: bool

    @property
    def language(self) -> str:
        """The language's name, from `python title="x"` as from `{ .python title="x" }`."""
        match = LANGUAGE.match(self.info)
        return match[1].casefold() if match else ""


Placed = TypeVar("Placed", Item, Unit, Fence)


@dataclass(frozen=True)
class Section:
    """From one heading to the next of any level; before the first one, it has the level 0."""

    page: "Page"
    line: int
    level: int
    title: str
    anchor: str | None
    end: int  # the line after the last

    @property
    def text(self) -> str:
        return "\n".join(self.page.lines[self.line - 1 : self.end - 1])

    def within(self, items: list[Placed]) -> list[Placed]:
        """Those of the page's fences, links, units … that are in this section."""
        return [item for item in items if self.line <= item.line < self.end]


class Page:
    """One page: its blocks and what they consist of, each with its line."""

    def __init__(self, text: str) -> None:
        self.text, self.lines = text, text.splitlines()
        self.tokens = parse(stand_in(text))
        self.blocks = [(token.map[0] + 1, token) for token in self.tokens if token.map]
        self.inline = [child for token in self.tokens for child in with_lines(token)]
        self.fences = fences(self.tokens, self.lines)

    @classmethod
    def read(cls, path: Path) -> "Page":
        return cls.parse(path.suffix, path.read_text(encoding="utf-8"))

    @classmethod
    @lru_cache(maxsize=512)
    def parse(cls, suffix: str, text: str) -> "Page":
        """The page that a file of this kind with this text would be."""
        return cls(notebook_as_markdown(text) if suffix == ".py" else text)

    @cached_property
    def outside(self) -> list[tuple[int, str]]:
        """The lines that are in no fence, with their numbers."""
        inside = {line for fence in self.fences for line in range(fence.line, fence.end + 1)}
        return [(n, line) for n, line in enumerate(self.lines, 1) if n not in inside]

    @cached_property
    def sections(self) -> list[Section]:
        """The opening, front matter included, then one section a heading."""
        starts: list[tuple[int, int, str, str | None]] = [(1, 0, "", TOP)]
        for (line, token), (_, inline) in pairwise(self.blocks):
            if token.type == "heading_open":
                title, anchor = ANCHOR.sub("", inline.content), ANCHOR.search(inline.content)
                starts.append((line, int(token.tag[1]), title, anchor and anchor["anchor"]))
        ends = [*(line for line, *_ in starts[1:]), len(self.lines) + 1]
        return [Section(self, *start, end) for start, end in zip(starts, ends, strict=True)]

    @cached_property
    def units(self) -> list[Unit]:
        """The prose as a reader sees it, without Markdown's marks, in order."""
        found = [Unit(item.line, "text", TAGS.sub("", item.text)) for item in self.html]
        front_matter = next((t.content for t in self.tokens if t.type == "front_matter"), "")
        for number, line in enumerate(front_matter.splitlines(), 2):
            key, _, value = line.partition(":")
            if key == "description":
                found.append(Unit(number, "title", value.strip().strip("\"'")))
        found = sorted([*found, *self.written], key=lambda unit: unit.line)
        return [replace(unit, marked=prose) for unit in found if (prose := plain(unit.marked))]

    @cached_property
    def written(self) -> list[Unit]:
        """The prose with Markdown's marks, a line at a time."""
        found = []
        for before, token in pairwise(self.tokens):
            if token.type == "inline" and not token.content.startswith("::: "):
                for line, children in groupby(with_lines(token), key=lambda child: child[0]):
                    text = "".join(marked(child) for _, child in children)
                    found.append(Unit(line, KINDS.get(before.type, "text"), text))
        return found

    @cached_property
    def html(self) -> list[Item]:
        """Lines with tags and comments, and with what Markdown does not look into."""
        return [
            Item(line + number, part)
            for line, token in [*self.blocks, *self.inline]
            if token.type in {"html_block", "html_inline"}
            for number, part in enumerate(token.content.splitlines())
        ]

    @cached_property
    def anchors(self) -> list[str]:
        """Every explicit anchor, headings' and others."""
        texts = (token.content for _, token in self.blocks if token.type == "inline")
        written = [match["anchor"] for text in texts for match in ANCHOR.finditer(text)]
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
    def formulas(self) -> list[Item]:
        found = [(n, t) for n, t in [*self.blocks, *self.inline] if t.type in FORMULAS]
        return [Item(line, f"{t.markup}{t.content}{t.markup}") for line, t in found]

    @cached_property
    def links(self) -> list[Item]:
        """Targets of links and images, and of references: `[text][target]`, `` [`target`][] ``."""
        attributes = [(n, t.attrs.get("href") or t.attrs.get("src")) for n, t in self.inline]
        found = [Item(line, str(target)) for line, target in attributes if target]
        found += [Item(i.line, url) for i in self.html for url in HTML_LINK.findall(i.text)]
        for unit in self.written:
            for reference in REFERENCE.finditer(unit.marked):
                name = reference["name"] or reference["text"].strip("\ue000\ue001")
                found.append(Item(unit.line, name))
        return found


def box(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read `!!! note "Title"` and `??? note` with what is indented below; empty lines are inside.

    The plugin for it closes the box at two empty lines, and so in the middle of code.
    """
    match = BOX.fullmatch(state.getLines(start, start + 1, state.sCount[start], False))
    if match and not silent:
        outside, indent, stop = state.lineMax, state.blkIndent, start + 1
        while stop < end and (state.isEmpty(stop) or state.sCount[stop] >= indent + INDENT):
            stop += 1
        opening = state.push("box_open", "div", 1)
        opening.content, opening.map = match["kind"], [start, stop]
        title = state.push("inline", "", 0)
        title.content, title.map, title.children = match["title"] or "", [start, start + 1], []
        state.blkIndent, state.lineMax = indent + INDENT, stop
        state.md.block.tokenize(state, start + 1, stop)
        state.blkIndent, state.lineMax, state.line = indent, outside, stop
        state.push("box_close", "div", -1)
    return bool(match)


# `*` and `_` stay in the text: between 。 and 字, CommonMark finds no emphasis.
PARSER = MarkdownIt("commonmark").enable("table").disable("emphasis")
PARSER.use(front_matter_plugin).use(footnote_plugin)
PARSER.use(dollarmath_plugin, allow_space=False, allow_labels=False, double_inline=True)
PARSER.block.ruler.before("fence", "box", box, {"alt": ["paragraph", "blockquote", "list"]})
PARSER.normalizeLink = str  # type: ignore[assignment, method-assign]  # links stay as written


def parse(text: str) -> list[Token]:
    """Read a page; CommonMark would cut a cell at the bars of its code, the site does not."""
    bars = partial(INLINE_CODE.sub, lambda code: code[0].replace("|", r"\|"))
    return PARSER.parse(ROW.sub(lambda row: bars(row[0]), text))


def with_lines(token: Token) -> Iterator[tuple[int, Token]]:
    """Yield what an inline token consists of, each with its line."""
    line = token.map[0] + 1 if token.map else 1
    for child in token.children or ():
        yield line, child
        line += child.type in {"softbreak", "hardbreak"} or child.content.count("\n")


def marked(token: Token) -> str:
    """The text of an inline token, with code and formulas between two marks."""
    if token.type in {"code_inline", *FORMULAS}:
        return f"\ue000{token.content if token.type == 'code_inline' else ''}\ue001"
    return token.content if token.type in {"text", "image"} else ""


def plain(text: str) -> str:
    """Prose without Markdown's marks; the code in it is left alone."""
    kept = iter(CODE.findall(text))
    text = CODE.sub("\ue000\ue001", text)
    for pattern, replacement in MARKS:
        text = pattern.sub(replacement, text)
    return re.sub("\ue000\ue001", lambda _: f"\ue000{next(kept)}\ue001", text).strip()


def fences(tokens: Iterable[Token], lines: list[str]) -> list[Fence]:
    """Fenced blocks; one that begins behind a list's bullet is none to the site.

    One that ends otherwise indented than it begins is open: it would go on there.
    """
    found = []
    for token in tokens:
        if token.type == "fence" and token.map and (opening := OPENING.match(lines[token.map[0]])):
            line, end = token.map
            closed = lines[end - 1].rstrip() == opening["prefix"] + token.markup and end > line + 1
            found.append(Fence(line + 1, end, token.info.strip(), token.content, closed))
    return found


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


def markdown_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.md"))


def page_files(folder: Path) -> list[Path]:
    """The pages of one language: Markdown and notebooks."""
    return sorted(path for path in folder.rglob("*") if path.suffix in PAGE_SUFFIXES)


def read_pages(
    root: Path, page: str | None, *languages: Path, others: tuple[str, ...] = ()
) -> Iterator[tuple[Path, Page]]:
    """Yield the pages of these languages, each with its path from the root; or one of them.

    With them come `others`, files such as README.md, unless one page was asked for.
    """
    for folder in languages or (ENGLISH, CHINESE):
        for path in page_files(root / folder):
            if page in (None, path.relative_to(root / folder).as_posix()):
                yield path.relative_to(root), Page.read(path)
    for name in others if page is None else ():
        if (root / name).exists():
            yield Path(name), Page.read(root / name)


def named(root: Path, words: str) -> str:
    """The page that components/masks, docs/en/components/masks.md … means; or else nothing."""
    page = re.sub("^(docs/)?((en|zh-TW)/)?", "", words)
    names = (path.relative_to(root / ENGLISH) for path in page_files(root / ENGLISH))
    return next((n.as_posix() for n in names if page in (str(n), str(n.with_suffix("")))), "")
