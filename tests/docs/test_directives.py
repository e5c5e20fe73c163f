"""What a page can ask for: found where it is meant, refused where it is wrong, left where shown."""

import re
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from markdown import markdown as to_html

from docs.builder.directives import KINDS, Complain, Page, artifacts, expand, insert
from docs.builder.markdown import fenced
from docs.checks.pages import page_files

ROOT = Path(__file__).parents[2]
PAGE = Page("practice/data.md", "en")
SOURCE = "transformer.model.masks.causal_mask"
EXTENSIONS = ["pymdownx.superfences", "pymdownx.details", "md_in_html", "tables"]


def filled(markdown: str, complain: Complain = pytest.fail) -> str:
    return insert(expand(markdown, PAGE, complain), PAGE, complain)


@pytest.mark.parametrize(
    ("directive", "message"),
    [
        ("<!-- tabel: scores -->", "there is no directive tabel; the nearest is table"),
        ("<!-- Table: scores -->", "there is no directive Table; the nearest is table"),
        ("<!-- picture: scores -->", "there is no directive picture; there are calltree, changes,"),
        ("<!--table: scores-->", "write <!-- table: NAME -->, with these spaces, on a line"),
        ("<!-- table : scores -->", "write <!-- table: NAME -->, with these spaces, on a line"),
        ("<!-- table scores -->", "write <!-- table: NAME -->, with these spaces, on a line"),
        ("<!-- table:  -->", "write <!-- table: NAME -->, with these spaces, on a line"),
        ("<!-- table: scores", "write <!-- table: NAME -->, with these spaces, on a line"),
        ("See <!-- table: scores --> here.", "on a line of its own"),
        ("- <!-- table: scores -->", "on a line of its own"),
        ("<!-- table: score -->", "there is no docs/tables/score.py; the nearest is scores"),
        ("<!-- figure: mask_leak -->", "docs/figures/mask_leak.py; the nearest is masks_leak"),
        ("<!-- figure: _style -->", "there is no docs/figures/_style.py"),
        ("<!-- calltree: encoder_layr -->", "has no such run; the nearest is encoder_layer"),
        ("<!-- options: trian -->", "there is no such command; the nearest is train"),
        ("<!-- glossary: words -->", "there are terms"),
        ("<!-- source: transformer.model.masks.nothing -->", "no function or class 'nothing'"),
        ("<!-- source: transformer.nowhere.nothing -->", "no module of"),
    ],
)
def test_what_is_wrong_is_reported_and_stays(directive: str, message: str) -> None:
    complaints: list[str] = []
    markdown = f"Before.\n\n{directive}\n\nAfter."
    assert filled(markdown, complaints.append).split() == markdown.split()
    (complaint,) = complaints
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
    assert filled(markdown) == markdown


@pytest.mark.parametrize(
    "around", ["- item\n\n    {}\n\n    more", '??? a "B"\n\n    {}\n\n    more']
)
@pytest.mark.parametrize(
    ("directive", "shown"),
    [(f"<!-- source: {SOURCE} -->", "<code"), ("<!-- table: scores -->", "<table>")],
)
def test_in_a_list_or_a_folded_answer(around: str, directive: str, shown: str) -> None:
    html = to_html(filled(around.format(directive)), extensions=EXTENSIONS)
    inside = html.rpartition("</li>" if around.startswith("-") else "</details>")[0]
    assert shown in inside
    assert "<p>more</p>" in inside


def test_html_is_one_line_that_markdown_leaves_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    svg = "<figure><svg>\n<text>a_b *c*</text>\n</svg></figure>"
    monkeypatch.setattr("docs.builder.directives.figure.render", lambda *_: svg)
    html = to_html(filled("Before.\n<!-- figure: drawn -->\nAfter."), extensions=EXTENSIONS)
    assert "<p>Before.</p>" in html
    assert "<p><figure" not in html
    assert "".join(fromstring(f"<div>{html}</div>").itertext()).split() == (
        ["Before.", "a_b", "*c*", "After."]
    )
    complaints: list[str] = []
    filled("- item\n\n    <!-- figure: drawn -->", complaints.append)
    assert complaints == [
        "en/practice/data.md: <!-- figure: drawn -->: write it at the start of the line"
    ]


def test_each_language_has_its_own_words() -> None:
    page = Page("a.md", "zh-TW")
    assert expand("<!-- table: scores -->", PAGE, pytest.fail).startswith("| split |")
    assert "split" not in expand("<!-- table: scores -->", page, pytest.fail)


def test_no_line_of_code_closes_its_fence() -> None:
    html = to_html(fenced("x = 1\n```\n<b>raw</b>\n````", "text"), extensions=EXTENSIONS)
    assert "<b>" not in html
    assert "&lt;b&gt;raw" in html


def test_what_is_slow_is_known_before_pages_ask() -> None:
    lines = ["```", "<!-- figure: masks_leak -->", "```", "<!-- figure: nothing -->"]
    lines += ["<!-- what: x -->", "<!-- figure: architecture -->", "<!-- table: scores -->"]
    lines += ["  <!-- calltree: encoder_layer -->"]
    found = [(item.kind, item.name) for item in artifacts("\n".join(lines), "en")]
    assert found == [("figure", "architecture"), ("tree", "encoder_layer")]


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_the_pages_use_every_kind(language: str) -> None:
    text = "".join(path.read_text("utf-8") for path in page_files(ROOT / "docs" / language))
    assert [kind for kind in KINDS if not re.search(rf"\n *<!-- {kind}: ", text)] == []
