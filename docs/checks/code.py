"""Whether two code blocks are the same but for comments and text in the reader's language."""

import ast
import re
from collections.abc import Iterator
from doctest import DocTestParser
from itertools import zip_longest

from docs.checks.pages import CJK, Fence

TITLE = re.compile(r'(title|alt|answer)="[^"]*"')
HASH_COMMENT = re.compile(r"(?:^|[ \t]+)#.*$", re.M)
HASH_LANGUAGES = {"bash", "console", "ini", "sh", "toml", "yaml"}
PLACEHOLDER = re.compile(r"<[^<>\n]+>")  # `git clone <the address>`: what the reader fills in
NAMES = ("id", "attr", "arg", "name", "asname", "module", "value")  # of nodes of a syntax tree

Part = tuple[int, str]  # a line, from 1, and what it holds


def differences(english: Fence, chinese: Fence) -> Iterator[tuple[int, str]]:
    """Yield the first line of the Chinese block that differs, and how.

    Printed outputs are not compared: each page's own code prints them, and its test compares.
    """
    if TITLE.sub("", english.info) != TITLE.sub("", chinese.info):
        message = f"this fence says {chinese.info!r}, the English one {english.info!r}"
        yield chinese.line, message
        return
    if ".output" in english.info:
        return
    ours, theirs = [*parts(english)], [*parts(chinese)]
    end = (chinese.end - chinese.line, "the end of the block")
    for (_, wanted), (line, found) in zip_longest(ours, theirs, fillvalue=end):
        if wanted != found and not (CJK.search(found) and found[:1] == wanted[:1] == "'"):
            message = f"{found.strip()} should be {wanted.strip()}, as in the English block"
            yield chinese.line + line, f"{message}, line {english.line}"
            return


def parts(fence: Fence) -> Iterator[Part]:
    """Yield what must be the same in a block: Python's syntax, or lines without comments."""
    if fence.language == "pycon":
        try:
            examples = DocTestParser().get_examples(fence.code)
        except ValueError:  # the page's own test says so
            return
        for example in examples:
            yield from ((example.lineno + n, part) for n, part in python(example.source))
    elif fence.language.startswith("py"):
        yield from python(fence.code)
    else:
        text = fence.code
        if fence.language in HASH_LANGUAGES:
            text = PLACEHOLDER.sub("<>", HASH_COMMENT.sub("", text))
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                # A line with Chinese is text, as a Chinese string is.
                yield number, f"'{line.rstrip()}"


def python(code: str) -> Iterator[Part]:
    """Yield the names, numbers, operators and strings of a piece of Python, in order."""
    try:
        tree = ast.parse(code)
    except SyntaxError:  # the page's own test says so
        return
    yield from nodes(tree, 1)


def nodes(node: ast.AST, line: int) -> Iterator[Part]:
    """Yield a node and those in it; a string, with fields or without, is one part."""
    line = getattr(node, "lineno", line)
    if isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    ):
        yield line, f"'{ast.unparse(node)}"
        return
    fields = [getattr(node, name, None) for name in NAMES]
    names = [str(field) for field in fields if isinstance(field, str | int | float | complex)]
    yield line, " ".join(names) or type(node).__name__
    for child in ast.iter_child_nodes(node):
        yield from nodes(child, line)
