"""Small things that Markdown and the theme leave to be done on a page."""

import re

import minify_html

from docs.rendering.translations import Translate

# Doctest writes an empty line of output so; the interpreter shows it empty.
BLANK_LINE = re.compile(r'(<span class="go">)&lt;BLANKLINE&gt;(</span>)')
SEARCH = 'data-md-component="search" role="dialog"'
# Names, True and None, operators, punctuation and spaces have the colour of the code around them.
PLAIN = re.compile(r'<span class="(?:kc|nx?|ow?|p|w)">([^<]*)</span>')
OPTION = re.compile(r"<code>(--[a-z-]+)</code>")
# No style needs these: code has its colours already, links within the site look like all others.
LANGUAGE = re.compile(r'(?<=class=")language-[\w+-]+ (?=highlight")')
INTERNAL = ' class="autorefs autorefs-internal"'
BETWEEN_TAGS = re.compile(r"(?<=>)\s+(?=<)|\s+$")
API_STYLES = re.compile(r'<link rel="stylesheet" href="[^"]*_mkdocstrings\.css">')


def tidy_code(html: str) -> str:
    """Drop the spans of plain code, show `>>>` sessions as the interpreter does, mark options.

    >>> tidy_code('<span class="n">x</span> <span class="go">&lt;BLANKLINE&gt;</span>')
    'x <span class="go"></span>'
    >>> tidy_code("<code>--d-model</code>")  # of one piece: it does not break at a hyphen
    '<code class="option">--d-model</code>'
    """
    html = OPTION.sub(
        r'<code class="option">\1</code>', html.replace("<pre><span></span>", "<pre>")
    )
    return BLANK_LINE.sub(r"\1\2", PLAIN.sub(r"\1", html))


def name_search(html: str, t: Translate) -> str:
    """Name the search dialog for readers who listen to the page."""
    return html.replace(SEARCH, f'{SEARCH} aria-label="{t("Search")}"')


def light_styles(css: str) -> str:
    """Drop comments and space from a style sheet.

    >>> light_styles("/* a note */ p { margin: 0 }")
    'p{margin:0}'
    """
    page = minify_html.minify(f"<style>{css}</style>", minify_css=True)
    return page.removeprefix("<style>").removesuffix("</style>")


def light(html: str) -> str:
    """Drop what changes nothing on the screen: styles not used, space.

    >>> light('<link rel="stylesheet" href="../assets/_mkdocstrings.css"><p>no API here</p>')
    '<p>no API here</p>'

    The head keeps its quotes: WhatsApp and LinkedIn do not see an `og:image` without them.

    >>> light('<html><head><meta name="a"> </head><body> <p id="b">c</p></body></html>')
    '<html><head><meta name="a"></head><body><p id=b>c</p></body></html>'
    """
    if 'class="doc ' not in html:
        html = API_STYLES.sub("", html)
    html = LANGUAGE.sub("", html).replace(INTERNAL, "")
    small = minify_html.minify(html, keep_closing_tags=True, keep_html_and_head_opening_tags=True)
    head, end, _ = html.partition("</head>")
    return BETWEEN_TAGS.sub("", head) + end + small.partition(end)[2] if end else small
