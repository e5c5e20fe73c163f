"""Small things that Markdown and the theme leave to be done on a page."""

import re

import minify_html

from docs.rendering.translations import Translate

# doctest writes an empty line of output so; the interpreter shows it empty.
BLANK_LINE = re.compile(r'(<span class="go">)&lt;BLANKLINE&gt;(</span>)')
SEARCH = 'data-md-component="search" role="dialog"'
# Names, operators, punctuation and spaces have the colour of the code around them.
PLAIN = re.compile(r'<span class="(?:n|o|p|w)">([^<]*)</span>')


API_STYLES = re.compile(r'<link rel="?stylesheet"? href="?[^">]*_mkdocstrings\.css"?>')


def empty_blank_lines(html: str) -> str:
    """Show `>>>` sessions as the interpreter does; prose about doctest stays as it is.

    >>> empty_blank_lines('<span class="go">&lt;BLANKLINE&gt;</span>')
    '<span class="go"></span>'
    """
    return BLANK_LINE.sub(r"\1\2", html)


def name_search(html: str, t: Translate) -> str:
    """Name the search dialog for readers who listen to the page."""
    return html.replace(SEARCH, f'{SEARCH} aria-label="{t("Search")}"')


def light(html: str) -> str:
    """Drop what changes nothing on the screen: spans of plain code, styles not used, space.

    >>> light('<link rel="stylesheet" href="../assets/_mkdocstrings.css"><p>no API here</p>')
    '<p>no API here</p>'
    """
    if 'class="doc ' not in html:
        html = API_STYLES.sub("", html)
    html = PLAIN.sub(r"\1", html)
    return minify_html.minify(html, keep_closing_tags=True, keep_html_and_head_opening_tags=True)
