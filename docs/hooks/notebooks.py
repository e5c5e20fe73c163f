"""Notebooks among the pages: MkDocs shows them as Markdown.

mkdocs-jupyter makes each of them a page of the site. Its own conversion to HTML would put 600 kB of
styles on the page and leave links, anchors, formulas and folded answers to chance. A cell that
fails, or writes to standard error, fails the strict build.
"""

import logging
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import BuildError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs_jupyter.plugin import NotebookFile

from docs.builder.notebooks import outputs_of, read, to_markdown, warnings_of

log = logging.getLogger("mkdocs.hooks.notebooks")


def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:
    """Let MkDocs render the notebook, not mkdocs-jupyter."""
    if isinstance(page.file, NotebookFile):
        del page.render  # the method of the class shows again
    return page


def on_page_read_source(page: Page, config: MkDocsConfig) -> str | None:
    """Give MkDocs a notebook as Markdown."""
    if not isinstance(page.file, NotebookFile):
        return None
    path = Path(page.file.abs_src_path)
    notebook = read(path)
    try:
        outputs = outputs_of(path)
    except ValueError as error:
        raise BuildError(f"{page.file.src_uri}: {error}") from None
    for warning in warnings_of(outputs):
        log.warning("%s: a cell says: %s", page.file.src_uri, warning)
    return to_markdown(notebook, outputs)
