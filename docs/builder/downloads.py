"""Pages as notebooks, which know nothing of the site's own marks.

One that is downloaded begins with a cell that installs the package, holds no outputs, and has whole
links, since it will lie anywhere. One that is shown as a page has what its cells gave.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import PurePosixPath
from typing import Any

import nbformat
from markdown.extensions.toc import slugify, unique
from nbformat import NotebookNode

from docs.builder import cells as page_cells
from docs.builder import directives, formulas, notebooks
from docs.builder.book import Book, url_of
from docs.builder.cells import cell
from docs.builder.drawing import element
from docs.builder.languages import link
from docs.builder.links import with_addresses
from docs.builder.markdown import outside_fences
from docs.builder.translations import Translate, translator
from docs.builder.values import fill

ANCHOR = re.compile(r"[ \t]*\{ #[\w-]+ \}$|<a id=\"[\w-]+\"></a>")
TAG = re.compile(r"</?div\b[^>]*>")
TITLE = re.compile(r'^([> ]*)(`{3,})(\w+) title="([^"]+)"')  # of a fence
# Between a full stop and a character, CommonMark would find no end of what is bold.
BOLD = re.compile(r"\*\*([^*]+[^\w\s*])\*\*(?=\w)")
BAR = re.compile(r"`[^`]+`")  # in a table: Jupyter cuts cells at the bars of their code
PYTHON = {"name": "python3", "display_name": "Python 3", "language": "python"}

FOLDED = {"jupyter": {"source_hidden": True, "outputs_hidden": True}}

# What notebooks import and the package does not bring.
ALSO_NEEDED = ("matplotlib", "ctranslate2", "transformers")
MEASURED = re.compile(r'"(docs/measured/\w+\.json)"')
SEEDS = """\
import random

import torch

# {comment}
torch.manual_seed(0)
random.seed(0)"""
FETCH = """\
from pathlib import Path
from urllib.request import urlretrieve

