"""`<!-- figure: NAME -->`: the SVG that docs/figures/NAME.py draws, in the page's language."""

from docs.directives import Page, nearest
from docs.rendering.drawing import FOLDER, product
from docs.rendering.translations import Translate

HTML = True


def render(argument: str, t: Translate, page: Page) -> str:
    """Return the figure as an element of the page."""
    names = [path.stem for path in FOLDER.glob("[a-z]*.py")]
    if argument not in names:
        raise LookupError(f"there is no docs/figures/{argument}.py; {nearest(argument, names)}")
    svg = product(argument, page.language).text()
    return f'<figure class="figure" data-search-exclude>{svg}</figure>'
