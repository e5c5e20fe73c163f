"""Notebooks run, and read as pages."""

import json
import re
from itertools import zip_longest
from pathlib import Path
from types import SimpleNamespace

import jupytext
import pytest
from docs.hooks.notebooks import on_page_read_source
from markdown import markdown as to_html
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import BuildError
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page as SitePage
from mkdocs_jupyter.plugin import NotebookFile

from docs.builder import notebooks
from docs.builder.notebooks import outputs_of, read, to_markdown
from docs.checks.pages import CJK, Page

NUMBER = re.compile(r"\d+")
ROOT = Path(__file__).parents[2]
ENGLISH, CHINESE = ROOT / "docs/en", ROOT / "docs/zh-TW"
NOTEBOOKS = sorted(path.relative_to(ENGLISH) for path in ENGLISH.rglob("*.py"))

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
---
description: A page.
---

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
def file(tmp_path: Path) -> NotebookFile:
    """The notebook above, in a folder of pages."""
    (tmp_path / "practice").mkdir()
    (tmp_path / "practice/page.py").write_text(TEXT, "utf-8")
    return notebook_file(tmp_path, Path("practice/page.py"))


def notebook_file(folder: Path, name: Path) -> NotebookFile:
    paths = {"use_directory_urls": True, "site_dir": "site"}
    return NotebookFile(File(name.as_posix(), str(folder), "site", True), **paths)


def english() -> MkDocsConfig:
    config = MkDocsConfig()
    config.load_dict({"site_name": "A site"})
    config.validate()
    config.theme["language"] = "en"
    return config


def test_the_checks_see_a_notebook_as_a_page_line_for_line() -> None:
    page = Page.parse(Path("page.py"), TEXT)
    assert [(h.line, h.anchor) for h in page.headings] == [(6, "numbers"), (18, "more")]
    assert [item.text for item in page.links] == ["../components/masks.md#code", "#more"]
    cells = [cell for cell in jupytext.reads(TEXT, "py:percent").cells if cell.cell_type == "code"]
    assert [fence.code.strip("\n") for fence in page.fences] == [cell.source for cell in cells]
    assert all(fence.closed for fence in page.fences)
    for fence in page.fences:
        assert TEXT.splitlines()[fence.line] == fence.code.splitlines()[0]


def test_a_notebook_becomes_a_page(file: NotebookFile) -> None:
    markdown = to_markdown(read(Path(file.abs_src_path)), OUTPUTS)
    figure = markdown[markdown.index("<svg") : markdown.index("</figure>")]
    assert markdown.replace(figure, "FIGURE") == PAGE
    assert 'aria-label="A line."' in figure
    assert "var(--figure-accent)" in figure


def test_nothing_that_a_cell_says_gets_out_of_its_fence(file: NotebookFile) -> None:
    said = [{"output_type": "stream", "name": "stdout", "text": "```\n<b>raw</b>\n````\n"}]
    page = to_markdown(read(Path(file.abs_src_path)), [said, []])
    html = to_html(page, extensions=["pymdownx.superfences"])
    assert "<b>" not in html
    assert "&lt;b&gt;raw" in html


