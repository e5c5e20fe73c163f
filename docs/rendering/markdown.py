"""Small things that Markdown needs."""

import re


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
