"""Values are printed as each language writes them; each is printed by a page or a description."""

from pathlib import Path

import polib
import pytest

from docs.builder import values
from docs.builder.values import VALUE, fill
from docs.checks.pages import Page, page_files

DOCS = Path(__file__).parents[2] / "docs"
KNOWN = {"a.count": 63_082_496, "a.few": 407, "a.share": 0.992, "a.range": [368, 380.4]}


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "known", lambda: KNOWN)


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("asked", "english", "chinese"),
    [
        ("a.count", "63,082,496", "63,082,496"),
        ("a.count .1m", "63.1 million", "6,310 萬"),
        ("a.few", "407", "407"),
        ("a.share .1%", "99.2%", "99.2%"),
        ("a.range", "between 368 and 380.4", "368 到 380.4"),
        ("a.range .0f", "between 368 and 380", "368 到 380"),
        ("a.range .0m", "0 million", "0 萬"),
        ("a.range high .0f", "380", "380"),
    ],
)
def test_a_value_is_printed_in_each_language(asked: str, english: str, chinese: str) -> None:
    text = f"It is <!-- value: {asked} -->."
    assert fill(text, "en", pytest.fail) == f"It is {english}."
    assert fill(text, "zh-TW", pytest.fail) == f"It is {chinese}."


@pytest.mark.parametrize(
    ("number", "english", "chinese"),
    [(163_889_152, "163.9 million", "1 億 6,390 萬"), (2e8, "200.0 million", "2 億")],
)
def test_millions_are_counted_in_ten_thousands(number: float, english: str, chinese: str) -> None:
    assert values.written(number, 1, "m", "en") == english
    assert values.written(number, 1, "m", "zh-TW") == chinese


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("directive", "problem"),
    [
        ("<!-- value: a.shares -->", "there is no such value; the nearest is a.share"),
        ("<!-- value: a.few high -->", "this value has no high end: it is 407"),
        ("<!--value: a.few-->", "write <!-- value: NAME [low|high] [FORMAT] -->"),
        ("<!-- value: a.few 2 -->", "write <!-- value: NAME [low|high] [FORMAT] -->"),
    ],
)
def test_what_cannot_be_printed_is_complained_of(directive: str, problem: str) -> None:
    complaints: list[str] = []
    assert fill(directive, "en", complaints.append) == "?"
    assert complaints[0].startswith(f"{directive}: {problem}")


def test_code_is_left_alone() -> None:
    text = "`<!-- value: x -->`\n```\n<!-- value: x -->\n```"
    assert fill(text, "en", pytest.fail) == text


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_every_value_on_a_page_is_known(language: str) -> None:
    for path in page_files(DOCS / language):
        fill("\n".join(line for _, line in Page.read(path).outside), language, pytest.fail)


def test_every_value_is_printed_somewhere() -> None:
    figures = (
        path.read_text("utf-8").replace('"\n    "', "") for path in DOCS.glob("figures/*.py")
    )
    pages = (path.read_text("utf-8") for path in page_files(DOCS / "en"))
    texts = *pages, *(text.replace('"\n    "', "") for text in figures)  # a string of several lines
    used = {found["name"] for text in texts for found in VALUE.finditer(text)}
    unused = values.known().keys() - used
    assert not unused, f"no page prints {sorted(unused)}: remove them from docs/values.py"


def test_a_translated_description_prints_the_same_values() -> None:
    for entry in polib.pofile(str(DOCS / "locales/zh-TW.po")):
        if not entry.obsolete:
            ours, theirs = (set(VALUE.findall(text)) for text in (entry.msgid, entry.msgstr))
            assert ours == theirs, f"{entry.msgctxt}: {ours ^ theirs}"
