"""Shapes in prose and tables: those of the tree beside them, and one number for each name."""

import json
import re
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest

from docs.builder.recorded_runs import TREES
from docs.checks.pages import CODE, Page, page_files

ROOT = Path(__file__).parents[2]
PAGES = [path for language in ("en", "zh-TW") for path in page_files(ROOT / "docs" / language)]
PAGES = [path for path in PAGES if path.suffix == ".md" and "api" not in path.parts]
NUMBERS = re.compile(r"\((\d+(?:, \d+)+)\)")
NAMES = re.compile(r"\(([a-z]\w*(?: - 1)?(?:, \w+(?: - 1)?)+)\)")
ANOTHER_BATCH = {"64, 12"}  # of evaluation.md: many sentences, before the one that is looked at


@cache
def tree(name):
    return json.loads(TREES[name]())["text"]


def untold(page):
    """Shapes in the code of sentences and table cells that no tree and no snippet of it has."""
    names = [d.text.removeprefix("calltree: ") for d in page.directives if "calltree: " in d.text]
    shown = "\n".join([*(fence.code for fence in page.fences), *map(tree, names)])
    known = set(NUMBERS.findall(shown))
    for unit in page.units:
        for shape in NUMBERS.findall(" ".join(CODE.findall(unit.marked))) if names else ():
            if shape not in known:
                yield f"{unit.line}: ({shape}) is in no tree and no snippet of this page"


def contradictions(page):
    """Rows of a table in which a name is another number than in the rows before."""
    cells = [unit for unit in page.units if unit.kind == "cell"]
    meant: dict[str, int] = {}
    last = 0
    for line, row in groupby(cells, key=lambda unit: unit.line):
        meant = meant if line <= last + 2 else {}  # a line of dashes stands below the head
        last = line
        text = " ".join(unit.marked for unit in row)
        names, numbers = NAMES.search(text), NUMBERS.search(text)
        if names and numbers and numbers[1] not in ANOTHER_BATCH:
            for name, number in zip(names[1].split(", "), map(int, numbers[1].split(", "))):
                name, _, less = name.partition(" - ")
                value = meant.setdefault(name, number + int(less or 0))
                if value != number + int(less or 0) and not name.isdigit():
                    yield f"{line}: {name} is {number + int(less or 0)}, and above {value}"


@pytest.mark.parametrize("check", [untold, contradictions])
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.as_posix()[-40:])
def test_shapes_are_those_of_a_run_and_of_their_names(path, check):
    found = [*check(Page.read(path))]
    assert not found, "\n".join(f"{path}:{problem}" for problem in found)


TABLE = """\
| step | result | here |
|---|---|---|
| states | `(batch, n)` | (2, 5) |
| read | `(batch, n - 1)` | (2, 4) |
"""


@pytest.mark.parametrize(
    ("good", "bad", "message"),
    [
        ("(2, 4)", "(3, 4)", "4: batch is 3, and above 2"),
        ("(2, 4)", "(2, 5)", "4: n is 6, and above 5"),
        ("(batch, n - 1)", "(n, batch)", "4: n is 2, and above 5"),
    ],
)
def test_a_name_with_two_numbers_is_named(good, bad, message):
    assert [*contradictions(Page(TABLE))] == []
    assert message in [*contradictions(Page(TABLE.replace(good, bad)))]


def test_a_shape_that_no_tree_has_is_named():
    text = "<!-- calltree: attention_explicit -->\n\nInside, `(2, 8, {}, 4)`.\n"
    assert [*untold(Page(text.format(4)))] == []
    (found,) = untold(Page(text.format(5)))
    assert found.startswith("3: (2, 8, 5, 4) is in no tree")
