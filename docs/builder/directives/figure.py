"""`<!-- figure: NAME -->`: the SVG that docs/figures/NAME.py draws, in the page's language."""

import re
from html import escape, unescape

from docs.builder import drawing
from docs.builder.cache import Artifact
from docs.builder.directives import Page, nearest
from docs.builder.translations import Translate
from docs.builder.values import fill

HTML = True
ALT = re.compile(r'aria-label="([^"]*)"')
MARKS = re.compile(r"[\\`*_$<\[\]]")


def artifact(argument: str, language: str) -> Artifact:
    """Return the figure in one language, for the cache."""
    if argument.startswith("_") or not (drawing.FOLDER / f"{argument}.py").is_file():
        names = [path.stem for path in drawing.FOLDER.glob("[a-z]*.py")]
        raise LookupError(f"there is no docs/figures/{argument}.py; {nearest(argument, names)}")
    return drawing.artifact(argument, language)


def render(argument: str, t: Translate, page: Page) -> str:
    """Return the figure as an element of the page."""
    svg = artifact(argument, page.language).text()
    svg = ALT.sub(lambda alt: f'aria-label="{escape(described(alt[1], page))}"', svg, count=1)
    return f'<figure class="figure" data-search-exclude>{svg}</figure>'


def in_words(argument: str, t: Translate, page: Page) -> str:
    """Return what the figure shows, in words."""
    alt = ALT.search(artifact(argument, page.language).text())
    return MARKS.sub(r"\\\g<0>", described(alt[1], page)) if alt else ""


def described(alt: str, page: Page) -> str:
    """Return a description, as it stands in HTML, as text with its values."""

    def refuse(problem: str) -> None:
        raise LookupError(f"its description: {problem}")

    return fill(unescape(alt), page.language, refuse)
