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


def differences(english: Fence, chinese: Fence) -> Iterator[tuple[int, str]]:
    """Yield the first line of code that differs, and how.

    Printed outputs are not compared: each page's own code prints them, and its test compares.
    """
    if TITLE.sub("", english.info) != TITLE.sub("", chinese.info):
        message = f"this fence says {chinese.info!r}, the English one {english.info!r}"
        yield chinese.line, message
    elif ".output" not in english.info:
        compare = python if english.language.startswith("py") else other
        for wanted, found in zip_longest(*compare(english, chinese), fillvalue="the end"):
            if wanted != found:
                where = f"in the English block, line {english.line}"
                yield chinese.line, f"{found.strip()} should be {wanted.strip()}, as {where}"
                return


def python(*blocks: Fence) -> list[list[str]]:
    """Lines of both blocks as Python itself would lay them out, Chinese text in both."""
    try:
        trees = [WholeStrings().visit(ast.parse(source(block))) for block in blocks]
    except (SyntaxError, ValueError):  # the page's own test says so
        return [[], []]
    for english, chinese in zip(*map(strings, trees)):
        if CJK.search(chinese.value):
            english.value = chinese.value
    return [ast.unparse(tree).splitlines() for tree in trees]


def source(block: Fence) -> str:
    """The Python of a block, with prompts or without."""
    if block.language != "pycon":
        return block.code
    return "".join(example.source for example in DocTestParser().get_examples(block.code))


class WholeStrings(ast.NodeTransformer):
    """Makes a string of each f-string: Chinese may put its fields in another order."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.Constant:
        return ast.copy_location(ast.Constant(ast.unparse(node)), node)


def strings(tree: ast.Module) -> list[ast.Constant]:
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Constant))
    found = [node for node in nodes if isinstance(node.value, str)]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def other(*blocks: Fence) -> list[list[str]]:
    """Lines of both blocks, without comments if the language has them; Chinese ones in both."""
    texts = [block.code for block in blocks]
    if blocks[0].language in HASH_LANGUAGES:
        texts = [PLACEHOLDER.sub("<>", HASH_COMMENT.sub("", text)) for text in texts]
    english, chinese = ([line for line in text.splitlines() if line.strip()] for text in texts)
    for number, (_, line) in enumerate(zip(english, chinese)):
        if CJK.search(line):
            english[number] = line
    return [english, chinese]
