"""Bring the translation catalogue up to date with the English, keeping translations."""

import difflib
from pathlib import Path

import polib

from docs.builder.translations import path_of
from docs.checks.texts import Key, Text, texts

LANGUAGE = "zh-TW"


def read(root: Path) -> list[polib.POEntry]:
    """Read the catalogue's entries, in order; none if there is no catalogue yet."""
    path = path_of(LANGUAGE, root)
    if not path.exists():
        return []
    return [entry for entry in polib.pofile(str(path)) if not entry.obsolete]


def key(entry: polib.POEntry) -> Key:
    """Name of an entry, as `Text.key`."""
    return entry.msgctxt or "", entry.msgid


def is_finished(entry: polib.POEntry) -> bool:
    """Whether an entry has a translation that someone held against its English."""
    return bool(entry.msgstr) and "fuzzy" not in entry.flags


def update(root: Path) -> list[polib.POEntry]:
    """Write the catalogue anew from the English; return what is left to translate."""
    new, path = updated(root), path_of(LANGUAGE, root)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(str(new), "utf-8")
    return [entry for entry in new if not is_finished(entry)]


def updated(root: Path) -> polib.POFile:
    """Put the English in source order, each text with the translation that there is."""
    wanted = texts(root)
    keys = {text.key for text in wanted}
    old = read(root)
    kept = {key(entry): entry for entry in reversed(old)}
    spare = [entry for entry in old if entry.msgstr and key(entry) not in keys]
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
    return new


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
