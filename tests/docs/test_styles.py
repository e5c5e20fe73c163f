"""Every class that a style sheet names is given to something."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
# Theme, API reference, highlighting and notebooks make the classes that our sources do not.
MAKERS = {
    "material": ("*.html", "*.css", "*.js"),
    "mkdocstrings_handlers.python": ("*.html.jinja", "*.html", "*.css"),
    "pygments": ("token.py",),
    "mkdocs_jupyter": ("*.html.j2", "*.css"),
}


def unknown(css: str, words: set[str]) -> list[str]:
    """Classes in selectors that nothing has, with their lines; .5em is none."""
    css = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), css, flags=re.DOTALL)
    names = [
        (name[1], css.count("\n", 0, selector.start(1) + name.start()) + 1)
        for selector in re.finditer(r"([^{};]*)\{", css)
        for name in re.finditer(r"\.([a-z][\w-]*)", selector[1])
    ]
    return [f"{line}: nothing has class {name}" for name, line in names if name not in words]


@pytest.fixture(scope="module")
def words() -> set[str]:
    files = [path for ending in ("md", "py", "html", "js") for path in DOCS.rglob(f"*.{ending}")]
    for package, patterns in MAKERS.items():
        spec = find_spec(package)
        assert spec is not None
        for folder in spec.submodule_search_locations or ():
            files += [path for pattern in patterns for path in Path(folder).rglob(pattern)]
    return {
        word for path in files for word in re.findall(r"[\w-]+", path.read_text("utf-8", "ignore"))
    }


@pytest.mark.parametrize("sheet", sorted(DOCS.rglob("*.css")), ids=lambda path: path.name)
def test_every_class_is_given_to_something(sheet: Path, words: set[str]) -> None:
    found = unknown(sheet.read_text("utf-8"), words)
    assert not found, "\n".join(f"{sheet}:{problem}" for problem in found)


def test_a_class_that_nothing_has_is_named(words: set[str]) -> None:
    css = "a { b: c }\n.calltree li,\n.caltree li { margin: .5em; }"
    assert unknown(css, words) == ["3: nothing has class caltree"]
