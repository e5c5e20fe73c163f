"""`<!-- kind: argument -->`: what docs/builder/directives/ puts in its place."""

import logging

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from docs.builder import directives, scripts

log = logging.getLogger("mkdocs.hooks.directives")


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put Markdown in the place of directives."""
    return directives.expand(markdown, _asking(page, config), log.warning)


def on_page_content(html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put HTML in the place of directives, and each script once."""
    return scripts.once(directives.insert(html, _asking(page, config), log.warning))


def _asking(page: Page, config: MkDocsConfig) -> directives.Page:
    return directives.Page(page.file.src_uri, config.theme["language"])
