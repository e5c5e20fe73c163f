"""Notebooks: `.py` pages whose cells run while the site is built, and then read as Markdown.

All languages of a notebook share one run: a cell runs again only where its words differ, as those
of a figure do. What takes long, such as training, is done once.

What a cell can say behind its `# %%`: `alt="…"` describes its figure, `answer="…"` folds it under
that title.
"""

import ast
import json
import os
import re
import textwrap
from collections.abc import Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import jupytext
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from docs.builder.cache import ROOT, Artifact, code_of
from docs.builder.drawing import RC, element
from docs.builder.markdown import as_it_stands, fenced
from docs.figures import _style

DOCS = ROOT / "docs"
PACKAGE = sorted(ROOT.glob("transformer/**/*.py"))  # cells may import any of it

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


def read(path: Path) -> NotebookNode:
    """Read a notebook, with the same cell ids each time."""
    notebook = jupytext.read(path)
    for number, cell in enumerate(notebook.cells, 1):
        cell.id = f"cell-{number}"
    return notebook


def versions(path: Path) -> list[Path]:
    """Return a notebook's files in all languages, in the same order for each of them."""
    if not path.is_relative_to(DOCS):
        return [path]
    name = Path(*path.relative_to(DOCS).parts[1:])
    return sorted(DOCS.glob(f"*/{name}"))


def artifact(path: Path) -> Artifact:
    """Return a notebook's outputs in all languages, for the cache: they follow from the code."""
    codes = [
        [cell.source for cell in read(version).cells if cell.cell_type == "code"]
        for version in versions(path)
    ]
    sources = (PREPARE, *chain.from_iterable(codes), *code_of(Path(__file__), *PACKAGE))
    return Artifact("notebook", path.stem, sources, partial(run, codes))


def outputs_of(path: Path) -> list[list[Any]]:
    """Return the outputs of each code cell; the cells run when their code has changed.

    Raises:
        ValueError: a cell fails; the message holds its traceback.
    """
    from nbclient.exceptions import CellExecutionError  # slow to load: only where cells run

    try:
        found: list[list[list[Any]]] = json.loads(artifact(path).text())
    except CellExecutionError as error:
        raise ValueError(f"a cell fails\n{COLOUR.sub('', str(error))}") from None
    return found[versions(path).index(path)]


def warnings_of(outputs: list[list[Any]]) -> list[str]:
    """Return what cells wrote to standard error."""
    every = chain.from_iterable(outputs)
    return [output["text"].strip() for output in every if output.get("name") == "stderr"]


def run(codes: Sequence[Sequence[str]]) -> str:
    """Run the cells of all languages, and return the outputs of each cell in each as JSON."""
    from nbclient import NotebookClient

    if len({len(code) for code in codes}) > 1:  # while a page is written
        return json.dumps([json.loads(run([code]))[0] for code in codes], ensure_ascii=False)
    running = new_notebook(cells=[new_code_cell(PREPARE)])
    places: list[list[int]] = [[] for _ in codes]  # where each language finds its cells
    for cells in zip(*codes, strict=True):
        done: dict[str, int] = {}
        for cell, place in zip(cells, places, strict=True):
            meaning = without_comments(cell)
            if meaning not in done:
                done[meaning] = len(running.cells)
                running.cells.append(new_code_cell(cell))
            place.append(done[meaning])
    quiet = ["--log-level=ERROR"]  # the kernel warns that its port on this machine is not encrypted
    client = NotebookClient(
        running,
        kernel_name="python3",
        timeout=300,
        extra_arguments=quiet,
        coalesce_streams=True,  # what one cell prints is one output, however it arrives
    )
    client.execute(cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})
    outputs = [[running.cells[number].outputs for number in place] for place in places]
    return json.dumps(outputs, ensure_ascii=False)


def without_comments(code: str) -> str:
    """Return code without what Python does not read, or as it is where it is not Python alone.

    Example:
        >>> without_comments("x = 1  # one") == without_comments("x = 1  # 一")
        True
    """
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return code
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            node.body[:1] = [ast.Pass()]
    return ast.unparse(tree)


def to_markdown(notebook: NotebookNode, outputs: list[list[Any]], drawn: bool = True) -> str:
    """Return the notebook as a page without front matter, with its figures drawn or in words."""
    parts, remaining, answer = [], iter(outputs), None
    for cell in (one for one in notebook.cells if one.cell_type != "raw"):  # front matter is raw
        text = cell.source
        if cell.cell_type == "code":
            text = with_outputs(cell, next(remaining), drawn)
        if title := cell.metadata.get("answer"):
            box = "" if title == answer else f'??? success "{title}"\n\n'
            text = box + textwrap.indent(text, "    ")
        answer = title
        parts.append(text)
    return "\n\n".join(parts) + "\n"


def with_outputs(cell: NotebookNode, outputs: list[Any], drawn: bool) -> str:
    """Return a cell as Markdown: its code, and below it what it gave."""
    alt = cell.metadata.get("alt", "")
    blocks = (block(one, f"{cell.id}-{n}", alt, drawn) for n, one in enumerate(outputs, 1))
    return "\n\n".join([fenced(cell.source, "python"), *blocks])


def block(output: Any, name: str, alt: str, drawn: bool) -> str:
    """Return one output of a cell: a figure, or what was printed."""
    data = output.get("data", {})
    if "image/svg+xml" in data and not drawn:
        return f"*{alt}*"
    if "image/svg+xml" in data:
        svg = as_it_stands(element(data["image/svg+xml"], name, alt))
        return f'<figure class="figure" data-search-exclude>{svg}</figure>'
    text = output.get("text") or data["text/plain"]
    return fenced(text.rstrip("\n"), " { .text .output }")
