"""Code of the project as pages show it: without docstrings, comments translated."""

import ast
import io
import re
import textwrap
import tokenize
from functools import lru_cache
from pathlib import Path

from docs.builder.translations import ROOT, Translate

Definition = ast.FunctionDef | ast.ClassDef
Documented = Definition | ast.Module


def located(name: str, root: Path = ROOT) -> tuple[str, list[str]]:
    """Return the file that defines an object, seen from the root, and the names inside it."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        file = "/".join(parts[:length]) + ".py"
        if (root / file).is_file():
            return file, parts[length:]
    raise LookupError(f"no module of {name!r}")


def source(file: Path, path: list[str], t: Translate) -> str:
    """Return the code of one object, or of the whole file where `path` is empty.

    It has no docstrings, and its comments are translated by `t`.
    """
    text = file.read_text("utf-8")
    lines = text.splitlines()
    node = _find(_parsed(text), path)
    first, last = span(node) if isinstance(node, Definition) else (1, len(lines))
    hidden = {
        line
        for inner in ast.walk(node)
        if isinstance(inner, Documented) and ast.get_docstring(inner) is not None
        for line in range(inner.body[0].lineno, (inner.body[0].end_lineno or 0) + 1)
    }
    kept = [lines[n - 1] for n in range(first, last + 1) if n not in hidden]
    code = textwrap.dedent(re.sub(r":\n\n+", ":\n", "\n".join(kept))).strip("\n")
    return _translate_comments(code, t)


def span(node: Definition) -> tuple[int, int]:
    """Return the first and the last line of a definition, decorators included."""
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return first, node.end_lineno or first


_parsed = lru_cache(ast.parse)  # a module is asked for once for each of its functions


def _find(tree: ast.Module, path: list[str]) -> Documented:
    node: Documented = tree
    for name in path:
        inside = (child for child in node.body if isinstance(child, Definition))
        found = next((child for child in inside if child.name == name), None)
        if found is None:
            raise LookupError(f"no function or class {name!r}")
        node = found
    return node


def _translate_comments(code: str, t: Translate) -> str:
    lines = code.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            comment = token.string.removeprefix("#").strip()
            lines[row - 1] = f"{lines[row - 1][:column]}# {t(comment)}"
    return "\n".join(lines)
