"""The book in one language: its settings, its pages, and where each of them lies."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from docs.builder import api_pages, freshness
from docs.builder.languages import FOLDERS, OTHER
from docs.builder.repository import Repository
from docs.builder.translations import ROOT, translator

HEADING = re.compile(r"^# (.+?)(?: \{[^}]*\})?$", re.M)
FRONT_MATTER = re.compile(r"---\n(.*?\n)---\n", re.DOTALL)


class Tagged(yaml.YAMLObject):
    """A value that MkDocs reads in its own way, such as `!ENV`; here it is only passed on."""

    def __init__(self, node: yaml.Node) -> None:
        self.node = node


class Loader(yaml.CSafeLoader):
    """Reads mkdocs.yml without knowing the tags of MkDocs."""


class Dumper(yaml.SafeDumper):
    """Writes what `Loader` has read."""


Loader.add_multi_constructor("", lambda loader, suffix, node: Tagged(node))
Dumper.add_representer(Tagged, lambda dumper, tagged: tagged.node)


@dataclass(frozen=True)
class Source:
    """A page as it was written: what it says of itself, and its text."""

    meta: dict[str, Any]
    text: str

    @property
    def heading(self) -> str:
        """The first heading as plain text; empty without one."""
        found = HEADING.search(self.text)
        return re.sub(r"[`*]", "", found[1]) if found else ""


def read(text: str) -> Source:
    """Split a page into its front matter and the rest."""
    found = FRONT_MATTER.match(text)
    if not found:
        return Source({}, text)
    return Source(yaml.load(found[1], yaml.CSafeLoader) or {}, text[found.end() :])


def url_of(path: str) -> str:
    """Return the address of a page within its language.

    >>> url_of("start/setup.md"), url_of("index.md"), url_of("practice/translate.py")
    ('start/setup/', '', 'practice/translate/')
    """
    parts = PurePosixPath(path).with_suffix("").parts
    return "".join(f"{part}/" for part in parts if part != "index")


@dataclass(frozen=True)
class Entry:
    """A page in the navigation."""

    path: str  # within the folder of its language, as in start/setup.md
    title: str
    sections: tuple[str, ...] = ()  # the titles above it


@dataclass(frozen=True)
class Book:
    """The book in one language. `home` is the address under which both languages lie."""

    language: str
    home: str = ""
    settings: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def load(cls, language: str, home: str | None = None) -> "Book":
        """Read mkdocs.yml."""
        settings = yaml.load((ROOT / "mkdocs.yml").read_text("utf-8"), Loader)
        if home is None:
            name, default = (node.value for node in settings["site_url"].node.value)
            home = os.environ.get(name) or default
        return cls(language, home.removesuffix("/") + "/", settings)

    @property
    def folder(self) -> Path:
        """Where its pages were written."""
        return ROOT / "docs" / self.language

    @property
    def other(self) -> str:
        """The other language."""
        return OTHER[self.language]

    @property
    def name(self) -> str:
        """What the site is called."""
        return translator(self.language, "nav")(self.settings["site_name"])

    @property
    def description(self) -> str:
        """What the site says of itself."""
        return translator(self.language, "nav")(self.settings["site_description"])

    @property
    def repository(self) -> Repository:
        """Where the project is kept."""
        name, _ = (node.value for node in self.settings["extra"]["repository"].node.value)
        return Repository(os.environ.get(name, ""))

    @cached_property
    def sources(self) -> dict[str, Source]:
        """Every page by its path: those that were written, then those of the API reference."""
        files = sorted(self.folder.rglob("*.md")) + sorted(self.folder.rglob("*.py"))
        written = {path.relative_to(self.folder).as_posix(): self._read(path) for path in files}
        made = api_pages.pages(self.language, set(written))
        return written | {path: read(text) for path, text in made.items()}

    def _read(self, path: Path) -> Source:
        text = path.read_text("utf-8")
        if self.language != "en":
            english = ROOT / "docs" / "en" / path.relative_to(self.folder)
            if english.exists():
                text = freshness.mark(text, english.read_text("utf-8"))
        return read(text if path.suffix == ".md" else _opening(text))

    @cached_property
    def nav(self) -> list[Any]:
        """The navigation with the API reference in it, its titles in the language of the book."""
        return [self._titled(item) for item in self.settings["nav"]]

    def _titled(self, item: dict[str, Any]) -> dict[str, Any]:
        ((title, inside),) = item.items()
        t = translator(self.language, "nav")
        if not isinstance(inside, list):
            return {t(title): inside}
        made = [self._titled(one) for one in inside]
        if title == "Reference":
            made = api_pages.nav(self.sources, translator(self.language, "site")) + made
        return {t(title): made}

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The pages in the order of the navigation."""
        return {entry.path: entry for entry in _entries(self.nav)}

    def title(self, path: str) -> str:
        """Return what the navigation calls a page, or else its heading."""
        entry = self.entries.get(path)
        return entry.title if entry else self.sources[path].heading

    def address(self, path: str) -> str:
        """Return the whole address of a page or of a file that the site has."""
        page = path in self.sources
        return self.home + FOLDERS[self.language] + (url_of(path) if page else path)


def _entries(items: list[Any], sections: tuple[str, ...] = ()) -> Iterator[Entry]:
    for item in items:
        ((title, inside),) = item.items()
        if isinstance(inside, str):
            yield Entry(inside, title, sections)
        else:
            yield from _entries(inside, (*sections, title))


def _opening(notebook: str) -> str:
    """Return what a notebook says of itself and its first cell, without the marks of comments."""
    lines = notebook.split("\n\n# %%\n", 1)[0].splitlines()
    return "\n".join(re.sub("^# ?", "", line) for line in lines) + "\n"
