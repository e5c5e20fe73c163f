"""Translations: docs/locales/LANG.po, looked up by context and English text."""

import logging
import re
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parents[2]
SOURCE_LANGUAGE = "en"

Translate = Callable[[str], str]

# Loggers below "mkdocs" show in its output. A warning would fail the strict build, and whoever
# changed one English docstring could not build the site: `make translations` lists what is left.
log = logging.getLogger("mkdocs.translations")

_SHAPE = r"\([\w.]+(?:\s*[-+*/,=]\s*[\w.]*)*\)"
_NO_PROSE = re.compile(
    rf"{_SHAPE}(?:\s*(?:->|→|,|@)\s*{_SHAPE})*|(?:type:\s*ignore|noqa|pragma|isort)\b.*|[^a-zA-Z]*"
)


def is_prose(comment: str) -> bool:
    """Whether a comment of the package's source needs a translation: shapes and markers do not."""
    return not _NO_PROSE.fullmatch(comment)


def path_of(lang: str, root: Path = ROOT) -> Path:
    """Path of a language's catalogue."""
    return root / "docs" / "locales" / f"{lang}.po"


def translator(lang: str, context: str, root: Path = ROOT) -> Translate:
    """Function from English text to its translation; English itself stays as it is."""
    if lang == SOURCE_LANGUAGE:
        return lambda text: text
    return partial(translate, path_of(lang, root), context)


def translate(catalogue: Path, context: str, text: str) -> str:
    """Look one text up; without a finished translation, say so and give the English back."""
    if context.startswith("comment:") and not is_prose(text):
        return text
    entry = entries(catalogue).get((context, text))
    if entry and entry.msgstr and "fuzzy" not in entry.flags:
        return entry.msgstr
    if entry and entry.msgstr:
        advice = "its English changed since it was translated"
    else:
        advice = "it has no translation"
    log.info("%s: %s: %r: %s", catalogue.name, context, text, advice)
    return text


def entries(catalogue: Path) -> dict[tuple[str, str], polib.POEntry]:
    """Entries by context and English text; the file is read again only after it was saved."""
    if not catalogue.exists():
        return {}
    status = catalogue.stat()
    return _parse(catalogue, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4)
def _parse(catalogue: Path, mtime_ns: int, size: int) -> dict[tuple[str, str], polib.POEntry]:
    """Parse a catalogue; modification time and size are there to name its state in the cache."""
    current = (entry for entry in polib.pofile(str(catalogue)) if not entry.obsolete)
    return {(entry.msgctxt or "", entry.msgid): entry for entry in current}
