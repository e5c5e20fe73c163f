"""The rooms of docs/: the hook calls the builder, and nothing below it knows of MkDocs."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# What pages show of the package. Figures are drawn from the package alone.
CONTENT = {"figures", "tables", "shapes", "values", "call_trees", "call_parts", "glosses"}
MAY_IMPORT = {"figures": {"figures"}, "builder": {"builder", *CONTENT}, "hook.py": {"builder"}}
FILES = [
    path
    for room in MAY_IMPORT
    for path in ([DOCS / room] if room.endswith(".py") else sorted((DOCS / room).rglob("*.py")))
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(DOCS).as_posix())
def test_knowledge_flows_one_way(path: Path) -> None:
    room = path.relative_to(DOCS).parts[0]
    names = set[str]()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    known = {name.split(".")[1] for name in names if name.startswith("docs.")}
    assert known <= MAY_IMPORT[room], f"docs/{room} must not know {known - MAY_IMPORT[room]}"
    assert room == "hook.py" or not any(name.startswith("mkdocs") for name in names)
