"""What a page offers beside its text: its notebook, its Markdown, its source, a way to mend it.

The links to the source need `extra.repository` in mkdocs.yml. Material would make such links from
its own setting, `repo_url`, but then ask GitHub about the project in every reader's browser.
"""

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from docs.builder import llms, page_markdown
from docs.builder.jupyter import published
from docs.builder.repository import Repository
from docs.builder.translations import Translate, path_of, translator

ROOT = Path(__file__).parents[2]
MODULE = re.compile(r"^::: ([\w.]+)$", re.M)  # on a page of the API reference


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the notebook at the head of a page, and all the links at its foot."""
    t = translator(config.theme["language"], "site")
    head, links = "", []
    if file := files.get_file_from_path(published(page.file.src_uri)):
        address = get_relative_url(file.url, page.url)
        notebook = f'<a href="{address}" download>{t("Open as a notebook (.ipynb)")}</a>'
        head = f'<p class="page-notebook" data-search-exclude>{notebook}</p>\n'
        links.append(notebook)
    places = [*_repository(page, config, t), *_for_assistants(page, t)]
    links += (f'<a href="{escape(address)}">{label}</a>' for label, address in places)
    foot = f'\n<nav class="page-links" aria-label="{t("This page")}" data-search-exclude>'
    return f"{head}{html}{foot}{''.join(links)}</nav>"


def _repository(page: Page, config: MkDocsConfig, t: Translate) -> Iterator[tuple[str, str]]:
    """Yield a label and an address for each."""
    if repository := Repository(config.extra["repository"]):
        shown, changed = (path.relative_to(ROOT).as_posix() for path in sources(page, config))
        yield t("View source"), repository.source(shown)
        yield t("Edit this page"), repository.edit(changed)
        report = repository.report(f"{page.title}: ", f"{page.canonical_url}\n\n")
        yield t("Report a problem"), report


def _for_assistants(page: Page, t: Translate) -> Iterator[tuple[str, str]]:
    yield t("This page as Markdown"), page_markdown.FILE
    yield t("For assistants: llms.txt"), get_relative_url(llms.FILE, page.url)


def sources(page: Page, config: MkDocsConfig) -> tuple[Path, Path]:
    """Return the file that a page shows, and the one that its words are changed in."""
    if module := MODULE.search(page.markdown or ""):
        path = ROOT.joinpath(*module[1].split("."))
        shown = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        language = config.theme["language"]
        return shown, shown if language == "en" else path_of(language)
    path = Path(page.file.abs_src_path or "")
    return path, path
