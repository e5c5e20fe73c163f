"""The translation catalogue holds every English text of the site that is not a page, fresh."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import polib

from docs.builder.translations import ROOT, path_of
from docs.checks import Problem
from docs.checks.code import CJK
from docs.checks.facts import numbers
from docs.checks.merge import LANGUAGE, key, read, update
from docs.checks.texts import Key, Text, labels, parse, texts

UPDATE = "run `make translations`"
WORD = re.compile(r"[A-Za-z]{2,}")
FIELD = re.compile(r"\{\w+\}")  # what a script puts in its place
COMPUTED = re.compile(r"(?<![\w.])(?<!function )t\((?!\s*\")[^,)]*")


def problems(root: Path) -> list[Problem]:
    """Find every text without a fresh translation, and every entry that is not sound."""
    file = path_of(LANGUAGE, root).relative_to(root)
    wanted = texts(root)
    keys = {text.key for text in wanted}
    by_key: dict[Key, polib.POEntry] = {}
    found = list(_computed_labels(root))
    for entry in read(root):
        line, first = entry.linenum or 1, by_key.setdefault(key(entry), entry)
        if first is not entry:
            message = f"repeats the entry of line {first.linenum}: remove one of the two"
            found.append(Problem(file, line, f"{_name(entry)}: {message}"))
        elif key(entry) not in keys:
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
    known = {number for number, _ in numbers(entry.msgid, 1)}
    for number, written in numbers(entry.msgstr, 2):
        if number not in known:
            return f"its translation says {written}, the English does not: mend it at {place}"
    if len(WORD.findall(FIELD.sub("", entry.msgid))) > 3 and not CJK.search(entry.msgstr):
        return f"its translation is not Chinese: write it at {place}"
    return ""


def code(text: str) -> set[str]:
    """Collect the code in a text, inline and fenced, whatever its line breaks, and its fields."""
    spans = re.finditer(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", text, re.DOTALL)
    return {" ".join(span[2].split()) for span in spans} | set(FIELD.findall(text))


def _computed_labels(root: Path) -> Iterator[Problem]:
    """Find labels that no catalogue can hold, since they are not written out."""
    for path in sorted((root / "docs" / "figures").glob("*.py")):
        for node in labels(parse(path)):
            if not isinstance(node, ast.Constant):
                message = f't({ast.unparse(node)}): write the label out, as in t("keys")'
                yield Problem(path.relative_to(root), node.lineno, message)
    for path in sorted((root / "docs" / "assets" / "scripts").rglob("*.js")):
        script = path.read_text("utf-8")
        for found in COMPUTED.finditer(script):
            line = script.count("\n", 0, found.start()) + 1
            message = f'{found[0]}): write the label out, as in t("keys")'
            yield Problem(path.relative_to(root), line, message)


def _name(item: Text | polib.POEntry) -> str:
    """Context and first words of a text, for a message."""
    context, english = item.key if isinstance(item, Text) else key(item)
    words = " ".join(english.split())
    return f"{context}: “{words if len(words) <= 60 else words[:59] + '…'}”"


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
