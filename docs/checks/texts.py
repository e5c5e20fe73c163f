"""Every English text of the site that is not a page: docstrings, comments, labels, titles."""

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import griffe
import yaml

from docs.builder import scripts
from docs.builder.directives.script import NAMES as SHOWN_SCRIPTS
from docs.builder.griffe_translate import documented, translate_sections, with_examples
from docs.builder.translations import is_prose

PACKAGE = "transformer"
OPTIONS = {"typer.Argument", "typer.Option"}
LABELLED = ("*.py", "builder/**/*.py", "shapes/*.py", "tables/*.py")

Key = tuple[str, str]


@dataclass(frozen=True)
class Text:
    """One English text to translate, and where it stands; the path starts at the root."""

    context: str
    english: str
    file: Path = field(compare=False)
    line: int = field(compare=False)

    @property
    def key(self) -> Key:
        """Its name in the catalogue."""
        return self.context, self.english


def texts(root: Path) -> list[Text]:
    """Every English text once, in source order: package, figures, hooks, scripts, mkdocs.yml."""
    package = [*docstrings(root), *comments(root)]
    package.sort(key=lambda text: (text.file, text.line))
    package += [*option_help(root), *figure_labels(root), *hook_labels(root)]
    package += script_labels(root)
    found = [*package, *site_names(root)]
    return list(dict.fromkeys(found))


def docstrings(root: Path) -> Iterator[Text]:
    """Yield the prose of the package's docstrings."""
    if not (root / PACKAGE).is_dir():
        return
    loaded = griffe.load(
        PACKAGE, search_paths=[root], try_relative_path=False, allow_inspection=False
    )
    todo = [loaded.package]
    while todo:
        module = todo.pop()
        todo += [inner for inner in module.modules.values() if not inner.is_alias]
        for obj, docstring in documented(module):
            yield from _prose(obj, docstring)


def _prose(obj: griffe.Object, docstring: griffe.Docstring) -> Iterator[Text]:
    """Yield the prose of one docstring, each piece with the line on which it starts."""
    found: list[str] = []

    def collect(text: str) -> str:
        found.append(text)
        return text

    translate_sections(with_examples(docstring.parse("google", warnings=False)), collect)
    lines = docstring.source.splitlines()
    for text in found:
        start = text.splitlines()[0]
        offset = next((number for number, line in enumerate(lines) if start in line), 0)
        yield Text(obj.path, text, obj.relative_package_filepath, (docstring.lineno or 1) + offset)


def comments(root: Path) -> Iterator[Text]:
    """Yield the comments of the package's source, but for shapes and markers."""
    for path in sorted((root / PACKAGE).rglob("*.py")):
        file = path.relative_to(root)
        for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline):
            comment = token.string.removeprefix("#").strip()
            if token.type == tokenize.COMMENT and is_prose(comment):
                yield Text(f"comment:{file.as_posix()}", comment, file, token.start[0])


def option_help(root: Path) -> Iterator[Text]:
    """Yield what the command line says of its options, `help="…"` of each parameter."""
    for path in sorted((root / PACKAGE / "cli").glob("*.py")):
        calls = [node for node in ast.walk(parse(path)) if isinstance(node, ast.Call)]
        calls = [call for call in calls if ast.unparse(call.func) in OPTIONS]
        found = [word.value for call in calls for word in call.keywords if word.arg == "help"]
        found.sort(key=lambda node: (node.lineno, node.col_offset))
        yield from _literals(found, "cli", path.relative_to(root))


def figure_labels(root: Path) -> Iterator[Text]:
    """Yield the labels of figures, `t("…")`, and their alternative text, `ALT = "…"`."""
    for path in sorted((root / "docs" / "figures").glob("*.py")):
        tree = parse(path)
        nodes = labels(tree)
        for statement in tree.body:
            match statement:
                case ast.Assign(targets=[ast.Name(id="ALT")], value=alt):
                    nodes.append(alt)
        nodes.sort(key=lambda node: node.lineno)
        yield from _literals(nodes, f"figure:{path.stem}", path.relative_to(root))


def hook_labels(root: Path) -> Iterator[Text]:
    """Yield the labels that directives and tables write, `t("…")`."""
    files = [path for pattern in LABELLED for path in (root / "docs").glob(pattern)]
    for path in sorted(files):
        yield from _literals(labels(parse(path)), "site", path.relative_to(root))


def script_labels(root: Path) -> Iterator[Text]:
    """Yield the labels that the site's scripts write, `t("…")`, and the comments that it shows."""
    for path in sorted((root / "docs" / "assets" / "scripts").rglob("*.js")):
        script, file = path.read_text("utf-8"), path.relative_to(root)
        for label, line in scripts.labels(script):
            yield Text("site", label, file, line)
        if path.parent.name == "playground" and path.stem in SHOWN_SCRIPTS:
            for found in scripts.COMMENT.finditer(script):
                yield Text("site", found[0], file, script.count("\n", 0, found.start()) + 1)


def parse(path: Path) -> ast.Module:
    """Syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"), str(path))


def labels(tree: ast.Module) -> list[ast.expr]:
    """Return what the calls of `t` are given, in source order."""
    found = [
        node.args[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and "t" in (getattr(node.func, "id", ""), getattr(node.func, "attr", ""))
        and node.args
    ]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _literals(nodes: list[ast.expr], context: str, file: Path) -> Iterator[Text]:
    """Yield those expressions that are strings, written out."""
    for node in nodes:
        match node:
            case ast.Constant(value=str(label)):
                yield Text(context, label, file, node.lineno)


def site_names(root: Path) -> Iterator[Text]:
    """Yield the site's name and description, navigation titles and names of the palettes."""
    path = root / "mkdocs.yml"
    if not path.exists():
        return
    # Composed, not constructed: line numbers are kept and !ENV or !!python tags do no harm.
    top = yaml.compose(path.read_text("utf-8"), Loader=yaml.SafeLoader)
    names = [_get(top, "site_name"), _get(top, "site_description"), *_titles(_get(top, "nav"))]
    palettes = _get(_get(top, "theme"), "palette")
    if isinstance(palettes, yaml.SequenceNode):
        names += [_get(_get(palette, "toggle"), "name") for palette in palettes.value]
    for name in names:
        if isinstance(name, yaml.ScalarNode):
            yield Text("nav", name.value, path.relative_to(root), name.start_mark.line + 1)


def _get(node: yaml.Node | None, name: str) -> yaml.Node | None:
    """Value of a key of a YAML mapping, if there is one."""
    if not isinstance(node, yaml.MappingNode):
        return None
    return next((value for key, value in node.value if key.value == name), None)


def _titles(nav: yaml.Node | None) -> Iterator[yaml.Node]:
    """Yield the titles in a navigation, sections before what they hold."""
    if isinstance(nav, yaml.SequenceNode):
        for item in nav.value:
            yield from _titles(item)
    elif isinstance(nav, yaml.MappingNode):
        for title, target in nav.value:
            yield title
            yield from _titles(target)
