"""Small things that Markdown needs."""

import re
from collections.abc import Iterator

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