# {comment}
path = Path("{name}")
if not path.exists():
    path.parent.mkdir(parents=True, exist_ok=True)
    urlretrieve("{address}", path)"""


HEADING = re.compile(r"(#+) (.+?)(?: \{ #([\w-]+) \})?")


def published(page: str) -> str:
    """Return where the notebook of a page is, seen from the root of its language.

    >>> published("practice/data.md")
    'notebooks/practice-data.ipynb'
    """
    name = "-".join(PurePosixPath(page).with_suffix("").parts)
    return f"notebooks/{name}.ipynb"


def is_notebook(page: str) -> bool:
    """Whether a page was written as a notebook.

    >>> is_notebook("practice/translate.py")
    True
    """
    return page.endswith(".py")


def cells_of(page: str, book: Book) -> list[NotebookNode]:
    """Return what the notebook of a page holds; nothing where `notebook: false` wants none."""
    if is_notebook(page):
        cells = notebooks.read(book.folder / page).cells
        for one in cells:
            if one.cell_type == "markdown":
                one.source = fill(one.source, book.language)
        return list(cells)
    source = book.sources[page]
    if not source.meta.get("notebook", True):
        return []
    asking = directives.Page(page, book.language)

    def instead(line: str, anchor: str) -> str | None:
        return directives.in_words(line, asking, f"#{anchor}")

    return [*page_cells.Reader(instead).read(fill(source.text, book.language).splitlines())]


def download(page: str, book: Book, cells: list[NotebookNode]) -> str:
    """Return the notebook of a page as a reader takes it home."""

    def address_of(name: str) -> str | None:
        known = name in book.sources or name.startswith("docs/measured/")
        return book.address(name) if known else None

    t, install = translator(book.language, "site"), book.repository.install
    return Notebook(page, cells, not is_notebook(page), install, address_of, t).text()


def shown(page: str, book: Book, above: str, below: str) -> str:
    """Return a notebook with what its cells gave, as the site shows it, between other Markdown.

    Raises:
        ValueError: a cell fails, or wrote to standard error.
    """
    path = book.folder / page
    outputs = notebooks.outputs_of(path)
    for warning in notebooks.warnings_of(outputs):
        raise ValueError(f"a cell says: {warning}")

    def address_of(name: str) -> str | None:
        if name not in book.sources:
            return None
        return link(url_of(page), book.language, url_of(name), book.language)

    t = translator(book.language, "site")
    one = Notebook(page, cells_of(page, book), False, "", address_of, t)
    return one.with_outputs(outputs, above, below)


def measured(cells: Iterable[NotebookNode]) -> list[str]:
    """Return the measurements in docs/measured/ that cells read."""
    return sorted(set(MEASURED.findall(code_of(cells))))


def code_of(cells: Iterable[NotebookNode]) -> str:
    """Return all the code of cells."""
    return "\n".join(one.source for one in cells if one.cell_type == "code")


@dataclass(frozen=True)
class Notebook:
    """A page that is to be a notebook, with what it must know of the site.

    `address_of` gives the whole address of a page or a file, named as in practice/data.md, or None;
    `install` is what pip is asked for; a `seeded` notebook begins as the tests of the page do.
    """

    page: str
    cells: list[NotebookNode]
    seeded: bool
    install: str
    address_of: Callable[[str], str | None]
    t: Translate

    def text(self) -> str:
        """Return what the file holds."""
        return _written([*self._opening(), *self._finished()])

    def with_outputs(self, outputs: list[list[Any]], above: str, below: str) -> str:
        """Return the notebook with the outputs of its cells, formulas and links made for a page."""
        ids, remaining, cells = set[str](), iter(outputs), [cell("markdown", above)]

        def text_of(one: NotebookNode) -> str:
            return formulas.fill(_anchored(self.prose(one.source, True), ids), _refuse)

        for title, group in groupby(self._shown_cells(), lambda one: one.metadata.get("answer")):
            if title:  # one cell that unfolds, since Jupyter folds none
                parts = [
                    text_of(one)
                    if one.cell_type == "markdown"
                    else notebooks.with_outputs(one, next(remaining), drawn=True)
                    for one in group
                ]
                inside = "\n\n".join([f"<summary>{escape(title)}</summary>", *parts])
                cells.append(cell("markdown", f"<details>{inside}\n\n</details>"))
                continue
            for one in group:
                if one.cell_type == "markdown":
                    cells.append(cell("markdown", text_of(one)))
                else:
                    cells.append(cell("code", one.source))
                    cells[-1].outputs = [_output(output, one) for output in next(remaining)]
        return _written([*cells, cell("markdown", below)])

    def _shown_cells(self) -> list[NotebookNode]:
        return [one for one in self.cells if one.cell_type in ("code", "markdown")]

    def _opening(self) -> Iterator[NotebookNode]:
        """Yield what makes the rest run anywhere."""
        t, code = self.t, code_of(self.cells)
        lines = [f"# {t('From the page')} {self.address_of(self.page)}"]
        if self.install.startswith("-e"):
            lines.append(f"# {t('Put this notebook into the folder of the project first.')}")
        beside = [name for name in ALSO_NEEDED if f"import {name}" in code]
        lines.append(" ".join(["%pip install", self.install, *beside]))
        yield cell("code", "\n".join(lines))
        if self.seeded:
            yield cell("code", SEEDS.format(comment=t("The same random numbers as on the page.")))
        for name in measured(self.cells):
            comment = t("Measurements: they are not in the package.")
            address = self.address_of(name)
            yield cell("code", FETCH.format(comment=comment, name=name, address=address))

    def _finished(self) -> Iterator[NotebookNode]:
        """Yield the cells of the page, answers folded."""
        folded = None
        for one in self._shown_cells():
            title = one.metadata.get("answer")
            if one.cell_type == "markdown":
                text = self.prose(one.source)
                if title:
                    head = "…" if title == folded else escape(title)
                    text = f"<details><summary>{head}</summary>\n\n{text}\n\n</details>"
                yield cell("markdown", text)
            else:
                kept = {"tags": one.metadata["tags"]} if "tags" in one.metadata else {}
                yield cell("code", one.source, **kept, **(FOLDED if title else {}))
            folded = title

    def prose(self, markdown: str, anchors: bool = False) -> str:
        """Return Markdown without what only the site understands; with `anchors`, these stay."""
        lines = [""]
        for line, is_code in outside_fences(markdown.splitlines()):
            if is_code:
                lines.append(TITLE.sub(r"\1`\4`\n\1\n\1\2\3", line))
            elif not TAG.fullmatch(line) and (line or lines[-1]):
                line = line if anchors else ANCHOR.sub("", line)
                line = with_addresses(line, self.page, self.address_of)
                if line.lstrip("> ").startswith("|"):
                    line = BAR.sub(lambda code: code[0].replace("|", r"\|"), line)
                lines.append(BOLD.sub(r"<strong>\1</strong>", line))
        return "\n".join(lines).strip("\n")


def _written(cells: list[NotebookNode]) -> str:
    """Return the file of a notebook, and hold it against the schema."""
    for number, one in enumerate(cells, 1):
        one.id = f"cell-{number}"
    metadata = {"kernelspec": PYTHON}
    notebook = NotebookNode(nbformat=4, nbformat_minor=5, metadata=metadata, cells=cells)
    return str(nbformat.writes(notebook)) + "\n"


def _anchored(markdown: str, ids: set[str]) -> str:
    """Put before each heading the anchor that it names, and the one that mkdocs-jupyter links to.

    >>> print(_anchored("## 句對 { #pairs }", set()))
    <a id="pairs"></a><a id="_1"></a>
    <BLANKLINE>
    ## 句對
    """
    lines = []
    for line, is_code in outside_fences(markdown.splitlines()):
        heading = None if is_code else HEADING.fullmatch(line)
        if heading:
            marks, title, anchor = heading.groups()
            linked = unique(slugify(title, "-"), ids)
            wanted = [name for name in (anchor, linked) if name and name != slugify(title, "-")]
            lines += ["".join(f'<a id="{name}"></a>' for name in dict.fromkeys(wanted)), ""]
            line = f"{marks} {title}"
        lines.append(line)
    return "\n".join(lines).strip("\n")


def _output(output: Any, code: NotebookNode) -> NotebookNode:
    """Return an output; a figure follows the theme of the page and says what it shows."""
    made = NotebookNode(output)
    svg = made.get("data", {}).get("image/svg+xml")
    if svg:
        drawn = element(svg, code.id, code.metadata.get("alt", ""))
        # As HTML, since an image of its own would not follow the theme.
        data = NotebookNode({"text/html": f'<figure class="figure">{drawn}</figure>'})
        return NotebookNode(output_type="display_data", data=data, metadata=NotebookNode())
    return made


def _refuse(problem: str) -> None:
    raise ValueError(problem)
