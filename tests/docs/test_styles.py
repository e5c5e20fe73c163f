"""Every class that the style sheet names is given to something."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHEETS = sorted((ROOT / "docs").rglob("*.css"))
# Theme, API reference and highlighting make the others.
MAKERS = {
    "material": ("*.html", "*.css", "*.js"),
    "mkdocstrings_handlers.python": ("*.html.jinja", "*.html", "*.css"),
    "pygments": ("token.py",),
}


def given():
    """All that may give a class to an element: our sources, and those of the theme."""
    for suffix in ("md", "py", "html", "js"):
        yield from (ROOT / "docs").rglob(f"*.{suffix}")
    for package, patterns in MAKERS.items():
        (folder,) = importlib.util.find_spec(package).submodule_search_locations
        for pattern in patterns:
            yield from Path(folder).rglob(pattern)


def classes(css):
    """Classes in selectors, with their lines; numbers such as .5em are none."""
    css = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), css, flags=re.S)
    for match in re.finditer(r"([^{};]*)\{", css):
        for name in re.finditer(r"\.([a-z][\w-]*)", match[1]):
            yield name[1], css.count("\n", 0, match.start(1) + name.start()) + 1


def unknown(css, words):
    return [f"{line}: nothing has class {name}" for name, line in classes(css) if name not in words]


@pytest.fixture(scope="module")
def words():
    texts = (path.read_text("utf-8", errors="ignore") for path in given())
    return {word for text in texts for word in re.findall(r"[\w-]+", text)}


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_every_class_is_given_to_something(sheet, words):
    found = unknown(sheet.read_text("utf-8"), words)
    assert not found, "\n".join(f"{sheet}:{problem}" for problem in found)


def test_a_class_that_nothing_has_is_named(words):
    css = "a { b: c }\n.calltree li,\n.caltree li { margin: .5em; }"
    assert unknown(css, words) == ["3: nothing has class caltree"]
