"""The rooms of docs/: hooks are what MkDocs calls, and nothing below them knows of MkDocs."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MAY_IMPORT = {  # folders of docs/, each with those that it may know
    "figures": {"figures"},
    "builder": {"builder", "figures"},
    "hooks": {"builder"},
}
FILES = [path for folder in MAY_IMPORT for path in sorted((DOCS / folder).rglob("*.py"))]


def imports(path: Path) -> Iterator[str]:
    """Modules that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(DOCS).as_posix())
def test_knowledge_flows_one_way(path: Path) -> None:
    folder = path.relative_to(DOCS).parts[0]
    for name in imports(path):
        top, *rest = name.split(".")
        if top == "docs":
            assert rest[0] in MAY_IMPORT[folder], f"{folder} must not know {name}"
        if top.startswith("mkdocs"):
            assert folder == "hooks", f"{name}: only hooks know MkDocs"


def test_every_hook_is_named_and_every_name_is_a_hook() -> None:
    top = yaml.compose((ROOT / "mkdocs.yml").read_text("utf-8"), Loader=yaml.SafeLoader)
    (named,) = [
        [item.value for item in value.value] for key, value in top.value if key.value == "hooks"
    ]
    assert sorted(named) == [f"docs/hooks/{path.name}" for path in sorted(DOCS.glob("hooks/*.py"))]


@pytest.mark.parametrize("path", sorted(DOCS.glob("hooks/*.py")), ids=lambda path: path.stem)
def test_a_hook_has_something_for_mkdocs_to_call(path: Path) -> None:
    functions = [
        node.name
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
    ]
    assert any(name.startswith("on_") for name in functions)


@pytest.mark.parametrize(
    "path", sorted(DOCS.glob("builder/directives/[a-z]*.py")), ids=lambda p: p.stem
)
def test_a_directive_is_one_function(path: Path) -> None:
    functions = {
        node.name: [argument.arg for argument in node.args.args]
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
    }
    assert functions["render"] == ["argument", "t", "page"]
