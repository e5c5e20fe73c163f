"""Every static check of every page, or of one: `python -m docs.checks [PAGE …]`.

A page is named as in components/masks, or by its file. The checks read sources only: they import
neither PyTorch nor the package.
"""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from docs.checks import (
    Problem,
    catalogue,
    chinese,
    commands,
    docstrings,
    glossary,
    links,
    pairs,
    papers,
    reading_order,
)
from docs.checks.pages import named

ROOT = Path(__file__).parents[2]
# Checks of pages: one page alone, if it is named.
PAGES: list[Callable[[Path, str | None], Iterable[Problem]]] = [
    pairs.problems,
    chinese.problems,
    reading_order.problems,
    links.problems,
    commands.problems,
    papers.problems,
]
# Checks of what is no page: package, catalogue and glossary.
OTHERS: list[Callable[[Path], Iterable[Problem]]] = [
    docstrings.problems,
    catalogue.problems,
    glossary.problems,
]


def main(names: list[str], root: Path = ROOT) -> int:
    """Print every problem; return 1 if there is one."""
    found: set[Problem] = set()
    for name in names:
        page = named(root, name)
        if not page:
            print(f"there is no page {name}; write it as in components/masks", file=sys.stderr)
            return 2
        found |= {problem for check in PAGES for problem in check(root, page)}
    if not names:
        found |= {problem for check in PAGES for problem in check(root, None)}
        found |= {problem for check in OTHERS for problem in check(root)}
    for problem in sorted(found):
        print(problem)
    print(f"{len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
