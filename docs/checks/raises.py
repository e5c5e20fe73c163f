"""The errors that docstrings tell are raised: by the body, or by what it calls in the package."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import griffe

from docs.checks import Problem

FIRST = ("__init__", "__post_init__")  # what runs when an object is made
OUTSIDE = {".stat": {"FileNotFoundError"}, ".open": {"FileNotFoundError", "OSError"}}
KINDS = {"ArgumentError": "ValueError", "ArgumentTypeError": "TypeError"}  # as docstrings say
Documented = ast.FunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Body:
    """Types that a function itself raises, and the names that it calls."""

    raised: frozenset[str]
    called: frozenset[str]


def problems(root: Path) -> list[Problem]:
    """Types in a section "Raises" that nothing below the function raises."""
    bodies: dict[str, list[Body]] = defaultdict(list)
    documented, found = [], []
    for path in (root / "transformer").rglob("*.py"):
        for node, owner in definitions(ast.parse(path.read_text("utf-8"))):
            body = read(node, owner)
            bodies[f".{node.name}" if owner else node.name].append(body)
            documented.append((path.relative_to(root), node, body))
    for file, node, body in documented:
        kinds = list(told(node))
        raised = reached(body, bodies) if kinds else set()
        for kind, line in kinds:
            if kind not in raised:
                message = f"{node.name}: nothing that it calls raises {kind}; mend the docstring"
                found.append(Problem(file, line, message))
    return sorted(found)


def definitions(node: ast.AST, owner: str = "") -> Iterator[tuple[Documented, str]]:
    """Every function and class, with the class that it is in."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Documented):
            yield child, owner
        yield from definitions(child, child.name if isinstance(child, ast.ClassDef) else owner)


def read(node: Documented, owner: str) -> Body:
    """Read what runs: of a class only what makes an object."""
    parts: list[ast.AST] = [node]
    if isinstance(node, ast.ClassDef):
        parts = [f for f in node.body if isinstance(f, ast.FunctionDef) and f.name in FIRST]
    inside = [inner for part in parts for inner in ast.walk(part)]
    raised = {name(i.exc) for i in inside if isinstance(i, ast.Raise) and i.exc}
    raised = {KINDS.get(kind, kind) for kind in raised}
    calls = [inner for inner in inside if isinstance(inner, ast.Call)]
    called = {n for call in calls for part in (call.func, *call.args) for n in names(part)}
    return Body(frozenset(raised), frozenset(owner if n == "cls" else n for n in called))


def told(node: Documented) -> Iterator[tuple[str, int]]:
    """Types in the docstring's section "Raises", each with its line."""
    text = ast.get_docstring(node, clean=False) or ""
    starts = [line.lstrip() for line in text.splitlines()]
    for section in griffe.Docstring(text).parse("google", warnings=False):
        if section.kind.value == "raises":
            for kind in (str(item.annotation) for item in section.value):
                number = next(n for n, line in enumerate(starts) if line.startswith(f"{kind}:"))
                yield kind, node.body[0].lineno + number


def reached(body: Body, bodies: dict[str, list[Body]]) -> set[str]:
    """Types raised by a function, by what it calls in the package, and so on.

    A call is known by its last name: `run.begin()` may be any `begin` of the package. So more
    may seem to be raised than is, seldom less.
    """
    seen: set[Body] = set()
    found: set[str] = set()
    todo = [body]
    while todo:
        if (one := todo.pop()) not in seen:
            seen.add(one)
            found |= one.raised.union(*(OUTSIDE.get(n, ()) for n in one.called))
            todo += [other for n in one.called for other in bodies.get(n, ())]
    return found


def names(node: ast.AST) -> Iterator[str]:
    """What a called object may be: a function or class, or with a dot before it a method."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield f".{node.attr}"
        if isinstance(node.value, ast.Name) and node.value.id != "self":
            yield node.attr  # of a module


def name(error: ast.AST) -> str:
    """The type in `raise Type` and `raise Type(…)`."""
    return getattr(error.func if isinstance(error, ast.Call) else error, "id", "")
