"""Each page with code as a notebook beside it, to download and run.

`notebook: false` in its front matter keeps a page from becoming one.
"""

import logging
from pathlib import Path
from urllib.parse import urljoin

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.utils.meta import get_data
from mkdocs_jupyter.plugin import NotebookFile
from nbformat import NotebookNode

from docs.builder import directives, jupyter
from docs.builder.notebooks import read
from docs.builder.page_cells import Reader
from docs.builder.repository import Repository
from docs.builder.translations import translator
from docs.builder.values import fill

log = logging.getLogger("mkdocs.hooks.jupyter")
ROOT = Path(__file__).parents[2]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Publish the notebooks, and the measurements that they read."""
    language = config.theme["language"]
    install = Repository(config.extra["repository"]).install

    def address_of(name: str) -> str | None:
        target = files.get_file_from_path(name)
        return urljoin(config.site_url or "", target.url) if target else None

    for file in files.documentation_pages():
        cells = cells_of(file, language)
        for name in jupyter.measured(cells):
            if not files.get_file_from_path(name):
                files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
        if any(cell.cell_type == "code" for cell in cells):
            t = translator(language, "site")
            seeded = not isinstance(file, NotebookFile)
            notebook = jupyter.Notebook(file.src_uri, cells, seeded, install, address_of, t)
            name = jupyter.published(file.src_uri)
            files.append(File.generated(config, name, content=notebook.text()))
    return files


def cells_of(file: File, language: str) -> list[NotebookNode]:
    """Return what the notebook of a page holds; nothing where the page wants none."""
    if isinstance(file, NotebookFile):
        cells = list(read(Path(file.abs_src_path)).cells)
        for cell in cells:
            if cell.cell_type == "markdown":
                cell.source = fill(cell.source, language, log.warning)
        return cells
    markdown, meta = get_data(file.content_string)
    if not meta.get("notebook", True):
        return []
    asking = directives.Page(file.src_uri, language)

    def told(line: str, anchor: str) -> str | None:
        return directives.told(line, asking, f"#{anchor}")

    return [*Reader(told).read(fill(markdown, language, log.warning).splitlines())]
