"""Fenced blocks, found wherever the site finds them: in lists, folded answers, quotes."""

import re
from dataclasses import dataclass

OPENING = re.compile(r"(?P<prefix>[ \t>]*)(?P<mark>`{3,}|~{3,})(?P<info>[^`\n]*)")
# The name in `python hl_lines="1"` and in `{ .text .output }`.
LANGUAGE = re.compile(r"\s*(?:\{(?:[^}]*?\s)?\.)?([\w+#-]+)")


@dataclass(frozen=True)
class Fence:
    """A fenced block; `line` and `end` are its first and last line, `prefix` its indentation."""

    line: int
    end: int
    prefix: str
    info: str
    code: str
    closed: bool

    @property
    def language(self) -> str:
        """The language's name, from `python title="x"` as from `{ .python title="x" }`."""
        match = LANGUAGE.match(self.info)
        return match[1].casefold() if match else ""


def fences(text: str) -> list[Fence]:
    """Fenced blocks, however they are indented; a line that is indented less leaves one open."""
    found: list[Fence] = []
    opening, start, body = None, 0, ""
    for number, line in enumerate([*text.splitlines(), None], 1):
        if opening is not None:
            prefix, info = opening["prefix"], opening["info"].strip()
            inside = line is not None and (line.startswith(prefix) or not line.strip(" \t>"))
            if line is not None and inside and line[len(prefix) :].rstrip() != opening["mark"]:
                body += line[len(prefix) :] + "\n"
                continue
            end = number if inside else number - 1
            found.append(Fence(start, end, prefix, info, body, closed=inside))
            opening = None
            if inside:
                continue
        if line is not None and (opening := OPENING.fullmatch(line)):
            start, body = number, ""
    return found
