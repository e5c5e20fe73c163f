"""The catalogue of translations holds every English text of the site that is not a page.

`python -m docs.checks.catalogue` brings it up to date with the English, keeping translations, and
lists what is left to translate.
"""

import ast
import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

import polib

from docs.builder.translations import ROOT, path_of
from docs.checks import Problem
from docs.checks.pages import CJK
from docs.checks.pairs import numbers
from docs.checks.texts import FIGURES, Key, calls, texts

LANGUAGE = "zh-TW"
HEADER = {
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
    "Language": LANGUAGE.replace("-", "_"),
}
WORD = re.compile(r"[A-Za-z]{2,}")
FIELD = re.compile(r"\{\w+\}")  # what a script puts in its place
COMPUTED = re.compile(r"(?<![\w.])(?<!function )t\((?!\s*\")[^,)]*")


def read(root: Path) -> list[polib.POEntry]:
    """Read the catalogue's entries, in order; none if there is no catalogue yet."""
    path = path_of(LANGUAGE, root)
    entries = polib.pofile(str(path)) if path.exists() else []
    return [entry for entry in entries if not entry.obsolete]


def key(entry: polib.POEntry) -> Key:
    return entry.msgctxt or "", entry.msgid


def is_finished(entry: polib.POEntry) -> bool:
    """Whether an entry has a translation that someone held against its English."""
    return bool(entry.msgstr) and "fuzzy" not in entry.flags


def update(root: Path) -> list[polib.POEntry]:
    """Write the catalogue anew from the English; return what is left to translate."""
    old, wanted = {key(entry): entry for entry in read(root)}, texts(root)
    spare = [entry for name, entry in old.items() if entry.msgstr and name not in wanted]
    new = polib.POFile(wrapwidth=100)
    new.metadata = HEADER
    for context, english in wanted:
        known = old.get((context, english)) or similar(context, english, spare)
        new.append(known or polib.POEntry(msgctxt=context, msgid=english))
    path_of(LANGUAGE, root).write_text(str(new), "utf-8")
    return [entry for entry in new if not is_finished(entry)]


def similar(context: str, english: str, spare: list[polib.POEntry]) -> polib.POEntry | None:
    """Take over the translation of what this text said before, marked fuzzy until it is read."""
    entries = {entry.msgid: entry for entry in spare if entry.msgctxt == context}
    for before in get_close_matches(english, entries, n=1):
        entry = entries[before]
        spare.remove(entry)
        translated = entry.previous_msgid or before
        is_back = translated == english
        entry.msgid, entry.previous_msgid = english, None if is_back else translated
        entry.flags = [] if is_back else ["fuzzy"]
        return entry
    return None


def problems(root: Path) -> Iterator[Problem]:
    """Find entries whose Chinese says something else than their English, or stands twice.

    A text without a finished translation is no problem: the site shows its English, and
    `make translations` lists it.
    """
    yield from computed_labels(root)
    file, seen = path_of(LANGUAGE, root).relative_to(root), dict[Key, int]()
    for entry in read(root):
        line, message = entry.linenum or 1, defect(entry) if is_finished(entry) else ""
        if key(entry) in seen:
            message = f"it stands in line {seen[key(entry)]} as well: remove one of the two"
        if message:
            yield Problem(file, line, f"{name(entry)}: {message}")
        seen.setdefault(key(entry), line)


def defect(entry: polib.POEntry) -> str:
    """Say what is wrong with a finished translation; nothing if it is sound."""
    english, chinese = code(entry.msgid), code(entry.msgstr)
    if english != chinese:
        lost = [f"lacks `{span}`" for span in sorted(english - chinese)]
        added = [f"adds `{span}`" for span in sorted(chinese - english)]
        return f"its translation {', '.join(lost + added)}: use the same code"
    known = {number for number, _ in numbers(entry.msgid, 1)}
    for number, written in numbers(entry.msgstr, 2):
        if number not in known:
            return f"its translation says {written}, the English does not: correct it"
    if len(WORD.findall(FIELD.sub("", entry.msgid))) > 3 and not CJK.search(entry.msgstr):
        return "its translation is not Chinese: translate it"
    return ""


def code(text: str) -> set[str]:
    """Collect the code in a text, inline and fenced, whatever its line breaks, and its fields."""
    spans = re.finditer(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", text, re.DOTALL)
    return {" ".join(span[2].split()) for span in spans} | set(FIELD.findall(text))


def computed_labels(root: Path) -> Iterator[Problem]:
    """Find labels that no catalogue can hold, since they are not written out."""
    advice = 'write the label out, as in t("keys")'
    for path in sorted((root / FIGURES).glob("*.py")):
        for call in calls(path, "t"):
            if not isinstance(call.args[0], ast.Constant):
                yield Problem(path.relative_to(root), call.lineno, f"{ast.unparse(call)}: {advice}")
    for path in sorted((root / "docs/assets/scripts").rglob("*.js")):
        script = path.read_text("utf-8")
        for found in COMPUTED.finditer(script):
            line = script.count("\n", 0, found.start()) + 1
            yield Problem(path.relative_to(root), line, f"{found[0]}): {advice}")


def name(entry: polib.POEntry) -> str:
    """Context and first words of an entry, for a message."""
    words = " ".join(entry.msgid.split())
    return f"{entry.msgctxt}: “{words if len(words) <= 60 else words[:59] + '…'}”"


def main(root: Path = ROOT) -> None:
    """Bring the catalogue up to date, and list what is left to translate."""
    left = update(root)
    for entry in left:
        print(name(entry), "changed in English" if entry.msgstr else "is not translated")
    print(f"{len(left)} texts of {path_of(LANGUAGE, root).relative_to(root)} to translate")


if __name__ == "__main__":
    main()
