"""Every English text of the site that is not a page: docstrings, comments, labels, titles."""

import ast
import io
import tokenize
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import griffe
import yaml

from docs.builder import scripts
from docs.builder.book import Loader
from docs.builder.directives.script import NAMES as SHOWN_SCRIPTS
from docs.builder.griffe_translate import documented, translate_sections, with_examples
from docs.builder.translations import is_prose

PACKAGE = "transformer"
FIGURES = Path("docs/figures")

Key = tuple[str, str]  # the name of an entry of the catalogue: its context and the English text


def texts(root: Path) -> dict[Key, None]:
    """Every English text once, in the order of the catalogue."""
    found = [*docstrings(root), *comments(root), *option_help(root), *labels(root)]
    return dict.fromkeys([*found, *script_labels(root), *site_names(root)])


def docstrings(root: Path) -> Iterator[Key]:
    """Yield the prose of the package's docstrings."""
    loaded = griffe.load(
        PACKAGE, search_paths=[root], try_relative_path=False, allow_inspection=False
    )
    modules = [loaded.package]
    for module in modules:
        modules += [inner for inner in module.modules.values() if not inner.is_alias]
    for module in sorted(modules, key=lambda module: module.path):
        for obj, docstring in documented(module):
            prose: list[str] = []
            sections = with_examples(docstring.parse("google", warnings=False))
            translate_sections(sections, partial(collect, prose))
            yield from ((obj.path, text) for text in prose)


def collect(found: list[str], text: str) -> str:
    """Stand in for a translation, to see what there is to translate."""
    found.append(text)
    return text


def comments(root: Path) -> Iterator[Key]:
    """Yield the comments of the source that pages show, but for shapes and markers."""
    for path in [*sorted((root / PACKAGE).rglob("*.py")), *(root / "docs").glob("one_page.py")]:
        context = f"comment:{path.relative_to(root).as_posix()}"
        for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline):
            comment = token.string.removeprefix("#").strip()
            if token.type == tokenize.COMMENT and is_prose(comment):
                yield context, comment


def option_help(root: Path) -> Iterator[Key]:
    """Yield what the command line says of its options: `help="…"`, `{"help": "…"}` of a field."""
    for path in sorted((root / PACKAGE / "cli").glob("*.py")):
        for call in calls(path, "Argument", "Option"):
            for word in call.keywords:
                if word.arg == "help" and isinstance(word.value, ast.Constant):
                    yield "cli", str(word.value.value)
    for path in sorted((root / PACKAGE / "training").glob("*.py")):
        for node in ast.walk(parse(path)):
            match node:
                case ast.Dict(
                    keys=[ast.Constant(value="help")], values=[ast.Constant(value=str(text))]
                ):
                    yield "cli", text


def labels(root: Path) -> Iterator[Key]:
    """Yield what Python code gives to its `t`, and the alternative text of figures, `ALT = "…"`."""
    for path in sorted((root / "docs").rglob("*.py")):
        is_figure = path.parent == root / FIGURES
        context = f"figure:{path.stem}" if is_figure else "site"
        for statement in parse(path).body if is_figure else ():
            match statement:
                case ast.Assign(targets=[ast.Name(id="ALT")], value=ast.Constant(value=str(alt))):
                    yield context, alt
        for call in calls(path, "t"):
            match call.args:
                case [ast.Constant(value=str(label)), *_]:
                    yield context, label


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def calls(path: Path, *names: str) -> list[ast.Call]:
    """The calls of functions or methods with these names, in source order."""
    found = [node for node in ast.walk(parse(path)) if isinstance(node, ast.Call)]
    found = [call for call in found if ast.unparse(call.func).rpartition(".")[2] in names]
    return sorted(found, key=lambda call: (call.lineno, call.col_offset))


def script_labels(root: Path) -> Iterator[Key]:
    """Yield the labels that the site's scripts write, `t("…")`, and the comments that it shows."""
    for path in sorted((root / "docs/assets/scripts").rglob("*.js")):
        script = path.read_text("utf-8")
        yield from (("site", label) for label in scripts.labels(script))
        if path.parent.name == "playground" and path.stem in SHOWN_SCRIPTS:
            yield from (("site", found[0]) for found in scripts.COMMENT.finditer(script))


def site_names(root: Path) -> Iterator[Key]:
    """Yield the site's name and description, navigation titles and names of the palettes."""
    settings = yaml.load((root / "mkdocs.yml").read_text("utf-8"), Loader)
    palettes = [palette["toggle"]["name"] for palette in settings["theme"]["palette"]]
    names = [settings["site_name"], settings["site_description"], *titles(settings["nav"])]
    yield from (("nav", name) for name in [*names, *palettes])


def titles(nav: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the titles in a navigation, sections before what they hold."""
    for title, inside in (pair for item in nav for pair in item.items()):
        yield title
        yield from titles(inside) if isinstance(inside, list) else ()
