"""While pages are built, say now and then which one."""

import logging
import time

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

log = logging.getLogger("mkdocs.hooks.progress")

PAUSE = 2  # seconds
spoken = time.monotonic()


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> None:
    """Name the page that is about to become HTML."""
    global spoken
    if time.monotonic() - spoken > PAUSE:
        pages = [file.src_uri for file in files.documentation_pages()]
        number = pages.index(page.file.src_uri) + 1
        name = f"{config.theme['language']}/{page.file.src_uri}"
        log.info("page %d of %d: %s", number, len(pages), name)
        spoken = time.monotonic()
