"""Shapes in prose and tables: those of the tree beside them, and one number for each name."""

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest

from docs.call_trees import TREES
from docs.checks.pages import CODE, Page, page_files

ROOT = Path(__file__).parents[2]
PAGES = [path for language in ("en", "zh-TW") for path in page_files(ROOT / "docs" / language)]
PAGES = [path for path in PAGES if path.suffix == ".md" and "api" not in path.parts]
NUMBERS = re.compile(r"\((\d+(?:, \d+)+)\)")
NAMES = re.compile(r"\(([a-z]\w*(?: - 1)?(?:, \w+(?: - 1)?)+)\)")


@cache
def tree(name: str) -> str:
    return str(json.loads(TREES[name]())["text"])


def not_shown(page: Page) -> Iterator[str]:
    """Shapes in the code of sentences and table cells that no tree and no snippet of it has."""
    texts = [directive.text for directive in page.directives]
    names = [text.removeprefix("calltree: ") for text in texts if "calltree: " in text]
    shown = "\n".join([*(fence.code for fence in page.fences), *map(tree, names)])
    known = set(NUMBERS.findall(shown))
    for unit in page.units if names else ():
        for shape in NUMBERS.findall(" ".join(CODE.findall(unit.marked))):
            if shape not in known:
                yield f"{unit.line}: ({shape}) is in no tree and no snippet of this page"


def contradictions(page: Page) -> Iterator[str]:
    """Rows of a table in which a name is another number than in the rows before."""
    cells = [unit for unit in page.units if unit.kind == "cell"]
    values: dict[str, int] = {}
    last = 0
    for line, row in groupby(cells, key=lambda unit: unit.line):
        values = values if line <= last + 2 else {}  # the line below the head has dashes
        last = line
        text = " ".join(unit.marked for unit in row)
        names, numbers = NAMES.search(text), NUMBERS.search(text)
        if names and numbers:
            for name, size in zip(names[1].split(", "), map(int, numbers[1].split(", "))):
                name, _, less = name.partition(" - ")
                size += int(less or 0)
                if values.setdefault(name, size) != size and not name.isdigit():
                    yield f"{line}: {name} is {size}, and above {values[name]}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.as_posix()[-40:])
def test_shapes_are_those_of_a_run_and_of_their_names(path: Path) -> None:
    page = Page.read(path)
    found = [*not_shown(page), *contradictions(page)]
    assert not found, "\n".join(f"{path}:{problem}" for problem in found)


TABLE = """\
| step | result | here |
|---|---|---|
| states | `(batch, n)` | (2, 5) |
| read | `{}` | {} |
"""


@pytest.mark.parametrize(
    ("names", "numbers", "found"),
    [
        ("(batch, n - 1)", "(2, 4)", []),
        ("(batch, n - 1)", "(3, 4)", ["4: batch is 3, and above 2"]),
        ("(batch, n - 1)", "(2, 5)", ["4: n is 6, and above 5"]),
    ],
)
def test_a_name_with_two_numbers_is_named(names: str, numbers: str, found: list[str]) -> None:
    assert [*contradictions(Page(TABLE.format(names, numbers)))] == found


def test_a_shape_that_no_tree_has_is_named() -> None:
    text = "<!-- calltree: attention_explicit -->\n\nInside, `(2, 8, {}, 4)`.\n"
    assert [*not_shown(Page(text.format(4)))] == []
    (found,) = not_shown(Page(text.format(5)))
    assert found.startswith("3: (2, 8, 5, 4) is in no tree")
