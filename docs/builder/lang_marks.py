"""Marks the parts of a page that are in the other language, so that fonts and voices follow.

The same character has other shapes in Taiwan than in Japan, and a voice must know what it reads.
"""

import re

TOKEN = re.compile(r"(<!--.*?-->|<[^>]*>)", re.DOTALL)
NAME = re.compile(r"</?([a-zA-Z][\w-]*)")
CHINESE = re.compile("[\u2e80-\u303f\u3105-\u312f\u3400-\u9fff\uff01-\uff65]+")
NOT_MARKED = {"script", "style", "title", "template", "math"}
ONLY_WHOLE = {"option"}  # may hold no element
ENGLISH = re.compile(r"<em>(?=[^<\u2e80-\u9fff]* [^<\u2e80-\u9fff]*</em>)")  # two words at least


def mark(html: str, language: str) -> str:
    """Return the body of a page with its foreign parts marked.

    >>> mark("<body><p>昨 is <em>yesterday</em></p><b>貓。</b>", "en")
    '<body><p><span lang="zh-TW">昨</span> is <em>yesterday</em></p><b lang="zh-TW">貓。</b>'
    >>> mark("<body><em>the cat</em>就是<em>貓</em>", "zh-TW")
    '<body><em lang="en">the cat</em>就是<em>貓</em>'
    """
    head, body, rest = html.partition("<body")
    if language == "zh-TW":
        return head + body + ENGLISH.sub('<em lang="en">', rest)
    tokens = TOKEN.split(rest)
    skipped = pictures = 0
    for i, token in enumerate(tokens):
        if i % 2 == 0:
            if not skipped and CHINESE.search(token):
                _mark_text(tokens, i, "tspan" if pictures else "span")
        elif found := NAME.match(token):
            step = -1 if token[1] == "/" else 1
            skipped += step * (found[1] in NOT_MARKED)
            pictures += step * (found[1] == "svg")
    return head + body + "".join(tokens)


def _mark_text(tokens: list[str], i: int, wrapper: str) -> None:
    """Mark one text: on the tag before it if all of it is Chinese, or else run by run."""
    before = tokens[i - 1] if i else ""
    tag = NAME.match(before)
    opens = tag and before[1] != "/" and " lang=" not in before
    alone = "".join(tokens[i + 1 : i + 2]).startswith("</")
    if opens and alone and CHINESE.fullmatch(tokens[i].strip()):
        tokens[i - 1] = f'{before[:-1]} lang="zh-TW">'
        return
    if not (tag and tag[1] in ONLY_WHOLE) and not (tag and " lang=" in before):
        tokens[i] = CHINESE.sub(rf'<{wrapper} lang="zh-TW">\g<0></{wrapper}>', tokens[i])
