"""`>>>` sessions as the interpreter shows them: doctest writes <BLANKLINE> for an empty line."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Empty the lines that stand for an empty line."""
    return html.replace("&lt;BLANKLINE&gt;", "")
