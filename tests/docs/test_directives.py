"""What a page can ask for: found where it is meant, refused where it is wrong, left where shown."""

import re
from pathlib import Path

import pytest
from markdown import markdown as to_html

from docs.builder.directives import KINDS, Page, expand, insert, products
from docs.builder.markdown import fenced
from docs.checks.pages import page_files

ROOT = Path(__file__).parents[2]
PAGE = Page("practice/data.md", "en")
SOURCE = "transformer.model.masks.causal_mask"
EXTENSIONS = ["pymdownx.superfences", "pymdownx.details", "md_in_html", "tables"]


def refused(markdown: str) -> str:
    """The one complaint about a page, which stays as it is."""
    complaints: list[str] = []
    assert insert(expand(markdown, PAGE, complaints.append), PAGE, complaints.append).split() == (
        markdown.split()
    )
    (complaint,) = complaints
    return complaint


def wrong(complaint: object) -> None:
    pytest.fail(str(complaint))


@pytest.mark.parametrize(
    ("directive", "message"),
    [
        ("<!-- tabel: scores -->", "there is no directive tabel; the nearest is table"),
        ("<!-- Table: scores -->", "there is no directive Table; the nearest is table"),
        ("<!-- picture: scores -->", "there is no directive picture; there are calltree, figure,"),
        ("<!--table: scores-->", "write <!-- table: NAME -->, with these spaces, on a line"),
        ("<!-- table : scores -->", "write <!-- table: NAME -->, with these spaces, on a line"),
        ("<!-- table scores -->", "write <!-- table: NAME -->, with these spaces, on a line"),
        ("<!-- table:  -->", "write <!-- table: NAME -->, with these spaces, on a line"),
        ("<!-- table: scores", "write <!-- table: NAME -->, with these spaces, on a line"),
        ("See <!-- table: scores --> here.", "on a line of its own"),
        ("- <!-- table: scores -->", "on a line of its own"),
        ("<!-- table: score -->", "there is no such table; the nearest is scores"),
        ("<!-- figure: mask_leak -->", "docs/figures/mask_leak.py; the nearest is masks_leak"),
        ("<!-- figure: _style -->", "there is no docs/figures/_style.py"),
        ("<!-- calltree: encoder_layr -->", "has no such run; the nearest is encoder_layer"),
        ("<!-- options: trian -->", "there is no such command; the nearest is train"),
        ("<!-- glossary: words -->", "there are terms"),
        ("<!-- source: transformer.model.masks.nothing -->", "no function or class 'nothing'"),
        ("<!-- source: transformer.nowhere.nothing -->", "no module of"),
    ],
)
def test_what_is_wrong_is_said(directive: str, message: str) -> None:
    complaint = refused(f"Before.\n\n{directive}\n\nAfter.")
    assert complaint.startswith("en/practice/data.md: <!--")
    assert message in complaint


@pytest.mark.parametrize(
    "markdown",
    [
        "```markdown\n<!-- table: scores -->\n<!-- tabel: scores -->\n```",
        "   ~~~~\n   ~~~\n   <!-- table: scores -->\n   ~~~~",
        "````\n```\n<!-- figure: architecture -->\n````",
        "1. a\n\n    ```markdown\n    <!-- table: scores -->\n    ```",
        "| `<!-- table: NAME -->` | ``<!-- tabel: x -->`` |",
        "<!-- A comment for people. -->",
        "<!-- TODO: a picture -->",
        "<!-- table of what is left to do -->",
    ],
)
def test_what_is_shown_or_meant_for_people_stays(markdown: str) -> None:
    assert expand(markdown, PAGE, wrong) == markdown
    html = to_html(markdown, extensions=EXTENSIONS)
    assert insert(html, PAGE, wrong) == html


def test_a_fence_ends_where_it_ends() -> None:
    page = f"```python\nx = 1\n```\n\n<!-- source: {SOURCE} -->\n"
    assert "def causal_mask" in expand(page, PAGE, wrong)


@pytest.mark.parametrize(
    "around", ["- item\n\n    {}\n\n    more", '??? note "Folded"\n\n    {}\n\n    more']
)
@pytest.mark.parametrize(
    ("directive", "shown"),
    [
        (f"<!-- source: {SOURCE} -->", "<code"),
        ("<!-- table: scores -->", "<table>"),
        ("<!-- figure: drawn -->", '<figure class="figure" data-search-exclude><svg>'),
    ],
)
def test_in_a_list_or_a_folded_answer(
    around: str, directive: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    figure = "docs.builder.directives.figure.render"
    html = '<figure class="figure" data-search-exclude><svg></svg></figure>'
    monkeypatch.setattr(figure, lambda *_: html)
    page = expand(around.format(directive), PAGE, wrong)
    built = insert(to_html(page, extensions=EXTENSIONS), PAGE, wrong)
    assert shown in built
    inside = built.rpartition("</li>" if around.startswith("-") else "</details>")[0]
    assert shown in inside
    assert "<p>more</p>" in inside
    assert "<p><figure" not in built


def test_each_language_has_its_own_words() -> None:
    english, chinese = (
        expand("<!-- table: scores -->", Page("a.md", language), wrong)
        for language in ("en", "zh-TW")
    )
    assert english.startswith("| split |")
    assert chinese.startswith("| 資料 |") or "split" not in chinese


def test_no_line_of_code_closes_its_fence() -> None:
    code = "x = 1\n```\n<b>raw</b>\n````"
    html = to_html(fenced(code, "text"), extensions=EXTENSIONS)
    assert "<b>" not in html
    assert "&lt;b&gt;raw" in html


def test_what_is_slow_is_known_before_pages_ask() -> None:
    page = "```\n<!-- figure: masks_leak -->\n```\n<!-- figure: nothing -->\n<!-- what: x -->\n"
    page += (
        "<!-- figure: architecture -->\n<!-- table: scores -->\n  <!-- calltree: encoder_layer -->"
    )
    assert [(item.kind, item.name) for item in products(page, "en")] == [
        ("figure", "architecture"),
        ("tree", "encoder_layer"),
    ]


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_the_pages_use_every_kind(language: str) -> None:
    text = "".join(path.read_text("utf-8") for path in page_files(ROOT / "docs" / language))
    assert [kind for kind in KINDS if not re.search(rf"\n *<!-- {kind}: ", text)] == []