def test_cells_run_again_only_when_code_changed(
    file: NotebookFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = []
    monkeypatch.setattr("docs.builder.cache.FOLDER", tmp_path / "cache")
    monkeypatch.setattr(notebooks, "run", lambda codes: runs.append(codes) or json.dumps([OUTPUTS]))
    page, config = SitePage("A page", file, english()), english()
    path = Path(file.abs_src_path)
    for text in (TEXT, TEXT.replace("See", "Read"), TEXT.replace("21", "20")):
        path.write_text(text, "utf-8")
        on_page_read_source(page, config)
    assert len(runs) == 2


@pytest.mark.notebook
def test_languages_share_a_run() -> None:
    english = ["n = 1", "n += 1  # one more", 'print("now", n)', "n"]
    chinese = ["n = 1", "n += 1  # 多一", 'print("現在", n)', "n"]
    ours, theirs = json.loads(notebooks.run([english, chinese]))
    assert [printed(outputs) for outputs in ours] == ["", "", "now 2\n", ""]
    assert [printed(outputs) for outputs in theirs] == ["", "", "現在 2\n", ""]
    assert ours[-1] == theirs[-1]
    longer = json.loads(notebooks.run([english, [*chinese, "print(n)"]]))
    assert [len(outputs) for outputs in longer] == [4, 5]


@pytest.mark.notebook
def test_a_cell_that_fails_is_named(
    file: NotebookFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs.builder.cache.FOLDER", tmp_path / "cache")
    with pytest.raises(BuildError, match=r"(?s)practice/page\.py.*name 'plot' is not defined"):
        on_page_read_source(SitePage("A page", file, english()), english())
    assert not list((tmp_path / "cache").rglob("notebooks/*"))


def test_a_cell_that_warns_is_heard(
    file: NotebookFile, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    warning = {"output_type": "stream", "name": "stderr", "text": "UserWarning: careful"}
    monkeypatch.setattr("docs.hooks.notebooks.outputs_of", lambda _: [[warning], []])
    on_page_read_source(SitePage("A page", file, english()), english())
    assert "practice/page.py: a cell says: UserWarning: careful" in caplog.text


@pytest.mark.parametrize("name", NOTEBOOKS, ids=str)
def test_both_languages_have_the_same_cells(name: Path) -> None:
    ours, theirs = (jupytext.read(folder / name).cells for folder in (ENGLISH, CHINESE))
    lines = (CHINESE / name).read_text("utf-8").splitlines()
    places = [number for number, line in enumerate(lines, 1) if line.startswith("# %%")]
    for place, one, other in zip_longest(places, ours, theirs):
        where = f"docs/zh-TW/{name}:{place or len(lines)}"
        assert one, f"{where}: the English notebook ends before this cell: take it out, or add one"
        assert other, f"{where}: a cell is missing after this line: {one.source[:60]!r}"
        wanted, found = shape(one), shape(other)
        assert wanted == found, f"{where}: this cell is {found}, the English one {wanted}"
        for key in found[1]:
            value = other.metadata[key]
            assert CJK.search(value), f"{where}: {key}={value!r} is not Chinese: translate it"


@pytest.mark.parametrize("name", NOTEBOOKS, ids=str)
def test_cells_of_words_define_nothing_for_others(name: Path) -> None:
    ours, theirs = (
        [cell.source for cell in read(folder / name).cells if cell.cell_type == "code"]
        for folder in (ENGLISH, CHINESE)
    )
    advice = "defined in words of a language and used in a cell that runs once: make it one cell"
    assert not (found := notebooks.worded(ours, theirs)), f"{name}: {', '.join(found)}: {advice}"


def shape(cell: SimpleNamespace) -> tuple[str, set[str]]:
    return cell.cell_type, cell.metadata.keys() & {"alt", "answer"}


@pytest.mark.build
@pytest.mark.usefixtures("built")  # which runs them
@pytest.mark.parametrize("name", NOTEBOOKS, ids=str)
def test_a_notebook_runs_alike_in_both_languages(name: Path) -> None:
    ours, theirs = (outputs_of(folder / name) for folder in (ENGLISH, CHINESE))
    code = [cell for cell in read(ENGLISH / name).cells if cell.cell_type == "code"]
    assert [kinds(outputs) for outputs in ours] == [kinds(outputs) for outputs in theirs]
    file = f"docs/en/{name}"
    for cell, outputs, others in zip(code, ours, theirs, strict=True):
        first = cell.source.splitlines()[0]
        numbers = [sorted(NUMBER.findall(printed(each))) for each in (outputs, others)]
        advice = "where words differ it runs again: it may not change what it reads"
        assert numbers[0] == numbers[1], f"{file}: the cell “{first}”: {advice}"
        assert "stderr" not in kinds(outputs), f"{file}: the cell “{first}” says {outputs}"
        draws, says = "image/svg+xml" in kinds(outputs), "alt" in cell.metadata
        advice = (
            'describe what it draws: # %% alt="…"' if draws else "it draws nothing: drop its alt"
        )
        assert draws == says, f"{file}: the cell “{first}”: {advice}"


def printed(outputs: list[dict]) -> str:
    return " ".join(output["text"] for output in outputs if output["output_type"] == "stream")


def kinds(outputs: list[dict]) -> list[str]:
    """What each output of a cell is."""
    return [kind for output in outputs for kind in output.get("data", [output.get("name")])]
