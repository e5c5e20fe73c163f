"""What the search reads of a page. It knows paragraphs and code, but no formula and no table, and
shows what it found with all of the paragraph, table or code around it.
"""

import re
from html import escape
from xml.etree.ElementTree import Element, fromstring

LEFT_OUT = re.compile(r'<(\w+)\b[^>]*\s(?:data-search-exclude\b|class="doc doc-labels")')
MATH = re.compile(r"<math\b.*?</math>", re.DOTALL)
CODE, TAG = re.compile(r"<pre\b[^>]*>(.*?)</pre>", re.DOTALL), re.compile(r"<[^>]*>")
ROW, CELL = re.compile(r"\s*<(/?)tr\b[^>]*>\s*"), re.compile(r"(</t[dh]>)\s*(?=<t[dh]\b)")
WORD = re.compile(r"√?[\w.⊤′]+")
RELATION = re.compile(r"[=≈≠<>≤≥→←∈∣]")
LOGARITHMS = {"ln", "log"}
SCRIPTED = {"msub", "msup", "msubsup", "munder", "munderover"}


def searchable(html: str) -> str:
    """Return a page's HTML as the search should read it, from its title on.

    >>> searchable("<table><tr><td>a</td><td>b</td></tr></table>")  # a row is shown alone
    '<table><p><td>a</td> · <td>b</td></p></table>'
    """
    html = html[max(html.find("<h1"), 0) :]  # or the page would be there twice
    html = MATH.sub(lambda found: _text(found[0]), _without_left_out(html))
    html = CODE.sub(lambda found: _parts_of_code(found[1]), html)
    return ROW.sub(r"<\1p>", CELL.sub(r"\1 · ", html))


def _parts_of_code(code: str) -> str:
    """Part code at its empty lines.

    >>> _parts_of_code("<code><span>import</span> torch\\n\\nx = 1</code>")
    '<pre><code>import torch</code></pre><pre><code>x = 1</code></pre>'
    """
    parts = re.split(r"\n(?:\s*\n)+", TAG.sub("", code).strip("\n"))
    return "".join(f"<pre><code>{part}</code></pre>" for part in parts)


def _without_left_out(html: str) -> str:
    """Drop what is marked so. Material itself stops at the first end tag of the same name.

    >>> _without_left_out("<div data-search-exclude>a<div>b</div>c</div>d")
    'd'
    """
    kept, position = [], 0
    while opening := LEFT_OUT.search(html, position):
        kept.append(html[position : opening.start()])
        position = _end(html, opening)
    return "".join([*kept, html[position:]])


def _end(html: str, opening: re.Match[str]) -> int:
    depth = 0
    for tag in re.compile(rf"<(/?){opening[1]}\b[^>]*>").finditer(html, opening.start()):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return tag.end()
    raise ValueError(f"no end of {opening[0]}>")


def _text(mathml: str) -> str:
    math = fromstring(mathml)
    text = escape(_said(math), quote=False)
    return f"<p>{text}</p>" if math.get("display") == "block" else text


def _said(math: Element) -> str:
    """Write a formula in a line, as one would type it.

    >>> _said(fromstring("<msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt>"))
    '√d_k'
    """
    parts = [_said(child) for child in math]
    if math.tag == "mfrac":
        return "/".join(map(_grouped, parts))
    if math.tag == "msqrt":
        return f"√{_grouped(''.join(parts))}"
    if math.tag == "mover":
        return parts[0]  # without its bar
    if math.tag in SCRIPTED:
        marks = "^" if math.tag == "msup" else "_^"
        scripts = (f"{mark}{_grouped(script)}" for mark, script in zip(marks, parts[1:]))
        return "".join([parts[0], *scripts])
    if math.tag in ("mspace", "mtr"):
        return f"{''.join(parts)} "
    text = math.text or ""
    if RELATION.fullmatch(text):
        return f" {text} "
    return f"{text} " if text in LOGARITHMS else text + _product(math, parts)


def _product(row: Element, parts: list[str]) -> str:
    """Join factors, so that a subscript ends where the next factor begins."""
    text = ""
    for before, part in zip([None, *row], parts):
        ends = before is not None and before.tag in SCRIPTED and part[:1].isalpha()
        text += f" {part}" if ends else part
    return text


def _grouped(text: str) -> str:
    return text if WORD.fullmatch(text) else f"({text})"
