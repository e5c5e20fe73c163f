"""Whether two code blocks are the same but for comments and strings in the reader's language."""

import ast
import re
from collections.abc import Iterator
from doctest import DocTestParser

from docs.checks.fences import Fence

CJK = re.compile(r"[\u3400-\u9fff々〇]")
TITLE = re.compile(r'(title|alt|answer)="[^"]*"')
HASH_COMMENT = re.compile(r"(?:^|\s+)#.*$", re.M)
HASH_LANGUAGES = {"bash", "console", "ini", "sh", "toml", "yaml"}
PLACEHOLDER = re.compile(r"<[^<>\n]+>")  # `git clone <the address>`: what the reader fills in


class Skeleton(ast.NodeTransformer):
    """A piece of Python without comments and strings; an f-string counts as one string."""

    def __init__(self, code: str) -> None:
        self.strings: list[str] = []
        self.read: set[str] = set()
        self.assigned: set[str] = set()
        try:
            self.bones = ast.dump(self.visit(ast.parse(code)))
        except SyntaxError:
            self.bones = code

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
            for message in self.inputs(english.code, chinese.code):
                yield line, message
        elif ".output" in english.info and self.printed_translation:
            return
        elif plain(english) != plain(chinese):
            yield line, "this block differs from the English one; make them the same"

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
            for message in self.inputs(one.source, other.source):
                yield other.lineno, message
            if one.options != other.options:
                yield other.lineno, "the doctest options differ from the English page's"
            if one.want != other.want and not self.printed_translation:
                outputs = f"{other.want.strip()!r} instead of {one.want.strip()!r}"
                yield other.lineno, f"this output differs from the English page's: {outputs}"

    def inputs(self, english: str, chinese: str) -> Iterator[str]:
        """Differences of two pieces of Python."""
        one, other = Skeleton(english), Skeleton(chinese)
        if one.bones != other.bones or len(one.strings) != len(other.strings):
            yield (
                "this code differs from the English page's by more than comments and text; "
                f"make it the same:\n{english.strip()}"
            )
        changed = [(a, b) for a, b in zip(one.strings, other.strings) if a != b]
        for a, b in changed:
            if not CJK.search(b):
                yield f"the string {b!r} is {a!r} on the English page; make it the same"
        self.printed_translation = bool(changed or other.read & self.translated)
        if self.printed_translation:
            self.translated |= other.assigned


def plain(fence: Fence) -> str:
    """The text of a block that is not Python, without what is written in the page's language."""
    text = fence.code
    if fence.language in HASH_LANGUAGES:
        text = PLACEHOLDER.sub("<>", HASH_COMMENT.sub("", text))
    return text.strip()
