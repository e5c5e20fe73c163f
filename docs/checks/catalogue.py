"""The translation catalogue holds every English text of the site that is not a page, fresh."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import polib

from docs.builder.translations import ROOT, path_of
from docs.checks import Problem
from docs.checks.merge import LANGUAGE, is_finished, key, read, update
from docs.checks.pages import CJK
from docs.checks.pairs import numbers
from docs.checks.texts import Key, Text, labels, parse

WORD = re.compile(r"[A-Za-z]{2,}")
FIELD = re.compile(r"\{\w+\}")  # what a script puts in its place
COMPUTED = re.compile(r"(?<![\w.])(?<!function )t\((?!\s*\")[^,)]*")


def problems(root: Path) -> Iterator[Problem]:
    """Find entries whose Chinese says something else than their English, or stands twice.

    A text without a finished translation is no problem: the site shows its English, and
    `make translations` lists it.
    """
    file = path_of(LANGUAGE, root).relative_to(root)
    seen: dict[Key, polib.POEntry] = {}
    yield from _computed_labels(root)
    for entry in read(root):
        line, first = entry.linenum or 1, seen.setdefault(key(entry), entry)
        if first is not entry:
            message = f"repeats the entry of line {first.linenum}: remove one of the two"
            yield Problem(file, line, f"{_name(entry)}: {message}")
        elif is_finished(entry) and (message := _defect(entry)):
            yield Problem(file, line, f"{_name(entry)}: its translation {message}")


def _defect(entry: polib.POEntry) -> str:
    """Say what is wrong with a finished translation; nothing if it is sound."""
    lost, added = code(entry.msgid) - code(entry.msgstr), code(entry.msgstr) - code(entry.msgid)
    if lost or added:
        difference = [f"lacks `{span}`" for span in sorted(lost)]
        difference += [f"adds `{span}`" for span in sorted(added)]
        return f"{', '.join(difference)}: use the same code"
    known = {number for number, _ in numbers(entry.msgid, 1)}
    for number, written in numbers(entry.msgstr, 2):
        if number not in known:
            return f"says {written}, the English does not: correct it"
    if len(WORD.findall(FIELD.sub("", entry.msgid))) > 3 and not CJK.search(entry.msgstr):
        return "is not Chinese: write it in Chinese"
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
    """Bring the catalogue up to date, and list what is left to translate."""
    if arguments != ["update"]:
        print("usage: python -m docs.checks.catalogue update", file=sys.stderr)
        return 2
    left = update(root)
    for entry in left:
        state = "changed in English" if entry.msgstr else "is not translated"
        print(f"{path_of(LANGUAGE, root).relative_to(root)}: {_name(entry)} {state}")
    print(f"{len(left)} texts of the catalogue to translate")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
