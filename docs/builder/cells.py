"""A page as the cells of a notebook: what runs on the page runs there, and all else is prose.

Sessions lose their prompts and outputs. Jupyter shows the value of a cell's last line, so a cell
ends where the page shows an output.
"""

import re
from collections.abc import Callable, Iterator
from doctest import DocTestParser
from textwrap import indent
from typing import Any

from nbformat import NotebookNode

FENCE = re.compile(r"(?P<margin> *)(?P<mark>`{3,}|~{3,})(?P<info>[^`]*)")
BOX = re.compile(r'(?P<margin> *)(?P<mark>\?\?\?|!!!)\+? +\w+(?: +"(?P<title>.*)")? *')
INSIDE = " " * 4  # a box
HEADING = re.compile(r"#+ .*")
ANCHOR = re.compile(r"\{ #([\w-]+) \}")
PROMPT = re.compile(r"^>>> ", re.M)
COMMAND = re.compile(r"^\$ (.*)", re.M)

InWords = Callable[[str, str], str | None]


def cell(kind: str, source: str, **metadata: object) -> NotebookNode:
    """Return a cell; nbformat's own functions would hold each against the schema."""
    more: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return NotebookNode(cell_type=kind, source=source, metadata=NotebookNode(metadata), **more)


class Reader:
    """Reads a page; `in_words` gives what stands for a directive, below which anchor."""

    def __init__(self, in_words: InWords) -> None:
        self.in_words = in_words
        self.anchor = ""

    def read(self, lines: list[str]) -> Iterator[NotebookNode]:
        """Yield the cells of some lines; what is folded names its `answer`, as notebooks do."""
        prose: list[str] = []
        margin, number = "", 0
        while number < len(lines):
            line = lines[number]
            end = number + 1
            if fence := FENCE.fullmatch(line):
                end = _closing(lines, number, fence["mark"])
                code = "\n".join(_without(fence["margin"], lines[number + 1 : end - 1]))
                if made := [*_code_cells(fence["info"], code)]:
                    yield from [*_prose_cell(prose), *made]
                    prose, margin = [], fence["margin"]  # what goes on in a list begins a cell
                elif ".output" not in fence["info"]:
                    prose += _without(margin, lines[number:end])
            elif box := BOX.fullmatch(line):
                end = _end_of_box(lines, number, box["margin"] + INSIDE)
                inner = _without(box["margin"] + INSIDE, lines[number + 1 : end])
                yield from [*_prose_cell(prose), *self._box(box["mark"], box["title"] or "", inner)]
                prose = []
            else:
                if HEADING.fullmatch(line):
                    yield from _prose_cell(prose)
                    found = ANCHOR.search(line)
                    prose, self.anchor = [], found[1] if found else self.anchor
                margin = margin if line.startswith(margin) or not line else ""
                replacement = self.in_words(line, self.anchor)
                prose.append(
                    line.removeprefix(margin) if replacement is None else f"\n{replacement}\n"
                )
            number = end
        yield from _prose_cell(prose)

    def _box(self, mark: str, title: str, lines: list[str]) -> Iterator[NotebookNode]:
        if mark == "!!!":
            head = [f"**{title}**", ""] if title else []
            for one in self.read([*head, *lines]):
                if one.cell_type == "markdown":
                    one.source = indent(one.source, "> ", lambda line: True)
                yield one
            return
        inside = [*self.read(lines)]
        if inside and inside[0].cell_type == "code":
            yield cell("markdown", f"**{title}**")
        for one in inside:
            one.metadata["answer"] = title
            yield one


def _closing(lines: list[str], start: int, mark: str) -> int:
    """Return the number of the line after a fence."""
    for number in range(start + 1, len(lines)):
        bare = lines[number].strip()
        if bare.startswith(mark) and not bare.strip(mark[0]):
            return number + 1
    return len(lines)


def _end_of_box(lines: list[str], start: int, margin: str) -> int:
    """Return the number of the line after a box."""
    for number in range(start + 1, len(lines)):
        if lines[number].strip() and not lines[number].startswith(margin):
            return number
    return len(lines)


def _without(margin: str, lines: list[str]) -> list[str]:
    return [line.removeprefix(margin) for line in lines]


def _prose_cell(lines: list[str]) -> Iterator[NotebookNode]:
    if text := "\n".join(lines).strip("\n"):
        yield cell("markdown", text)


def _code_cells(info: str, code: str) -> Iterator[NotebookNode]:
    """Yield what runs in a fence: Python with or without prompts, the commands of a console."""
    language = info.split()[0] if info.strip() else ""
    if language.startswith("py") and PROMPT.search(code):
        yield from _session(code)
    elif language.startswith("py"):
        yield cell("code", code)
    elif language == "console":
        yield cell("code", "\n".join(f"!{command}" for command in COMMAND.findall(code)))


def _session(code: str) -> Iterator[NotebookNode]:
    lines: list[str] = []
    for example in DocTestParser().get_examples(code):
        lines.append(example.source.removesuffix("\n"))
        if example.want:
            # Jupyter goes on after an error that is meant.
            tags = {"tags": ["raises-exception"]} if example.exc_msg else {}
            yield cell("code", "\n".join(lines), **tags)
            lines = []
    if lines:
        yield cell("code", "\n".join(lines))
