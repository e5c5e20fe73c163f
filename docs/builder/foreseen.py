"""What a browser may know of code and pictures before it lays them out.

A chapter is long and a phone is slow: what is far from sight is laid out when it comes near, and
until then a place as high is kept for it (the rules are in docs/assets/site.css).
"""

import re
from functools import partial
from html import unescape
from unicodedata import east_asian_width

CODE = re.compile(r"<pre><code>(.*?)</code></pre>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
# The size that docs/builder/drawing.py gives a figure.
FIGURE = re.compile(r'(<figure class="figure")([^>]*>\s*<svg[^>]*>)')
SIZE = re.compile(r' (width|height)="([\d.]+)pt"')
# More columns than these scroll on a laptop; what a page of the API says is indented.
COLUMNS, API_COLUMNS, API = 85, 80, 'class="doc '


def foresee(html: str) -> str:
    """Note lines of code and sizes of figures.

    >>> foresee("<pre><code>a\\nb\\n</code></pre>")
    '<pre style="--lines:2"><code>a\\nb\\n</code></pre>'

    The theme's script lets the keyboard into code that scrolls, once that is in sight. Without the
    script, or before, the page itself does:

    >>> foresee("<pre><code>" + 86 * "a" + "\\n</code></pre>")[:50]
    '<pre style="--lines:1"><code tabindex="0">aaaaaaaa'
    >>> foresee('<figure class="figure"><svg width="30.5pt" height="20pt"></svg>')[:56]
    '<figure class="figure" style="--width:30.5;--height:20">'
    """
    code = partial(_code, room=API_COLUMNS if API in html else COLUMNS)
    return FIGURE.sub(_figure, CODE.sub(code, html))


def _code(block: re.Match[str], room: int) -> str:
    lines = unescape(TAG.sub("", block[1])).splitlines()
    scrolls = ' tabindex="0"' if max(map(_columns, lines), default=0) > room else ""
    return f'<pre style="--lines:{len(lines)}"><code{scrolls}>{block[1]}</code></pre>'


def _columns(line: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in line)


def _figure(figure: re.Match[str]) -> str:
    size = ";".join(f"--{name}:{points}" for name, points in SIZE.findall(figure[2]))
    return f'{figure[1]} style="{size}"{figure[2]}' if size else figure[0]
