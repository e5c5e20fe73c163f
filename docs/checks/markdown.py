"""Markdown as the site reads it: CommonMark's tokens with their lines, and what we add to it."""

import re
from collections.abc import Iterator
from functools import partial

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

BOX = re.compile(r"(?P<kind>(?:!!!|\?\?\?\+?)[ \t]+[\w-]+)[^\"]*(?:\"(?P<title>.*)\")?\s*")
INDENT = 4  # of what stands in a box
ROW, CODE = re.compile(r"^[ \t>]*\|.*", re.M), re.compile(r"`[^`\n]+`")


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
PARSER.normalizeLink = str  # type: ignore[assignment, method-assign]  # as it is written


def parse(text: str) -> list[Token]:
    """Read a page; CommonMark would cut a cell at the bars of its code, the site does not."""
    bars = partial(CODE.sub, lambda code: code[0].replace("|", r"\|"))
    return PARSER.parse(ROW.sub(lambda row: bars(row[0]), text))


def placed(token: Token) -> Iterator[tuple[int, Token]]:
    """Yield what an inline token consists of, each with its line."""
    line = token.map[0] + 1 if token.map else 1
    for child in token.children or ():
        yield line, child
        line += child.type in {"softbreak", "hardbreak"} or child.content.count("\n")
