"""Notebooks run, and read as pages."""

import json
import re
from itertools import zip_longest
from pathlib import Path

import jupytext
import pytest
from markdown import markdown as to_html
from nbformat import NotebookNode

from docs.builder import downloads, notebooks
from docs.builder.book import Book
from docs.builder.notebooks import outputs_of, read, to_markdown
from docs.checks.pages import CJK, Page

NUMBER = re.compile(r"\d+")
ROOT = Path(__file__).parents[2]
FOLDERS = ROOT / "docs/en", ROOT / "docs/zh-TW"
NOTEBOOKS = sorted(path.relative_to(FOLDERS[0]) for path in FOLDERS[0].rglob("*.py"))
NAME = "practice/page.py"

TEXT = """\
# ---
# description: A page.
# ---

# %% [markdown]
# # Numbers { #numbers }
#
# See [masks](../components/masks.md#code), [below](#more), [`F`][transformer.f.F].

# %%
def double(x):
    return 2 * x


print(double(21))

# %% [markdown]
# ## More { #more }

# %% answer="Answer" alt="A line."
plot(double)

# %% [markdown] answer="Answer"
# It rises.
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0" style="stroke:#010205"/></svg>'
OUTPUTS = [
    [{"output_type": "stream", "name": "stdout", "text": "42\n"}],
    [{"output_type": "display_data", "data": {"image/svg+xml": SVG, "text/plain": "<Figure>"}}],
]
PAGE = """\
# Numbers { #numbers }

