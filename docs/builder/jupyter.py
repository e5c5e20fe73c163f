"""Notebooks that leave the site: a cell that installs the package, then a page as Jupyter reads it.

They hold no outputs. Links are whole, since the notebook will lie anywhere.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import PurePosixPath

import nbformat
from nbformat import NotebookNode

from docs.builder.markdown import outside_fences
from docs.builder.page_cells import cell
from docs.builder.translations import Translate

ANCHOR = re.compile(r"[ \t]*\{ #[\w-]+ \}$|<a id=\"[\w-]+\"></a>")
TAG = re.compile(r"</?div\b[^>]*>")
TITLE = re.compile(r'^([> ]*)(`{3,})(\w+) title="([^"]+)"')  # of a fence
# Links, and what looks like them in code and formulas; a `[name][object]` leads to the API.
LINKS = re.compile(
    r"\[(?P<text>(?:`[^`]+`|[^\[\]`$])+)\]\[(?P<object>[\w.]*)\]"
    r"|\]\((?P<target>(?!\w+:)[^)\s]+)"
    r"|(?P<ticks>`+).+?(?P=ticks)|\$[^$]+\$"
)
# Between a full stop and a character, CommonMark would find no end of what is bold.
BOLD = re.compile(r"\*\*([^*]+[^\w\s*])\*\*(?=\w)")
BAR = re.compile(r"`[^`]+`")  # in a table: Jupyter cuts cells at the bars of their code
PYTHON = {"name": "python3", "display_name": "Python 3", "language": "python"}

FOLDED = {"jupyter": {"source_hidden": True, "outputs_hidden": True}}

BESIDE = ("matplotlib", "ctranslate2")  # what notebooks import and the package does not bring
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


def published(page: str) -> str:
    """Return where the notebook of a page is, seen from the root of its language.

    >>> published("practice/data.md")
    'practice/data.ipynb'
    """
    return PurePosixPath(page).with_suffix(".ipynb").as_posix()


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
        cells = [*self._opening(), *self._finished()]
        for number, one in enumerate(cells, 1):
            one.id = f"cell-{number}"
        metadata = {"kernelspec": PYTHON}
        notebook = NotebookNode(nbformat=4, nbformat_minor=5, metadata=metadata, cells=cells)
        return str(nbformat.writes(notebook)) + "\n"  # and holds it against the schema

    def _opening(self) -> Iterator[NotebookNode]:
        """Yield what makes the rest run anywhere."""
        t, code = self.t, code_of(self.cells)
        lines = [f"# {t('From the page')} {self.address_of(self.page)}"]
        if self.install.startswith("-e"):
            lines.append(f"# {t('Put this notebook into the folder of the project first.')}")
        beside = [name for name in BESIDE if f"import {name}" in code]
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
        for one in self.cells:
            title = one.metadata.get("answer")
            if one.cell_type == "markdown":
                text = self.prose(one.source)
                if title:
                    head = "…" if title == folded else escape(title)
                    text = f"<details><summary>{head}</summary>\n\n{text}\n\n</details>"
                yield cell("markdown", text)
            elif one.cell_type == "code":
                kept = {"tags": one.metadata["tags"]} if "tags" in one.metadata else {}
                yield cell("code", one.source, **kept, **(FOLDED if title else {}))
            folded = title

    def prose(self, markdown: str) -> str:
        """Return Markdown without what only the site understands."""
        lines = [""]
        for line, is_code in outside_fences(markdown.splitlines()):
            if is_code:
                lines.append(TITLE.sub(r"\1`\4`\n\1\n\1\2\3", line))
            elif not TAG.fullmatch(line) and (line or lines[-1]):
                line = LINKS.sub(self._whole, ANCHOR.sub("", line))
                if line.lstrip("> ").startswith("|"):
                    line = BAR.sub(lambda code: code[0].replace("|", r"\|"), line)
                lines.append(BOLD.sub(r"<strong>\1</strong>", line))
        return "\n".join(lines).strip("\n")

    def _whole(self, link: re.Match[str]) -> str:
        if link["text"]:
            name = link["object"] or link["text"].strip("`")
            address = self._api(name)
            return f"[{link['text']}]({address})" if address else link["text"]
        if link["target"]:
            path, _, anchor = link["target"].partition("#")
            folder = posixpath.dirname(self.page)
            file = posixpath.normpath(posixpath.join(folder, path)) if path else self.page
            address = self.address_of(file)
            if address:
                return f"]({address}{anchor and '#'}{anchor}"
        return link[0]

    def _api(self, name: str) -> str | None:
        """Return where the reference has an object of the package."""
        parts = name.split(".")
        for length in range(len(parts), 1, -1):
            address = self.address_of(f"reference/api/{'/'.join(parts[1:length])}.md")
            if address:
                return f"{address}#{name}"
        return None
