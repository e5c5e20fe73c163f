"""Commands on pages exist: of `transformer`, with their options, and of make; and so do files.

The names are read from the sources: to import the package takes longer than all checks together.
"""

import ast
import re
import shlex
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from docs.checks import Problem
from docs.checks.code import PLACEHOLDER
from docs.checks.links import ROOT_PAGES
from docs.checks.pages import CODE, Page, read_pages

SHELL = {"bash", "console", "sh"}
FILE = re.compile(r"(?:benchmarks|docs|tests|transformer)/[\w./-]*")
EXAMPLE = re.compile(r"\b(?:PART|NAME|PAGE|NUMBER)\b")
TARGET = re.compile(r"^([\w-]+):", re.M)
COMMAND = re.compile(r"^app\.command\(\"(\w+)\"\)", re.M)
END = {"|", ">", "<", "&&", ";"}  # of a command


class Known(NamedTuple):
    """Names that may be typed."""

    targets: list[str]
    commands: list[str]
    options: set[str]


def problems(root: Path, page: str | None = None) -> Iterator[Problem]:
    """What readers are told to type, or to look at, and is not there."""
    targets = TARGET.findall((root / "Makefile").read_text("utf-8"))
    cli = (root / "transformer/cli/__init__.py").read_text("utf-8")
    known = Known(targets, COMMAND.findall(cli), options(root))
    for file, one in read_pages(root, page, others=ROOT_PAGES):
        for line, text in commands(one):
            if FILE.fullmatch(text) and not EXAMPLE.search(text) and not (root / text).exists():
                yield Problem(file, line, f"there is no {text}; correct the path")
            for name, what, names in typed(text, known):
                if name not in names:
                    nearest = get_close_matches(name, names, n=1) or sorted(names)
                    message = f"there is no {what} {name}; write {', '.join(nearest)}"
                    yield Problem(file, line, message)


def commands(page: Page) -> Iterator[tuple[int, str]]:
    """Inline code, and the lines of shell blocks, those that go on joined."""
    for unit in page.units:
        yield from ((unit.line, span) for span in CODE.findall(unit.marked))
    for fence in page.fences:
        if fence.language in SHELL:
            joined = fence.code.replace("\\\n", "  ").splitlines()
            yield from ((fence.line + n, line) for n, line in enumerate(joined, 1))


def typed(text: str, known: Known) -> Iterator[tuple[str, str, Collection[str]]]:
    """Names in a command: the name, what it names, and the names that there are."""
    try:
        words = shlex.split(PLACEHOLDER.sub("PLACEHOLDER", text), comments=True)
    except ValueError:
        return  # code of another language
    words = [*takewhile(lambda word: word not in END, words)]
    program = next((n for n, word in enumerate(words) if "=" not in word and word != "$"), 0)
    found = list[str]()
    if words[program : program + 1] == ["make"]:
        for word in words[program + 1 :]:
            if "=" not in word:
                yield word, "target of make", known.targets
    elif "transformer" in words and (text.startswith(("transformer ", "$ ")) or "-m" in words):
        found = words[words.index("transformer") + 1 :]
        command = next((word for word in found if not word.startswith("-")), "…")
        if command != "…":
            yield command, "command", known.commands
    elif text.startswith("--"):
        found = words[:1]
    for word in found:
        if re.match(r"-+[a-z]", word):
            yield word.partition("=")[0], "option", known.options


def options(root: Path) -> set[str]:
    """Whatever may be an option: names of parameters and fields, and strings with dashes."""
    found = {"-h", "--help", "--install-completion", "--show-completion"}  # typer's own
    for path in (root / "transformer").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.arg(arg=name) | ast.AnnAssign(target=ast.Name(id=name)):
                    dashes = name.replace("_", "-")
                    found |= {f"--{dashes}", f"--no-{dashes}"}
                case ast.Constant(value=str(text)) if re.fullmatch(r"--?[a-z][a-z-/]*", text):
                    found |= {*text.split("/")}
    return found