See [masks](../components/masks.md#code), [below](#more), [`F`][transformer.f.F].

```python
def double(x):
    return 2 * x


print(double(21))
```

``` { .text .output }
42
```

## More { #more }

??? success "Answer"

    ```python
    plot(double)
    ```

    <figure class="figure" data-search-exclude>FIGURE</figure>

    It rises.
"""


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Book:
    """A book of the notebook above, with a cache of its own."""
    monkeypatch.setattr("docs.builder.book.ROOT", tmp_path)
    monkeypatch.setattr("docs.builder.cache.FOLDER", tmp_path / "cache")
    book = Book("en", "https://example.org/", {"nav": [{"Page": NAME}]})
    (book.folder / "practice").mkdir(parents=True)
    (book.folder / NAME).write_text(TEXT, "utf-8")
    return book


def test_the_checks_see_a_notebook_as_a_page_line_for_line() -> None:
    page = Page.parse(".py", TEXT)
    assert [(h.line, h.anchor) for h in page.sections[1:]] == [(6, "numbers"), (18, "more")]
    links = ["../components/masks.md#code", "#more", "transformer.f.F"]
    assert [item.text for item in page.links] == links
    cells = [cell for cell in jupytext.reads(TEXT, "py:percent").cells if cell.cell_type == "code"]
    assert [fence.code.strip("\n") for fence in page.fences] == [cell.source for cell in cells]
    for fence in page.fences:
        assert fence.closed
        assert TEXT.splitlines()[fence.line] == fence.code.splitlines()[0]


def test_a_notebook_becomes_a_page(book: Book) -> None:
    markdown = to_markdown(read(book.folder / NAME), OUTPUTS)
    figure = markdown[markdown.index("<svg") : markdown.index("</figure>")]
    assert markdown.replace(figure, "FIGURE") == PAGE
    assert 'aria-label="A line."' in figure
    assert "var(--figure-accent)" in figure
    assert "*A line.*" in to_markdown(read(book.folder / NAME), OUTPUTS, drawn=False)


def test_nothing_that_a_cell_prints_gets_out_of_its_fence(book: Book) -> None:
    printed = [{"output_type": "stream", "name": "stdout", "text": "```\n<b>raw</b>\n````\n"}]
    page = to_markdown(read(book.folder / NAME), [printed, []])
    html = to_html(page, extensions=["pymdownx.superfences"])
    assert "<b>" not in html
    assert "&lt;b&gt;raw" in html


def test_cells_run_again_only_when_code_changed(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = []
    monkeypatch.setattr(notebooks, "run", lambda codes: runs.append(codes) or json.dumps([OUTPUTS]))
    for text in (TEXT, TEXT.replace("See", "Read"), TEXT.replace("21", "20")):
        (book.folder / NAME).write_text(text, "utf-8")
        outputs_of(book.folder / NAME)
    assert len(runs) == 2


@pytest.mark.notebook
def test_languages_share_a_run() -> None:
    english = ["n = 1", "n += 1  # one more", 'print("now", n)', "n"]
    chinese = ["n = 1", "n += 1  # 多一", 'print("現在", n)', "n"]
    first, second = json.loads(notebooks.run([english, chinese]))
    assert [printed(outputs) for outputs in first] == ["", "", "now 2\n", ""]
    assert [printed(outputs) for outputs in second] == ["", "", "現在 2\n", ""]
    assert first[-1] == second[-1]
    longer = json.loads(notebooks.run([english, [*chinese, "print(n)"]]))
    assert [len(outputs) for outputs in longer] == [4, 5]


@pytest.mark.notebook
def test_a_cell_that_fails_is_named_and_its_outputs_are_not_kept(
    book: Book, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=r"a cell fails(?s:.*)name 'plot' is not defined"):
        outputs_of(book.folder / NAME)
    assert not list((tmp_path / "cache").rglob("notebook/*"))


def test_a_cell_that_warns_is_reported(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    warning = {"output_type": "stream", "name": "stderr", "text": "UserWarning: careful"}
    monkeypatch.setattr(notebooks, "outputs_of", lambda _: [[warning], []])
    with pytest.raises(ValueError, match="a cell says: UserWarning: careful"):
        downloads.shown(NAME, book, "", "")


def shape(cell: NotebookNode) -> tuple[str, set[str]]:
    return cell.cell_type, cell.metadata.keys() & {"alt", "answer"}


@pytest.mark.parametrize("name", NOTEBOOKS, ids=str)
def test_both_languages_have_the_same_cells(name: Path) -> None:
    english, chinese = (jupytext.read(folder / name).cells for folder in FOLDERS)
    lines = (FOLDERS[1] / name).read_text("utf-8").splitlines()
    starts = [number for number, line in enumerate(lines, 1) if line.startswith("# %%")]
    for start, one, other in zip_longest(starts, english, chinese):
        where = f"docs/zh-TW/{name}:{start or len(lines)}"
        assert one, f"{where}: the English notebook ends before this cell: take it out, or add one"
        assert other, f"{where}: a cell is missing after this line: {one.source[:60]!r}"
        wanted, found = shape(one), shape(other)
        assert wanted == found, f"{where}: this cell is {found}, the English one {wanted}"
        for key in found[1]:
            value = other.metadata[key]
            assert CJK.search(value), f"{where}: {key}={value!r} is not Chinese: translate it"


@pytest.mark.build
@pytest.mark.usefixtures("built")  # which runs them
@pytest.mark.parametrize("name", NOTEBOOKS, ids=str)
def test_a_notebook_runs_alike_in_both_languages(name: Path) -> None:
    first, second = (outputs_of(folder / name) for folder in FOLDERS)
    code = [cell for cell in read(FOLDERS[0] / name).cells if cell.cell_type == "code"]
    for cell, outputs, others in zip(code, first, second, strict=True):
        where = f"docs/en/{name}: the cell “{cell.source.splitlines()[0]}”"
        assert kinds(outputs) == kinds(others), where
        numbers = [sorted(NUMBER.findall(printed(each))) for each in (outputs, others)]
        advice = "where words differ it runs again: it may not change what it reads"
        assert numbers[0] == numbers[1], f"{where}: {advice}"
        assert "stderr" not in kinds(outputs), f"{where} says {outputs}"
        draws, described = "image/svg+xml" in kinds(outputs), "alt" in cell.metadata
        assert draws == described, f'{where}: # %% alt="…" describes what it draws, and only that'


def printed(outputs: list[dict]) -> str:
    return " ".join(output["text"] for output in outputs if output["output_type"] == "stream")


def kinds(outputs: list[dict]) -> list[str]:
    """What each output of a cell is."""
    return [kind for output in outputs for kind in output.get("data", [output.get("name")])]
