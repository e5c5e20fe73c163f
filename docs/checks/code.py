"""Whether two code blocks are the same but for comments and strings in the reader's language."""

import ast
import re
from collections.abc import Iterator
from doctest import DocTestParser
from itertools import zip_longest

from docs.checks.fences import Fence

CJK = re.compile(r"[\u3400-\u9fff々〇]")
TITLE = re.compile(r'(title|alt|answer)="[^"]*"')
HASH_COMMENT = re.compile(r"(?:^|[ \t]+)#.*$", re.M)
HASH_LANGUAGES = {"bash", "console", "ini", "sh", "toml", "yaml"}
PLACEHOLDER = re.compile(r"<[^<>\n]+>")  # `git clone <the address>`: what the reader fills in


class Skeleton(ast.NodeTransformer):
    """A piece of Python without comments and strings; an f-string counts as one string."""

    def __init__(self, code: str) -> None:
        self.strings: list[str] = []
        self.read: set[str] = set()
        self.assigned: set[str] = set()
        try:
            self.tree = self.visit(ast.parse(code))
            self.bones = ast.dump(self.tree)
        except SyntaxError:
            self.tree, self.bones = ast.Module([], []), code

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not isinstance(node.value, str):
            return node
        self.strings.append(node.value)
        return ast.Constant("")

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        text = (str(part.value) for part in node.values if isinstance(part, ast.Constant))
        self.strings.append("".join(text))
        fields = [self.visit(part) for part in node.values if isinstance(part, ast.FormattedValue)]
        return ast.JoinedStr(sorted(fields, key=ast.dump))  # word order is the language's own

    def visit_Name(self, node: ast.Name) -> ast.AST:
        (self.assigned if isinstance(node.ctx, ast.Store) else self.read).add(node.id)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.assigned.add(node.name)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.assigned.add(node.name)
        return self.generic_visit(node)


def place(english: ast.AST, chinese: ast.AST) -> tuple[ast.AST, ast.AST]:
    """The innermost statements that differ, each in the other's place."""
    bodies = [getattr(node, "body", None) for node in (english, chinese)]
    if all(isinstance(body, list) and body for body in bodies):
        for one, other in zip(*bodies):
            if ast.dump(one) != ast.dump(other):
                return place(one, other)
    return english, chinese


class Comparison:
    """Compares the blocks of a page pair, top to bottom.

    Output may differ where a translated string reached the code that printed it.
    """

    def __init__(self) -> None:
        self.translated: set[str] = set()  # names that hold something made from such a string
        self.printed_translation = False

    def differences(self, english: Fence, chinese: Fence) -> Iterator[tuple[int, str]]:
        """Lines of the Chinese page and what differs there."""
        line = chinese.line
        if TITLE.sub("", english.info) != TITLE.sub("", chinese.info):
            yield line, f"this fence says {chinese.info!r}, the English one {english.info!r}"
        elif english.language == "pycon":
            for number, message in self.sessions(english.code, chinese.code):
                yield line + 1 + number, message
        elif english.language.startswith("py"):
            for number, message in self.inputs(english.code, chinese.code):
                yield line + number, message
        elif ".output" in english.info and self.printed_translation:
            return
        elif difference := first_difference(plain(english), plain(chinese)):
            number, theirs, ours = difference
            where = f"{theirs!r} is {ours!r} in the English block, line {english.line}"
            yield line + number, f"{where}; make them the same"

    def sessions(self, english: str, chinese: str) -> Iterator[tuple[int, str]]:
        """Differences of two `>>>` sessions, with line numbers from 0."""
        parser = DocTestParser()
        try:
            ours, theirs = parser.get_examples(english), parser.get_examples(chinese)
        except ValueError as error:
            yield 0, f"this is not a session that doctest can read: {error}"
            return
        if len(ours) != len(theirs):
            yield 0, f"this block has {len(theirs)} inputs, the English one {len(ours)}"
        for one, other in zip(ours, theirs):
            for number, message in self.inputs(one.source, other.source):
                yield other.lineno + number - 1, message
            if one.options != other.options:
                yield other.lineno, "the doctest options differ from the English page's"
            if one.want != other.want and not self.printed_translation:
                outputs = f"{other.want.strip()!r} instead of {one.want.strip()!r}"
                yield other.lineno, f"this output differs from the English page's: {outputs}"

    def inputs(self, english: str, chinese: str) -> Iterator[tuple[int, str]]:
        """Differences of two pieces of Python, with line numbers from 1."""
        one, other = Skeleton(english), Skeleton(chinese)
        if one.bones != other.bones or len(one.strings) != len(other.strings):
            ours, theirs = place(one.tree, other.tree)
            wanted = english.splitlines()[getattr(ours, "lineno", 1) - 1].strip()
            message = "differs from the English page's by more than comments and text; there it is"
            yield getattr(theirs, "lineno", 1), f"this code {message}: {wanted}"
        changed = [(a, b) for a, b in zip(one.strings, other.strings) if a != b]
        for a, b in changed:
            if not CJK.search(b):
                number = next((n for n, line in enumerate(chinese.splitlines(), 1) if b in line), 1)
                yield number, f"the string {b!r} is {a!r} on the English page; make it the same"
        self.printed_translation = bool(changed or other.read & self.translated)
        if self.printed_translation:
            self.translated |= other.assigned


def plain(fence: Fence) -> list[str]:
    """The lines of a block that is not Python, without what is in the page's language."""
    text = fence.code
    if fence.language in HASH_LANGUAGES:
        text = PLACEHOLDER.sub("<>", HASH_COMMENT.sub("", text))
    return [line.rstrip() for line in text.splitlines()]


def first_difference(english: list[str], chinese: list[str]) -> tuple[int, str, str] | None:
    """Number, from 1, of the first line of the Chinese that is another, and both lines."""
    ours, theirs = ([(n, x) for n, x in enumerate(lines, 1) if x] for lines in (english, chinese))
    end = (max(len(chinese), 1), "")
    for (_, one), (number, other) in zip_longest(ours, theirs, fillvalue=end):
        if one != other:
            return number, other, one
    return None
