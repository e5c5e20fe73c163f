"""The translation catalogue holds every English text of the site that is not a page, fresh."""

import ast
import difflib
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import griffe
import polib
import yaml

from docs.checks import Problem
from docs.rendering.griffe_translate import documented, translate_sections, with_examples
from docs.rendering.translations import ROOT, is_prose, path_of

LANGUAGE = "zh-TW"
PACKAGE = "transformer"
OPTIONS = {"typer.Argument", "typer.Option"}
LABELLED = ("directives", "hooks", "rendering")
UPDATE = "run `make translations`"

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


# What there is to translate


def texts(root: Path) -> list[Text]:
    """Every English text once, in source order: package, figures, hooks, mkdocs.yml."""
    package = [*docstrings(root), *comments(root)]
    package.sort(key=lambda text: (text.file, text.line))
    labels = [*option_help(root), *figure_labels(root), *hook_labels(root)]
    found = [*package, *labels, *site_names(root)]
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
        calls = [node for node in ast.walk(_parse(path)) if isinstance(node, ast.Call)]
        calls = [call for call in calls if ast.unparse(call.func) in OPTIONS]
        found = [word.value for call in calls for word in call.keywords if word.arg == "help"]
        found.sort(key=lambda node: (node.lineno, node.col_offset))
        yield from _literals(found, "cli", path.relative_to(root))


def figure_labels(root: Path) -> Iterator[Text]:
    """Yield the labels of figures, `t("…")`, and their alternative text, `ALT = "…"`."""
    for path in sorted((root / "docs" / "figures").glob("*.py")):
        tree = _parse(path)
        nodes = _labels(tree)
        for statement in tree.body:
            match statement:
                case ast.Assign(targets=[ast.Name(id="ALT")], value=alt):
                    nodes.append(alt)
        nodes.sort(key=lambda node: node.lineno)
        yield from _literals(nodes, f"figure:{path.stem}", path.relative_to(root))


def hook_labels(root: Path) -> Iterator[Text]:
    """Yield the labels that hooks and directives write, `t("…")`."""
    files = [path for folder in LABELLED for path in (root / "docs" / folder).glob("*.py")]
    for path in sorted(files):
        yield from _literals(_labels(_parse(path)), "site", path.relative_to(root))


def _parse(path: Path) -> ast.Module:
    """Syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"), str(path))


def _labels(tree: ast.Module) -> list[ast.expr]:
    """Return what the calls of `t` are given, in source order."""
    found = [
        node.args[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "t"
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


# What is wrong with it


def problems(root: Path) -> list[Problem]:
    """Find every text without a fresh translation, and every entry that is not sound."""
    file = path_of(LANGUAGE, root).relative_to(root)
    wanted = texts(root)
    keys = {text.key for text in wanted}
    by_key: dict[Key, polib.POEntry] = {}
    found = list(_computed_labels(root))
    for entry in _read(root):
        line, first = entry.linenum or 1, by_key.setdefault(_key(entry), entry)
        if first is not entry:
            message = f"repeats the entry of line {first.linenum}: remove one of the two"
            found.append(Problem(file, line, f"{_name(entry)}: {message}"))
        elif _key(entry) not in keys:
            message = f"its English is no longer there: {UPDATE}"
            found.append(Problem(file, line, f"{_name(entry)}: {message}"))
    for text in wanted:
        message = _defect(by_key.get(text.key), file)
        if message:
            found.append(Problem(text.file, text.line, f"{_name(text)}: {message}"))
    return sorted(found)


def _defect(entry: polib.POEntry | None, file: Path) -> str:
    """Say what a text's entry lacks; nothing if it is sound."""
    if entry is None:
        return f"is not in {file}: {UPDATE}, then fill in its msgstr"
    place = f"{file}:{entry.linenum}"
    if not entry.msgstr:
        return f"has no translation: fill in its msgstr at {place}"
    if "fuzzy" in entry.flags:
        return f"changed: mend its translation at {place}, then remove the fuzzy mark there"
    lost, added = code(entry.msgid) - code(entry.msgstr), code(entry.msgstr) - code(entry.msgid)
    if lost or added:
        difference = [f"lacks `{span}`" for span in sorted(lost)]
        difference += [f"adds `{span}`" for span in sorted(added)]
        return f"its translation {', '.join(difference)}: use the same code at {place}"
    return ""


def code(text: str) -> set[str]:
    """Collect the code in a text, inline and fenced, whatever its line breaks."""
    spans = re.finditer(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", text, re.DOTALL)
    return {" ".join(span[2].split()) for span in spans}


def _computed_labels(root: Path) -> Iterator[Problem]:
    """Find labels of figures that no catalogue can hold, since they are not written out."""
    for path in sorted((root / "docs" / "figures").glob("*.py")):
        for node in _labels(_parse(path)):
            if not isinstance(node, ast.Constant):
                message = f't({ast.unparse(node)}): write the label out, as in t("keys")'
                yield Problem(path.relative_to(root), node.lineno, message)


def _key(entry: polib.POEntry) -> Key:
    """Name of an entry, as `Text.key`."""
    return entry.msgctxt or "", entry.msgid


def _name(item: Text | polib.POEntry) -> str:
    """Context and first words of a text, for a message."""
    context, english = item.key if isinstance(item, Text) else _key(item)
    words = " ".join(english.split())
    return f"{context}: “{words if len(words) <= 60 else words[:59] + '…'}”"


# Bringing it up to date


def update(root: Path) -> int:
    """Write the catalogue anew from the English, keeping translations; count what is left to do."""
    wanted = texts(root)
    keys = {text.key for text in wanted}
    old = _read(root)
    kept = {_key(entry): entry for entry in reversed(old)}
    spare = [entry for entry in old if entry.msgstr and _key(entry) not in keys]
    new = polib.POFile(wrapwidth=100)
    new.metadata = {
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Language": LANGUAGE.replace("-", "_"),
    }
    for text in wanted:
        entry = kept.get(text.key) or _similar(text, spare)
        new.append(entry or polib.POEntry(msgctxt=text.context, msgid=text.english))
    path = path_of(LANGUAGE, root)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(str(new), "utf-8")
    return sum(not entry.msgstr or "fuzzy" in entry.flags for entry in new)


def _similar(text: Text, spare: list[polib.POEntry]) -> polib.POEntry | None:
    """Take over the translation of what this text said before, marked fuzzy until it is read."""
    mine = {entry.msgid: entry for entry in reversed(spare) if entry.msgctxt == text.context}
    for english in difflib.get_close_matches(text.english, mine, n=1):
        entry = mine[english]
        spare.remove(entry)
        before = entry.previous_msgid or entry.msgid
        return polib.POEntry(
            msgctxt=text.context,
            msgid=text.english,
            msgstr=entry.msgstr,
            tcomment=entry.tcomment,
            flags=[] if before == text.english else ["fuzzy"],
            previous_msgid=None if before == text.english else before,
        )
    return None


def _read(root: Path) -> list[polib.POEntry]:
    """Read the catalogue's entries, in order; none if there is no catalogue yet."""
    path = path_of(LANGUAGE, root)
    if not path.exists():
        return []
    return [entry for entry in polib.pofile(str(path)) if not entry.obsolete]


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Print the problems, or with `update` bring the catalogue up to date."""
    if arguments == ["update"]:
        left = update(root)
        print(f"{path_of(LANGUAGE, root).relative_to(root)}: {left} left to translate")
        return 0
    if arguments:
        print("usage: python -m docs.checks.catalogue [update]", file=sys.stderr)
        return 2
    found = problems(root)
    for problem in found:
        print(problem)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
