"""Small things that Markdown and the theme leave to be done on a page."""

import re

import minify_html

BLOCK = re.compile(r"(?<=<pre><code>).*?(?=</code></pre>)", re.DOTALL)
# A line of a session that has no prompt.
PRINTED = re.compile(r'^(?!<span class="gp">)(?:<span class="go">(.*)</span>|(.*))\n', re.M)
# Doctest writes an empty line of output so; the interpreter shows it empty.
BLANK_LINE = re.compile(r'(<span class="go">)&lt;BLANKLINE&gt;(</span>)')
# Names, True and None, operators, punctuation and spaces have the colour of the code around them.
PLAIN = re.compile(r'<span class="(?:kc|nx?|ow?|p|w)">([^<]*)</span>')
OPTION = re.compile(r"<code>(--[a-z-]+)</code>")
# No style needs it: code has its colours already.
LANGUAGE = re.compile(r'(?<=class=")language-[\w+-]+ (?=highlight")')
BETWEEN_TAGS = re.compile(r"(?<=>)\s+(?=<)|\s+$")
DRAWING = re.compile(r"<svg\b[^>]*>")
NAMESPACE = re.compile(r' xmlns(?::xlink)?="[^"]*"')  # HTML knows them
RULE = re.compile(r"([^{}]+)(\{[^{}]*\})")
COMMA = re.compile(r",(?![^()]*\))")  # between selectors
# Colours that are not ours, scripts from right to left, what belongs to a blog, to versions of a
# site or to extensions that are not on, and no transitions while colours change: that one is for
# every element, and costs two looks at the whole page as it opens.
UNUSED = re.compile(
    r"\[data-md-color-(?:(?:primary|accent)=(?!custom)|switching)|\[dir=rtl\]"
    r"|\.(?:tabbed-|task-list|critic\b)"
    r"|\.md-(?:annotation|author|banner|consent|draft|feedback|input|nav--(?:integrated|lifted)"
    r"|pagination|path|pin|post|social|tabs|version)\b"
)
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
BY_SCRIPT = "table:not([class])"
# What the theme's script does that keeps a reader waiting, and what it does instead.
INSTEAD = {
    # site.css says it; by a <meta>, the browser looks at the whole page again, twice
    '{name:"color-scheme"}': "{}",
    # while the contents beside the page slide, a busy browser forgets a jump to a section
    '"smooth"': '"auto"',
}
AUTOREFS = ' class="autorefs autorefs-internal"'  # only the API reference has a style for it
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
    html = BLANK_LINE.sub(r"\1\2", PLAIN.sub(r"\1", html))
    return BLOCK.sub(lambda code: mark_output(code[0]), html)


def mark_output(code: str) -> str:
    """Mark what a session printed, each line with its end: all of it is left out in a copy.

    >>> mark_output('<span class="gp">$ </span>go\\n<span class="gr">Error</span>: no\\n')
    '<span class="gp">$ </span>go\\n<span class="go"><span class="gr">Error</span>: no\\n</span>'
    """
    if '<span class="gp">' not in code:
        return code
    return PRINTED.sub(lambda line: f'<span class="go">{line[1] or line[2] or ""}\n</span>', code)


def frame_tables(html: str) -> str:
    """Put each table into the frame in which it scrolls.

    The theme's script would do it, and the browser would look at the whole page once more.

    >>> frame_tables("<table><tr></tr></table>")  # doctest: +NORMALIZE_WHITESPACE
    '<div class="md-typeset__scrollwrap"><div
    class="md-typeset__table"><table class="framed"><tr></tr></table></div></div>'
    """
    frame = '<div class="md-typeset__scrollwrap"><div class="md-typeset__table">{}</div></div>'
    named = '<table class="framed">'
    return TABLE.sub(lambda table: frame.format(table[0].replace("<table>", named)), html)


def light_styles(css: str) -> str:
    """Drop comments and space from a style sheet.

    >>> light_styles("/* a note */ p { margin: 0 }")
    'p{margin:0}'
    """
    page = minify_html.minify(f"<style>{css}</style>", minify_css=True)
    return page.removeprefix("<style>").removesuffix("</style>")


def used_styles(css: str) -> str:
    """Drop rules of the theme's style sheets that no page of the site can use.

    Those for tables are for ours, which have a frame.

    >>> used_styles("[data-md-color-primary=red],[data-md-color-scheme=slate]{a:b}")
    '[data-md-color-scheme=slate]{a:b}'
    >>> used_styles("table:not([class]) th{a:b}")
    'table.framed th{a:b}'
    >>> used_styles("@media print{[dir=rtl] :is(p,ul){a:b}.tabbed-set{c:d}}")
    '@media print{}'
    """

    def used(rule: re.Match[str]) -> str:
        kept = [selector for selector in COMMA.split(rule[1]) if not UNUSED.search(selector)]
        return ",".join(kept) + rule[2] if kept else ""

    return RULE.sub(used, css).replace(BY_SCRIPT, "table.framed")


def quick_script(script: str) -> str:
    """Take two delays out of the theme's script, once: a dirty build finds its own work again.

    >>> quick_script('o=x("meta",{name:"color-scheme"});f.scrollTo({top:u,behavior:"smooth"})')
    'o=x("meta",{});f.scrollTo({top:u,behavior:"auto"})'
    """
    for theirs, ours in INSTEAD.items():
        script = script.replace(theirs, ours)
    return script


def light(html: str) -> str:
    """Drop what changes nothing on the screen: styles and classes not used, space.

    >>> light('<link rel="stylesheet" href="../assets/_mkdocstrings.css"><p>no API here</p>')
    '<p>no API here</p>'

    The head keeps its quotes: WhatsApp and LinkedIn do not see an `og:image` without them.

    >>> light('<html><head><meta name="a"> </head><body> <p id="b">c</p></body></html>')
    '<html><head><meta name="a"></head><body><p id=b>c</p></body></html>'
    """
    html = DRAWING.sub(lambda tag: NAMESPACE.sub("", tag[0]), html)
    if 'class="doc ' not in html:
        html = API_STYLES.sub("", html).replace(AUTOREFS, "")
    html = LANGUAGE.sub("", html)
    small = minify_html.minify(html, keep_closing_tags=True, keep_html_and_head_opening_tags=True)
    head, end, _ = html.partition("</head>")
    return BETWEEN_TAGS.sub("", head) + end + small.partition(end)[2] if end else small
