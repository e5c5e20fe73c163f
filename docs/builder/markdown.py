"""Small things that Markdown needs."""

import re
from collections.abc import Iterator

# What Markdown leaves alone, or else a character that it might take for a mark.
HTML = re.compile(r"(<(?:script|style)\b.*?</(?:script|style)>|<[^>]*>)|[*_`\[\]\\|$\n]", re.DOTALL)
FENCE = re.compile(r"[ \t>]*(`{3,}(?!.*`)|~{3,})")


def fenced(code: str, info: str) -> str:
    """Return code in a fence that no line of the code can close.

    >>> print(fenced("x = 1", "python"))
    ```python
    x = 1
    ```
    """
    longest = max(map(len, re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{info}\n{code}\n{fence}"


def as_it_stands(html: str) -> str:
    """Return HTML on one line, so that Markdown finds nothing in it: no mark, no end of a block.

    >>> as_it_stands("<pre>a_b\\n*c*</pre>\\n")
    '<pre>a&#95;b&#10;&#42;c&#42;</pre>'
    """

    def one(found: re.Match[str]) -> str:
        return found[1].replace("\n", " ") if found[1] else f"&#{ord(found[0])};"

    return HTML.sub(one, html.strip())


def outside_fences(lines: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield each line, and whether it belongs to a fence."""
    opened = ""
    for line in lines:
        mark = FENCE.match(line)
        if not opened:
            opened = mark[1] if mark else ""
            yield line, bool(mark)
        else:
            yield line, True
            bare = line.strip(" \t>")
            if mark and bare == bare[0] * len(bare) and bare.startswith(opened):
                opened = ""
