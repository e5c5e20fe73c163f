"""`<!-- script: NAME -->`: a file of the playground's model, its comments translated."""

from docs.builder import scripts
from docs.builder.directives import Page, nearest
from docs.builder.markdown import fenced
from docs.builder.translations import Translate

NAMES = ["matrix", "model", "decoding"]  # chapters speak of these


def render(argument: str, t: Translate, page: Page) -> str:
    """Return the code as a fence, titled with its file; searchers look for the Python."""
    if argument not in NAMES:
        raise LookupError(f"there is no such script; {nearest(argument, NAMES)}")
    path = scripts.FOLDER / "playground" / f"{argument}.js"
    code = scripts.COMMENT.sub(lambda found: t(found[0]), path.read_text("utf-8"))
    fence = fenced(code.rstrip(), f'js title="{argument}.js"')
    return f"<div data-search-exclude markdown>\n\n{fence}\n\n</div>"
