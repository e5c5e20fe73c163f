"""A page as plain Markdown that any site builder reads: nothing is left to fill in."""

import json
import posixpath
import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from docs.builder import assistants, directives, formulas, notebooks, scripts
from docs.builder.api_pages import FOLDER as API
from docs.builder.api_pages import module_of
from docs.builder.book import Book, url_of
from docs.builder.languages import FOLDERS, link
from docs.builder.links import with_addresses
from docs.builder.markdown import outside_fences
from docs.builder.reading_time import with_time
from docs.builder.translations import ROOT, path_of, translator

Complain = Callable[[str], object]

SWITCH = {"en": "Read this page in English", "zh-TW": "閱讀本頁的繁體中文版"}
# A link whose anchor sets the playground, as in playground.md#layer=2: builders would look for a
# heading of that name.
STATE = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])+)\]\(([\w/.-]*\.md)?#([^)\s]*=[^)]*)\)")

NOTEBOOK = re.compile(r"(\]\([\w./-]+)\.py(?=[#)])")
# A relative link in HTML; others, and anchors alone, lead to the same place from everywhere.
HTML_LINK = re.compile(r'(<[a-z][^<>]* (?:href|src)=")(?![#/]|\w+:)([^"#]+)')


def plain(
    path: str, book: Book, notebook: str | None, complain: Complain, notebooks_as: str
) -> str:
    """Return a page of a book, which may have a notebook to download at this address.

    Links lead to pages that were written as notebooks under the suffix that these have.
    """
    source, asking = book.sources[path], directives.Page(path, book.language)
    text = with_time(source.text, path, book.language)
    if path.endswith(".py"):
        file = book.folder / path
        text = notebooks.to_markdown(notebooks.read(file), notebooks.outputs_of(file))
    text = NOTEBOOK.sub(rf"\1{notebooks_as}", fill(text, asking, complain))
    meta = {name: value for name, value in source.meta.items() if name in ("hide", "search")}
    meta |= {"description": source.meta.get("description", book.description)}
    above, below = around(path, book, notebook)
    page = f"---\n{_yaml(meta)}---\n\n{above}\n\n{text}\n\n{below}\n"
    return page if notebooks_as == ".ipynb" else _from_the_file(page, path, book)


def _from_the_file(page: str, path: str, book: Book) -> str:
    """Let links in HTML start from the file, as Zensical reads them; MkDocs leaves them alone."""
    root = "/" + FOLDERS[book.language]
    here, folder = root + url_of(path), posixpath.dirname(root + path)

    def one(found: re.Match[str]) -> str:
        slash = "/" if found[2].endswith("/") else ""
        return found[1] + posixpath.relpath(posixpath.join(here, found[2]), folder) + slash

    lines = outside_fences(page.split("\n"))
    return "\n".join(line if is_code else HTML_LINK.sub(one, line) for line, is_code in lines)


def around(path: str, book: Book, notebook: str | None) -> tuple[str, str]:
    """Return what stands above and below each page."""
    above = f"{_download(path, book, notebook)}\n\n{_switch(path, book)}".strip()
    return above, _foot(path, book, notebook)


def fill(text: str, asking: directives.Page, complain: Complain) -> str:
    """Put into a text all that it asks for: Markdown, then formulas, then HTML."""

    def to_reference(name: str) -> str | None:
        here = posixpath.dirname(asking.path)
        return posixpath.relpath(name, here) if name.startswith(API) else None

    lines = outside_fences(directives.expand(text, asking, complain).splitlines())
    text = "\n".join(
        line if is_code else with_addresses(line, asking.path, to_reference)
        for line, is_code in lines
    )
    text = formulas.fill(text, lambda problem: complain(f"{asking}: {problem}"))
    text = scripts.once(directives.insert(text, asking, complain))
    return "\n".join(
        line.replace("<BLANKLINE>", "") if is_code else STATE.sub(_to_state(asking), line)
        for line, is_code in outside_fences(text.splitlines())
    )


def _to_state(asking: directives.Page) -> Callable[[re.Match[str]], str]:
    def one(found: re.Match[str]) -> str:
        words, target, state = found.groups()
        page = posixpath.normpath(f"{asking.path}/../{target}") if target else asking.path
        url = url_of(page)
        address = link(url_of(asking.path), asking.language, url, to=asking.language)
        return f'<a href="{address}#{escape(state)}">{words}</a>'

    return one


def _switch(path: str, book: Book) -> str:
    """Return the link to the same page in the other language."""
    address = link(url_of(path), book.language, url_of(path), to=book.other)
    marks = f'hreflang="{book.other}" lang="{book.other}"'
    words = f'<a href="{address}" {marks}>{SWITCH[book.other]}</a>'
    return f'<p class="language-switch" data-search-exclude>{words}</p>'


def _download(path: str, book: Book, notebook: str | None) -> str:
    words = _notebook(path, book, notebook)
    return f'<p class="page-notebook" data-search-exclude>{words}</p>' if words else ""


def _notebook(path: str, book: Book, notebook: str | None) -> str:
    if not notebook:
        return ""
    t = translator(book.language, "site")
    address = link(url_of(path), book.language, notebook, to=book.language)
    return f'<a href="{address}" download>{t("Open as a notebook (.ipynb)")}</a>'


def _foot(path: str, book: Book, notebook: str | None) -> str:
    """Return the links at the foot: the page in other forms, its source, a way to report."""
    t = translator(book.language, "site")
    shown, edited = (file.relative_to(ROOT).as_posix() for file in _files(path, book))
    links = {}
    if repository := book.repository:
        words = f"{book.title(path)}: ", f"{book.address(path)}\n\n"
        links[t("View source")] = repository.source(shown)
        links[t("Edit this page")] = repository.edit(edited)
        links[t("Report a problem")] = repository.report(*words)
    # A whole address: Zensical would look for a page of this name.
    links[t("This page as Markdown")] = book.address(path) + assistants.PAGE
    links[t("For assistants: llms.txt")] = link(
        url_of(path), book.language, assistants.LIST, book.language
    )
    items = [f'<a href="{escape(address)}">{label}</a>' for label, address in links.items()]
    inside = "".join([_notebook(path, book, notebook), *items])
    label = t("This page")
    return f'<nav class="page-links" aria-label="{label}" data-search-exclude>{inside}</nav>'


def _files(path: str, book: Book) -> tuple[Path, Path]:
    """Return the file that a page shows, and the one in which its words are changed."""
    if path.startswith(API):
        module = module_of(path)
        return module, module if book.language == "en" else path_of(book.language)
    return book.folder / path, book.folder / path


def _yaml(meta: dict[str, Any]) -> str:
    """Return front matter; JSON is YAML too."""
    lines = (f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in meta.items())
    return "".join(lines)
