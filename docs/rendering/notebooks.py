"""Notebooks: `.py` pages whose cells run while the site is built, and then read as Markdown.

What a cell can say behind its `# %%`: `alt="…"` describes its figure, `answer="…"` folds it under
that title.
"""

import json
import os
import posixpath
import re
import textwrap
from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from docs.figures import _style
from docs.rendering.build_cache import ROOT, Product, code_of
from docs.rendering.drawing import RC, element
from docs.rendering.markdown import fenced

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
HEADING = re.compile(r"\A(# .*)$", re.M)
ANCHOR = re.compile(r"[ \t]*\{ #[\w-]+ \}$", re.M)
LINK = re.compile(r"\]\((?!\w+:|#)([^)#]+)")
REFERENCE = re.compile(r"\[([^\]\n]+)\]\[[\w.]+\]")


def read(path: Path) -> NotebookNode:
    """Read a notebook, with the same cell ids each time."""
    notebook = jupytext.read(path)
    for number, cell in enumerate(notebook.cells, 1):
        cell.id = f"cell-{number}"
    return notebook


def product(notebook: NotebookNode, name: str = "") -> Product:
    """Return the outputs of a notebook's cells, for the cache: they follow from the code alone."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    sources = (PREPARE, *code, *code_of(Path(__file__)))
    return Product("notebook", name, sources, partial(run, notebook))


def outputs_of(notebook: NotebookNode) -> list[list[Any]]:
    """Return the outputs of each code cell; the cells run when their code has changed.

    Raises:
        ValueError: a cell fails; the message holds its traceback.
    """
    try:
        found: list[list[Any]] = json.loads(product(notebook).text())
    except CellExecutionError as error:
        raise ValueError(f"a cell fails\n{COLOUR.sub('', str(error))}") from None
    return found


def warnings_of(outputs: list[list[Any]]) -> list[str]:
    """Return what cells wrote to standard error."""
    every = chain.from_iterable(outputs)
    return [output["text"].strip() for output in every if output.get("name") == "stderr"]


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
            text = fenced(text, "python")
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
    return fenced(text.rstrip("\n"), " { .text .output }")


def for_jupyter(notebook: NotebookNode, page: str, address_of: Callable[[str], str | None]) -> str:
    """Return the notebook as Jupyter shows it best: whole links, no anchors, answers folded.

    `address_of` gives the whole address of a page, named as in practice/data.md, or None.
    """

    def whole(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), link[1]))
        address = address_of(path)
        return f"]({address}" if address else link[0]

    notebook.cells = [cell for cell in notebook.cells if cell.cell_type != "raw"]
    for cell in notebook.cells:
        folded = cell.cell_type == "code" and "answer" in cell.metadata
        cell.metadata = NotebookNode({"jupyter": {"source_hidden": True}} if folded else {})
        if cell.cell_type == "markdown":
            cell.source = LINK.sub(whole, REFERENCE.sub(r"\1", ANCHOR.sub("", cell.source)))
    python = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook.metadata = NotebookNode({"kernelspec": python})
    return str(nbformat.writes(notebook)) + "\n"
