"""What docstrings and defaults of the package promise, read from its source alone."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from docs.checks import Problem

PACKAGE = Path("transformer")
SHAPE = re.compile(r"`\(([\w.…, *+-]+)\)`")
ANNOTATED = re.compile(r"\w+\[[\w.]+, *['\"]([^'\"]+)['\"]")  # Float[Tensor, "batch d_model"]


def problems(root: Path) -> Iterator[Problem]:
    """Shapes that no signature of their folder has, and defaults that differ between functions."""
    defaults: dict[str, dict[float, str]] = defaultdict(dict)
    files = sorted((root / PACKAGE).rglob("*.py"))
    sources = {path: path.read_text("utf-8") for path in files}
    annotated: dict[Path, list[list[str]]] = defaultdict(list)
    for path, source in sources.items():
        annotated[path.parent] += map(sizes, ANNOTATED.findall(source))
    for path, source in sources.items():
        tree, file = ast.parse(source), path.relative_to(root)
        for found in unknown_shapes(tree, annotated[path.parent]):
            yield Problem(file, *found)
        for name, value, line in numbers(tree):
            for other, place in defaults[name].items():
                if other != value:
                    message = f"{name} is {value:g} here and {other:g} in {place}; use one default"
                    yield Problem(file, line, message)
            defaults[name].setdefault(value, f"{file}:{line}")


def unknown_shapes(tree: ast.Module, annotated: list[list[str]]) -> Iterator[tuple[int, str]]:
    """Shapes in docstrings that are none of the annotated ones."""
    for node in ast.walk(tree) if annotated else ():
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            docstring = ast.get_docstring(node, clean=False) or ""
            for match in SHAPE.finditer(docstring):
                written = [size.strip() for size in sizes(match[1], ",")]
                # Pairs such as `(d_k, d_v)` are no shapes.
                if "batch" in written and not any(is_same(written, one) for one in annotated):
                    line = node.body[0].lineno + docstring.count("\n", 0, match.start())
                    message = f"no signature here has the shape ({match[1]}); correct one"
                    yield line, message


def sizes(shape: str, separator: str | None = None) -> list[str]:
    """The sizes in a shape. Lengths have several names, for queries, keys, source and target."""
    return re.sub(r"\b[a-z]+_len\b", "len", shape).split(separator)


def is_same(written: list[str], annotated: list[str]) -> bool:
    """Whether both are one shape: `*batch` and `...` are any sizes, a product may have a name."""
    if annotated[:1] and annotated[0].startswith(("*", ".")):
        annotated = annotated[1:]
        written = written[len(written) - len(annotated) :]
    if written[:1] in (["..."], ["…"]):
        written = written[1:]
        annotated = annotated[len(annotated) - len(written) :]
    pairs = zip(written, annotated)
    return 0 < len(written) == len(annotated) and all(a == b or "*" in a for a, b in pairs)


def numbers(tree: ast.Module) -> Iterator[tuple[str, float, int]]:
    """Yield name, default and line of each parameter whose default is a number."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arguments):
            names = [*node.posonlyargs, *node.args, *node.kwonlyargs]
            defaults = [*node.defaults, *node.kw_defaults]  # those of the last parameters
            for argument, default in zip(reversed(names), reversed(defaults)):
                value = getattr(default, "value", None)
                if isinstance(value, int | float) and not isinstance(value, bool):
                    yield argument.arg, value, argument.lineno
