"""Fenced blocks, found wherever the site finds them: in lists, folded answers, quotes."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from markdown_it.token import Token

OPENING = re.compile(r"(?P<prefix>[ \t>]*)(?P<mark>`{3,}|~{3,})")
# The name in `python hl_lines="1"` and in `{ .text .output }`.
LANGUAGE = re.compile(r"\s*(?:\{(?:[^}]*?\s)?\.)?([\w+#-]+)")


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
