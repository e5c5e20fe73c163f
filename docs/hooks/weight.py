"""Pages stay light: nothing is sent that changes nothing on the screen."""

import re

import minify_html
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.pages import Page

# Names, operators, punctuation and spaces have the colour of the code around them.
PLAIN = re.compile(r'<span class="(?:n|o|p|w)">([^<]*)</span>')


@event_priority(-100)
def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Drop the spans of plain code, and white space between elements."""
    output = PLAIN.sub(r"\1", output)
    return minify_html.minify(output, keep_closing_tags=True, keep_html_and_head_opening_tags=True)
