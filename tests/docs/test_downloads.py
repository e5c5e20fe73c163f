"""Pages leave as notebooks: the same code in the same order, which runs with the package alone."""

import ast
import os
import random
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, Example
from functools import cache
from pathlib import Path, PurePosixPath

import jupytext
import nbformat
import pytest
import torch
from nbclient import NotebookClient
from nbformat import NotebookNode
from sybil.evaluators.doctest import NUMBER, OutputChecker

from docs.builder import directives
from docs.builder.book import Book
from docs.builder.cells import Reader
from docs.builder.downloads import ALSO_NEEDED, MEASURED, SEEDS, Notebook, cells_of
from docs.checks import snippets
from docs.checks.pages import Page, page_files

ROOT = Path(__file__).parents[2]
PAGES = [path for code in ("en", "zh-TW") for path in page_files(ROOT / "docs" / code)]
PAGES = [path for path in PAGES if "reference/api" not in path.as_posix()]
SITE = "https://example.org/book/"
REPOSITORY = "git+https://example.com/OWNER/NAME"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
BROUGHT = {re.split(r"[<>=]", name)[0].replace("-", "_") for name in PROJECT["dependencies"]}
# matplotlib_inline comes with Jupyter.
KNOWN = {"transformer", *BROUGHT, *ALSO_NEEDED, "matplotlib_inline", *sys.stdlib_module_names}
FOLDED = {"jupyter": {"source_hidden": True, "outputs_hidden": True}}

PAGE = """\
# Masks { #masks }

<a id="first"></a>See [data](../practice/data.md#pad), [below](#code), [the paper](https://a.org),
[`causal_mask`][transformer.model.masks.causal_mask], [`Nothing`][elsewhere.Nothing], `a[0](x)`
and $w[i][j]$. **真的。**對。

<div class="options" markdown>

| `a|b` | c |
|---|---|

</div>

<!-- source: rows -->

## Code { #code }

??? info "a < b"

    Text.

    ```python
    x = 1
    ```

    More.
"""
SOURCE = """\
```python title="transformer/model/masks.py"
rows[0][1](../practice/data.md)
```"""
READ = """\
# Masks

See [data](https://example.org/book/practice/data/#pad), \
[below](https://example.org/book/components/masks/#code), [the paper](https://a.org),
[`causal_mask`](https://example.org/book/reference/api/model/masks/\
#transformer.model.masks.causal_mask), [`Nothing`][elsewhere.Nothing], `a[0](x)`
and $w[i][j]$. <strong>真的。</strong>對。

| `a\\|b` | c |
|---|---|

`transformer/model/masks.py`

```python
rows[0][1](../practice/data.md)
```"""


@pytest.fixture(autouse=True)
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what directives stand for: some of it takes minutes to make."""
    monkeypatch.setattr(directives, "in_words", lambda line, page, place: None)


book = cache(Book.load)


def cells(path: Path) -> list[NotebookNode]:
    language, *name = path.relative_to(ROOT / "docs").parts
    return cells_of("/".join(name), book(language))


def address_of(name: str) -> str | None:
    """Where the site has a page or a file."""
    if (ROOT / name).is_file():
        return (ROOT / name).as_uri()
    is_page = (ROOT / "docs" / "en" / name).is_file() or name == "reference/api/model/masks.md"
    return f"{SITE}{PurePosixPath(name).with_suffix('')}/" if is_page else None


def notebook(
    page: str, cells: list[NotebookNode], install: str = REPOSITORY, seeded: bool = False
) -> NotebookNode:
    return nbformat.reads(Notebook(page, cells, seeded, install, address_of, str).text(), 4)


def read(markdown: str) -> list[NotebookNode]:
    instead = {"<!-- source: rows -->": SOURCE}
    return [*Reader(lambda line, anchor: instead.get(line)).read(markdown.splitlines())]


def code(cells: list[NotebookNode]) -> list[str]:
    """Lines of code, commands as the words that they consist of."""
    lines = [
        line for cell in cells if cell.cell_type == "code" for line in cell.source.splitlines()
    ]
    return [str(shlex.split(line[1:])) if line.startswith("!") else line for line in lines]


def code_of_page(page: Page) -> Iterator[str]:
    """Lines of the code that the page's tests run."""
    for fence in page.fences:
        for _, _, parsed, run in snippets.blocks(fence):
            if run is snippets.run_session:
                yield from parsed.source.splitlines()
            elif run is snippets.run_python:
                yield from fence.code.rstrip("\n").splitlines()
            elif run is snippets.run_command:
                yield str(["transformer", *parsed[0]])


def shown(page: Page) -> Iterator[tuple[int, Example]]:
    """What the page shows of its sessions, with the lines."""
    for fence in page.fences:
        for line, _, example, run in snippets.blocks(fence):
            if run is snippets.run_session and example.want:
                yield line, example


