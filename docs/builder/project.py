"""The book in one language as an ordinary project of MkDocs: plain Markdown, SVG and JSON.

Only what changed is written, so that a site builder that watches sees no more than that.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from docs.builder import assistants, downloads, moved, pages
from docs.builder.book import Book, Dumper, url_of
from docs.builder.languages import FOLDERS, NAMES
from docs.builder.not_found import words as words_of_not_found
from docs.builder.translations import ROOT, translator

Complain = Callable[[str], object]

INFERENCE = ROOT / "transformer" / "inference"
MODELS = [  # what the playground reads
    INFERENCE / "pretrained.safetensors",
    INFERENCE / "hand_made.txt",
    ROOT / "docs" / "measured" / "neighbours.json",
]
# Both languages load these from the root of the site: a reader who changes the language has them.
SHARED = ("assets/cards/", "assets/models/", "assets/not-found.css", "assets/scripts/")
# What the settings in mkdocs.yml say of the project itself, not of its site.
OWN = ("hooks", "watch", "nav", "docs_dir")


def settings(book: Book, notebooks_as: str = ".ipynb") -> dict[str, Any]:
    """Return what mkdocs.yml says, in the language of the book; paths are whole."""
    t = translator(book.language, "nav")
    made = {name: value for name, value in book.settings.items() if name not in OWN}
    made |= {"site_name": book.name, "site_description": book.description}
    made["nav"] = _nav(book.nav, notebooks_as)
    made["site_url"] = book.home + FOLDERS[book.language]
    palette = [
        one | {"toggle": one["toggle"] | {"name": t(one["toggle"]["name"])}}
        for one in book.settings["theme"]["palette"]
    ]
    made["theme"] = book.settings["theme"] | {
        "language": book.language,
        "custom_dir": str(ROOT / "docs" / "theme"),
        "palette": palette,
    }
    made["extra"] = {"alternate": alternate(book), "not_found": words_of_not_found(_root(book))}
    made["extra_javascript"] = scripts(book)
    made["plugins"] = [_plugin(one, book) for one in book.settings["plugins"]]
    return made


def alternate(book: Book) -> list[dict[str, str]]:
    """Return the languages of the menu; the template of the menu adds the page to each link."""
    return [
        {"name": name, "link": _root(book) + FOLDERS[code], "lang": code}
        for code, name in NAMES.items()
    ]


def _root(book: Book) -> str:
    """Return the path under which both languages lie."""
    return urlsplit(book.home).path


def scripts(book: Book) -> list[Any]:
    """Return the scripts of every page; both languages have one copy."""
    up = "../" if FOLDERS[book.language] else ""
    return [one | {"path": up + one["path"]} for one in book.settings["extra_javascript"]]


def extensions(language: str) -> list[Any]:
    """Return what mkdocstrings reads docstrings with."""
    catalogue = "docs/locales/zh-TW.po"
    return [
        {"docs.builder.griffe_translate": {"lang": language, "catalog": catalogue}},
        {"docs.builder.griffe_sources": {"lang": language}},
    ]


def _plugin(plugin: Any, book: Book) -> Any:
    if not isinstance(plugin, dict) or "mkdocstrings" not in plugin:
        return plugin
    own = plugin["mkdocstrings"]
    python = own["handlers"]["python"]
    options = python["options"] | {"extensions": extensions(book.language)}
    python = python | {"paths": [str(ROOT)], "options": options}
    templates = str(ROOT / "docs" / "templates")
    return {"mkdocstrings": own | {"custom_templates": templates, "handlers": {"python": python}}}


def write(book: Book, folder: Path, complain: Complain, notebook_pages: bool = True) -> None:
    """Write the project; with `notebook_pages`, notebooks are .ipynb files, and Markdown without.

    What is there from before and not in the project any more is removed.
    """
    made = Writer(folder)
    notebooks_as = ".ipynb" if notebook_pages else ".md"
    config = settings(book, notebooks_as) | {"docs_dir": "docs"}
    if not notebook_pages:
        config["plugins"] = [one for one in config["plugins"] if "mkdocs-jupyter" not in one]
    text = yaml.dump(config, Dumper=Dumper, allow_unicode=True, sort_keys=False)
    made.write("mkdocs.yml", text)
    for path in book.sources:
        try:
            _write_page(path, book, made, complain, notebooks_as)
        except ValueError as error:
            complain(f"{book.language}/{path}: {error}")
    for name, text in moved.pages(book):
        made.write(f"beside/{name}", text)
    made.write(f"docs/{assistants.LIST}", assistants.index(book))
    if book.language == "en" and book.home.count("/") == 3:  # crawlers ask at the root of a host
        lines = f"User-agent: *\nAllow: /\n\nSitemap: {book.home}sitemap.xml\n"
        made.write("docs/robots.txt", lines)
    for name, file in _assets(book):
        made.copy(f"docs/{name}", file)
    made.remove_others()


def _write_page(
    path: str, book: Book, made: "Writer", complain: Complain, notebooks_as: str
) -> None:
    cells = downloads.cells_of(path, book)
    has_code = any(cell.cell_type == "code" for cell in cells)
    notebook = downloads.published(path) if has_code else None
    if notebook:
        made.write(f"docs/{notebook}", downloads.download(path, book, cells))
        for name in downloads.measured(cells):
            made.copy(f"docs/{name}", ROOT / name)
    made.write(f"beside/{_beside(path)}", assistants.page(path, book))
    if downloads.is_notebook(path) and notebooks_as == ".ipynb":
        text = downloads.shown(path, book, *pages.around(path, book, notebook))
    else:
        text = pages.plain(path, book, notebook, complain, notebooks_as)
    made.write(f"docs/{re.sub('.py$', notebooks_as, path)}", text)


def _beside(path: str) -> str:
    """Return where a page as Markdown lies in the finished site."""
    return url_of(path) + assistants.PAGE


def _nav(items: list[Any], notebooks_as: str) -> list[Any]:
    """Return the navigation with what notebooks are in the project."""
    return [
        {
            title: _nav(inside, notebooks_as)
            if isinstance(inside, list)
            else re.sub(r"\.py$", notebooks_as, inside)
        }
        for item in items
        for title, inside in item.items()
    ]


def _assets(book: Book) -> Iterator[tuple[str, Path]]:
    assets = ROOT / "docs" / "assets"
    found = {f"assets/{path.relative_to(assets).as_posix()}": path for path in assets.rglob("*.*")}
    found |= {f"assets/models/{path.name}": path for path in MODELS}
    found["assets/one_page.py"] = ROOT / "docs" / "one_page.py"  # readers take it home
    for name, path in sorted(found.items()):
        if book.language == "en" or not name.startswith(SHARED):
            yield name, path


class Writer:
    """Writes the files of a folder that are not there yet as they should be."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.written: set[Path] = set()

    def write(self, name: str, text: str) -> None:
        """Write a text."""
        path = self._path(name)
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8", newline="\n")

    def copy(self, name: str, source: Path) -> None:
        """Copy a file."""
        path, new = self._path(name), source.stat()
        if not path.exists() or path.stat().st_mtime_ns != new.st_mtime_ns:
            shutil.copy2(source, path)

    def remove_others(self) -> None:
        """Remove the files that were not written."""
        for path in self.folder.rglob("*"):
            if path.is_file() and path not in self.written:
                path.unlink()

    def _path(self, name: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self.written.add(path)
        return path
