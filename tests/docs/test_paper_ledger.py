"""Every row of the paper's ledger leads somewhere, in both languages, and its check is true."""

import ast
import inspect
import math
import re
from collections import Counter
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
import torch

import transformer
from docs.builder.directives.ledger import Rows, read
from docs.checks.pages import Page
from docs.checks.pairs import numbers
from transformer import Transformer, TransformerConfig
from transformer.model.config import head_widths
from transformer.training.presets import PRESETS

ROOT = Path(__file__).parents[2]
VERDICTS, SECTIONS = read()
CHECKED = {"same", "counted", "reproduced"}  # names what anyone can run
Row = dict[str, Any]


@cache
def names() -> dict[str, Any]:
    """What the lines of Python may use."""
    base, big = TransformerConfig.base(37_000), TransformerConfig.big(37_000)
    with torch.device("meta"):
        model = Transformer(base)
    public = {name: getattr(transformer, name) for name in transformer.__all__}
    own = {"base": base, "big": big, "model": model, "PRESETS": PRESETS, "head_widths": head_widths}
    return public | own | {"inspect": inspect, "math": math, "torch": torch}


@cache
def functions(path: Path) -> set[str]:
    return {
        node.name
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def is_in_the_api(name: str) -> bool:
    return not re.search(r"\._", name) and bool(inspect.getdoc(resolve_name(name)))


def is_a_heading(place: str, needs_code: bool = False) -> bool:
    path, _, anchor = place.partition("#")
    for language in ("en", "zh-TW"):
        page = Page.read(ROOT / "docs" / language / path)
        found = [section for section in page.sections if section.anchor == anchor]
        if len(found) != 1 or (needs_code and not found[0].within(page.fences)):
            return False
    return True


def is_a_test(test: str, here: list[str]) -> bool:
    file, _, name = test.partition("::")
    if file.endswith(".md"):  # a section of this page has code
        page = file.removeprefix("docs/en/")
        return any(is_a_heading(place, True) for place in here if place.startswith(f"{page}#"))
    return name in functions(ROOT / file) if name else (ROOT / file).match("docs/measured/*.json")


def figures(text: str) -> Counter[float]:
    """Numbers of two digits or more, as the check of pairs reads them."""
    return Counter(value for value, _ in numbers(re.sub(r",(?!\d)", "", text), 2))


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row["en"]) for rows in SECTIONS.values() for row in rows]
)
def test_a_row_leads_somewhere_and_its_check_is_true(row: Row) -> None:
    for place in row["here"]:
        assert is_a_heading(place) if "#" in place else is_in_the_api(place), place
    assert row["verdict"] in VERDICTS
    assert row["verdict"] not in CHECKED or row.keys() & {"test", "check"}
    assert row["verdict"] == "same" or row.keys() >= {"note-en", "note-zh-TW"}
    assert "test" not in row or is_a_test(row["test"], row["here"]), row["test"]
    assert "check" not in row or eval(row["check"], names()) is True, row["check"]
    for english, chinese in (("en", "zh-TW"), ("note-en", "note-zh-TW")):
        assert figures(row.get(english, "")) == figures(row.get(chinese, "")), row[chinese]


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_the_page_shows_every_section(language: str) -> None:
    text = (ROOT / "docs" / language / "reference" / "paper-ledger.md").read_text("utf-8")
    assert re.findall(r"<!-- ledger: (\S+) -->", text) == ["verdicts", *SECTIONS]


def test_no_statement_stands_twice() -> None:
    stated: Rows = [row for rows in SECTIONS.values() for row in rows]
    for language in ("en", "zh-TW"):
        assert len({row[language] for row in stated}) == len(stated)