def imported(code: str) -> Iterator[str]:
    """Yield the libraries that code imports."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module).partition(".")[0]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT / "docs").as_posix())
def test_a_notebook_has_what_its_page_has_and_needs_the_package_alone(path: Path) -> None:
    page, made = Page.read(path), cells(path)
    if "notebook: false" in page.sections[0].text:
        assert made == []
        return
    codes = [cell for cell in made if cell.cell_type == "code"]
    if path.suffix == ".md":
        assert code(made) == [*code_of_page(page)]
        text = "\n".join(cell.source for cell in made if cell.cell_type == "markdown")
        for part in (*(h.title for h in page.sections[1:]), *(f.text for f in page.formulas)):
            assert part.strip() in text
        for line, example in shown(page):
            where = f"{path}:{line}: {example.source.strip()}"
            shows = isinstance(ast.parse(example.source).body[-1], ast.Expr)
            assert shows or "print(" in example.source, f"{where}: Jupyter shows nothing: print it"
            ends = [cell for cell in codes if cell.source.endswith(example.source.strip("\n"))]
            tags = ["raises-exception"] if example.exc_msg else None
            assert tags in [cell.metadata.get("tags") for cell in ends], where
    for cell in codes:
        if not cell.source.startswith("!"):
            missing = {*imported(cell.source)} - KNOWN
            assert not missing, f"{path}: {missing} does not come with the package"
            for file in re.findall(r"[\"'](docs/[^\"']*)", cell.source):
                advice = "no notebook has it: read docs/measured/, or say `notebook: false`"
                assert MEASURED.search(f'"{file}"'), f"{path}: {file}: {advice}"


def test_prose_is_read_as_on_the_site_and_what_is_folded_is_folded() -> None:
    made = notebook("components/masks.md", read(PAGE))
    assert made == notebook("components/masks.md", read(PAGE))  # the same each time
    opening, prose, heading, text, folded, more = made.cells
    assert opening.source.splitlines()[-1] == f"%pip install {REPOSITORY}"
    assert prose.source == READ
    assert heading.source == "## Code"
    fold = "<details><summary>{}</summary>\n\n{}\n\n</details>"
    assert text.source == fold.format("a &lt; b", "Text.")
    assert folded.metadata == FOLDED
    assert more.source == fold.format("…", "More.")


def test_pages_that_are_notebooks_leave_in_the_same_way() -> None:
    text = '# %% [markdown]\n# # Title { #a }\n#\n# [Here](#a)\n\n# %% answer="A" alt="B"\nx\n'
    read = jupytext.reads(f"# ---\n# a: b\n# ---\n\n{text}", "py:percent").cells
    _, prose, folded = notebook("practice/translate.py", read).cells
    assert prose.source == f"# Title\n\n[Here]({SITE}practice/translate/#a)"
    assert (folded.metadata, folded.outputs) == (FOLDED, [])


@pytest.mark.parametrize("install", [REPOSITORY, "-e ."])
def test_the_first_cell_installs_what_the_rest_imports(install: str) -> None:
    made = read("```python\nimport matplotlib.pyplot as plt\n```")
    first = notebook("practice/data.md", made, install).cells[0].source.splitlines()
    assert first[0] == f"# From the page {SITE}practice/data/"
    assert first[-1] == f"%pip install {install} matplotlib"
    assert ("the folder of the project" in "".join(first)) == (install == "-e .")


def test_random_numbers_are_those_of_the_page() -> None:
    snippets.fresh({})
    wanted = random.random(), torch.rand(3).tolist()
    exec(SEEDS.format(comment=""), {})
    assert wanted == (random.random(), torch.rand(3).tolist())


@pytest.mark.notebook
@pytest.mark.parametrize("name", ["en/components/masks.md", "zh-TW/reference/calling-sequence.md"])
def test_a_notebook_runs_elsewhere_and_prints_what_the_page_shows(
    tmp_path: Path, name: str
) -> None:
    path = ROOT / "docs" / name
    made = notebook("/".join(path.parts[-2:]), cells(path), seeded=True)
    made.cells = made.cells[1:]  # as if it had installed the package
    (tmp_path / "installed").mkdir()
    (tmp_path / "installed" / "transformer").symlink_to(ROOT / "transformer")
    environment = os.environ | {
        "PYTHONPATH": str(tmp_path / "installed"),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    }
    client = NotebookClient(made, kernel_name="python3", timeout=300, coalesce_streams=True)
    client.execute(cwd=tmp_path, env=environment)
    code = [cell for cell in made.cells if cell.cell_type == "code"]
    for _, example in shown(Page.read(path)):
        cell = next(cell for cell in code if cell.source.endswith(example.source.rstrip("\n")))
        code.remove(cell)
        assert agrees(example, printed(cell)), f"{example.source}{example.want}{printed(cell)}"


def printed(cell: NotebookNode) -> str:
    """What a reader sees below a cell."""
    return "".join(
        f"{output.ename}: {output.evalue}\n"
        if output.output_type == "error"
        else output.get("text") or output.data["text/plain"] + "\n"
        for output in cell.outputs
    )


def agrees(example: Example, printed: str) -> bool:
    want = example.want.replace("<BLANKLINE>", "")
    if example.exc_msg:  # Jupyter names errors without their modules
        want = re.sub(r"^[\w.]+\.(?=\w+:)", "", example.exc_msg)
    lines = ("\n".join(filter(None, text.splitlines())) for text in (want, printed))
    options = ELLIPSIS | NORMALIZE_WHITESPACE | NUMBER
    return bool(OutputChecker().check_output(*lines, options))
