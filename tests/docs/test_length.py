"""A chapter is read in one sitting; what needs more room is two chapters."""

from pathlib import Path

from docs.checks import Problem
from docs.checks.pages import Page
from docs.checks.prose import words
from docs.checks.reading_order import DOORS, NAVIGATION, reading_order

ROOT, ENGLISH = Path(__file__).parents[2], Path("docs/en")
MOST = 1_600

PAGE = """\
---
description: Not on the page.
---

# Two words { #two-words }

Three *more* [words](x.md). Four with `a + b`.

| not | this |
|---|---|
| nor | that |

```python
x = 1  # nor code
```

$$x = 1$$

!!! note "An open box"

    It counts.

??? info "A folded one"

    Nothing in it counts.

    !!! note "No box inside"

        Not a word.

???+ info "Folded, yet open"

    It counts.

Here is $x = 1$.

1. In a list

    ??? success "Answer"

        Nor here.
"""


READ = """\
Two words
Three more words. Four with a + b.
An open box
It counts.
Folded, yet open
It counts.
Here is formula.
In a list
"""

ADVICE = "say once what is said twice, fold how something was measured, or make two pages of it"


def test_words_are_counted_outside_tables_code_formulas_and_folded_boxes() -> None:
    assert words(Page(PAGE)) == len(READ.split())


def test_no_chapter_is_longer_than_one_sitting() -> None:
    order = reading_order(ROOT / NAVIGATION)
    chapters = [Path(name) for name in order if name.endswith(".md") and name not in DOORS]
    counts = {name: words(Page.read(ROOT / ENGLISH / name)) for name in chapters}
    found = [
        Problem(ENGLISH / name, 1, f"{count:,} words of prose, and {MOST:,} are enough: {ADVICE}")
        for name, count in counts.items()
        if count > MOST
    ]
    assert counts
    assert not found, "\n".join(map(str, found))
