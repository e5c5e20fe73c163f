"""Notebooks: `.py` pages whose cells run while the site is built.

mkdocs-jupyter makes each of them a page of the site. Its own conversion to HTML would put 600 kB of
styles on the page and leave links, anchors, formulas and folded answers to chance. Here the cells
run, the notebook with its outputs becomes Markdown, and MkDocs renders that as any other page.

What a cell can say behind its `# %%`: `alt="…"` describes its figure, `answer="…"` folds it under
that title. A cell that fails, or writes to standard error, fails the strict build.
"""

import json
import logging
import os
import posixpath
import re
import textwrap
from functools import partial
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urljoin

import jupytext
import nbformat
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import BuildError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs_jupyter.plugin import NotebookFile
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from docs.figures import _style
from docs.hooks.cache import cached
from docs.hooks.catalogue import translator
from docs.hooks.figures import RC, element

log = logging.getLogger("mkdocs.hooks.notebooks")

ROOT = Path(__file__).parents[2]
# Runs before the first cell. One thread: the same numbers on machines with any number of cores.
PREPARE = f"""
import matplotlib, torch, warnings
torch.set_num_threads(1)
matplotlib.rcParams.update({RC | {"svg.hashsalt": "notebook", "image.cmap": _style.HEATMAP}!r})
matplotlib.rcParams["axes.prop_cycle"] = matplotlib.cycler(
    color={[_style.ACCENT, _style.SECOND, _style.MUTED]!r}
)
warnings.filterwarnings("ignore", message=r"Glyph \\d+ .* missing from font")
"""
COLOUR = re.compile(r"\x1b\[[\d;]*m")  # of a terminal
FENCE = "```{info}\n{text}\n```"
HEADING = re.compile(r"\A(# .*)$", re.M)
ANCHOR = re.compile(r"[ \t]*\{ #[\w-]+ \}$", re.M)
LINK = re.compile(r"\]\((?!\w+:|#)([^)#]+)")
REFERENCE = re.compile(r"\[([^\]\n]+)\]\[[\w.]+\]")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Publish each notebook as a file for Jupyter, without outputs."""
    for file in [file for file in files if isinstance(file, NotebookFile)]:
        notebook = for_jupyter(read(file), file, files, config.site_url or "")
        text = nbformat.writes(notebook) + "\n"
        files.append(File.generated(config, published(file), content=text))
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
    notebook = read(page.file)
    try:
        outputs = outputs_of(notebook)
    except CellExecutionError as error:
        trace = COLOUR.sub("", str(error))
        raise BuildError(f"{page.file.src_uri}: a cell fails\n{trace}") from None
    for output in chain.from_iterable(outputs):
        if output.get("name") == "stderr":
            log.warning("%s: a cell says: %s", page.file.src_uri, output["text"].strip())
    t = translator(config.theme["language"], "site")
    name = PurePosixPath(published(page.file)).name
    link = f"[{t('Download this page as a Jupyter notebook')}]({name})"
    return to_markdown(notebook, outputs, link)


def read(file: File) -> NotebookNode:
    """Read a notebook, with the same cell ids each time."""
    notebook = jupytext.read(file.abs_src_path)
    for number, cell in enumerate(notebook.cells, 1):
        cell.id = f"cell-{number}"
    return notebook


def outputs_of(notebook: NotebookNode) -> list[list[Any]]:
    """Return the outputs of each code cell; the cells run when their code has changed."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    stored = cached("notebooks", [PREPARE, *code], partial(run, notebook))
    found: list[list[Any]] = json.loads(stored)
    return found


def run(notebook: NotebookNode) -> str:
    """Run the cells, and return the list of outputs of each code cell as JSON."""
    running = nbformat.from_dict(notebook)
    running.cells.insert(0, new_code_cell(PREPARE))
    quiet = ["--log-level=ERROR"]  # the kernel warns that its port on this machine is not encrypted
    client = NotebookClient(
        running,
        kernel_name="python3",
        timeout=300,
        extra_arguments=quiet,
        coalesce_streams=True,  # what one cell prints is one output, however it arrives
    )
    client.execute(cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})
    outputs = [cell.outputs for cell in running.cells[1:] if cell.cell_type == "code"]
    return json.dumps(outputs, ensure_ascii=False)


def to_markdown(notebook: NotebookNode, outputs: list[list[Any]], link: str) -> str:
    """Return the notebook as a page, the link below its title."""
    parts, remaining, answer = [], iter(outputs), None
    for cell in notebook.cells:
        text = cell.source
        if cell.cell_type == "code":
            text = FENCE.format(info="python", text=text)
            for number, output in enumerate(next(remaining), 1):
                text += "\n\n" + block(output, f"{cell.id}-{number}", cell.metadata.get("alt", ""))
        elif cell.cell_type == "markdown":
            text = HEADING.sub(lambda title: f"{title[0]}\n\n{link}", text, count=1)
        if title := cell.metadata.get("answer"):
            box = "" if title == answer else f'??? success "{title}"\n\n'
            text = box + textwrap.indent(text, "    ")
        answer = title
        parts.append(text)
    return "\n\n".join(parts) + "\n"


def block(output: Any, name: str, alt: str) -> str:
    """Return one output of a cell: a figure, or what was printed."""
    data = output.get("data", {})
    if "image/svg+xml" in data:
        svg = element(data["image/svg+xml"], name, alt)
        return f'<figure class="figure" data-search-exclude>{svg}</figure>'
    text = output.get("text") or data["text/plain"]
    return FENCE.format(info=" { .text .output }", text=text.rstrip("\n"))


def published(file: File) -> str:
    """Return where the notebook for Jupyter is, seen from the site's root."""
    return PurePosixPath(file.src_uri).with_suffix(".ipynb").as_posix()


def for_jupyter(notebook: NotebookNode, file: File, files: Files, site_url: str) -> NotebookNode:
    """Return the notebook as Jupyter shows it best: whole links, no anchors, answers folded."""

    def whole(link: re.Match[str]) -> str:
        path = posixpath.join(posixpath.dirname(file.src_uri), link[1])
        target = files.get_file_from_path(posixpath.normpath(path))
        return f"]({urljoin(site_url, target.url)}" if target else link[0]

    notebook.cells = [cell for cell in notebook.cells if cell.cell_type != "raw"]
    for cell in notebook.cells:
        folded = cell.cell_type == "code" and "answer" in cell.metadata
        cell.metadata = NotebookNode({"jupyter": {"source_hidden": True}} if folded else {})
        if cell.cell_type == "markdown":
            cell.source = LINK.sub(whole, REFERENCE.sub(r"\1", ANCHOR.sub("", cell.source)))
    python = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook.metadata = NotebookNode({"kernelspec": python})
    return notebook
