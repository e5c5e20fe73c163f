"""`<!-- figure: NAME -->`: the SVG that docs/figures/NAME.py draws, in the page's language."""

import re
from html import unescape

from docs.builder import drawing
from docs.builder.cache import Product
from docs.builder.directives import Page, nearest
from docs.builder.translations import Translate

HTML = True
ALT = re.compile(r'aria-label="([^"]*)"')
MARKS = re.compile(r"[\\`*_$<\[\]]")


def product(argument: str, language: str) -> Product:
    """Return the figure in one language, for the cache."""
    names = [path.stem for path in drawing.FOLDER.glob("[a-z]*.py")]
    if argument not in names:
        raise LookupError(f"there is no docs/figures/{argument}.py; {nearest(argument, names)}")
    return drawing.product(argument, language)


def render(argument: str, t: Translate, page: Page) -> str:
    """Return the figure as an element of the page."""
    svg = product(argument, page.language).text()
    return f'<figure class="figure" data-search-exclude>{svg}</figure>'


def told(argument: str, t: Translate, page: Page) -> str:
    """Return what the figure shows, in words."""
    alt = ALT.search(product(argument, page.language).text())
    return MARKS.sub(r"\\\g<0>", unescape(alt[1])) if alt else ""
