"""`<!-- changes: FILE -->`: the entries of a changelog, in English, outside the search."""

from pathlib import Path

from docs.builder.directives import Page
from docs.builder.translations import Translate

ROOT = Path(__file__).parents[3]


def render(argument: str, t: Translate, page: Page) -> str:
    """Return what the file has below its title."""
    text = (ROOT / argument).read_text("utf-8")
    entries = "## " + text.partition("\n## ")[2].strip()
    return f'<div class="changes" lang="en" data-search-exclude markdown>\n\n{entries}\n\n</div>'
