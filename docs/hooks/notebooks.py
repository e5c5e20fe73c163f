"""Notebooks among the pages: MkDocs shows them as Markdown, readers can download them.

mkdocs-jupyter makes each of them a page of the site. Its own conversion to HTML would put 600 kB of
styles on the page and leave links, anchors, formulas and folded answers to chance. A cell that
fails, or writes to standard error, fails the strict build.
"""

import logging
from pathlib import Path, PurePosixPath
from urllib.parse import urljoin

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import BuildError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs_jupyter.plugin import NotebookFile

from docs.rendering.notebooks import for_jupyter, outputs_of, read, to_markdown, warnings_of
from docs.rendering.translations import translator

log = logging.getLogger("mkdocs.hooks.notebooks")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Publish each notebook as a file for Jupyter, without outputs."""

    def address_of(page: str) -> str | None:
        target = files.get_file_from_path(page)
        return urljoin(config.site_url or "", target.url) if target else None

    for file in [file for file in files if isinstance(file, NotebookFile)]:
        content = for_jupyter(read(Path(file.abs_src_path)), file.src_uri, address_of)
        files.append(File.generated(config, published(file), content=content))
    return files


def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:
    """Let MkDocs render the notebook, not mkdocs-jupyter."""
    if isinstance(page.file, NotebookFile):
        del page.render  # the method of the class shows again
    return page


def on_page_read_source(page: Page, config: MkDocsConfig) -> str | None:
    """Give MkDocs a notebook as Markdown, with a link to the notebook itself."""
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
    t = translator(config.theme["language"], "site")
    name = PurePosixPath(published(page.file)).name
    link = f"[{t('Download this page as a Jupyter notebook')}]({name})"
    return to_markdown(notebook, outputs, link)


def published(file: File) -> str:
    """Return where the notebook for Jupyter is, seen from the site's root."""
    return PurePosixPath(file.src_uri).with_suffix(".ipynb").as_posix()
