"""Outputs are written anew as they were printed."""

from pathlib import Path

import pytest

from docs.checks import outputs
from docs.checks.snippets import failures

PAGE = """\
# Page { #page }

```pycon
>>> import torch
>>> torch.tensor([1.0, 2.0]) / 3
tensor([0.33, 0.67])
>>> print("one\\n\\ntwo")
one
<BLANKLINE>
two
>>> [n / 8 for n in range(4)]
[0.0, 0.1, 0.2, 0.4]
```

??? success "Answer"

    ```python
    print("a  b")
    print("c")
    ```

    ``` { .text .output }
    a  b
    c
    ```

> ```pycon
> >>> 2**70
> 1180591620717411303424
> ```
"""


@pytest.mark.parametrize(
    ("now", "before"),
    [
        ("[0.33, 0.67]", "[0.43, 0.67]"),
        ("one\n<BLANKLINE>\ntwo", "one"),
        ("[0.0, 0.1, 0.2, 0.4]", "[0.0, 0.1]"),
        ("    a  b\n    c\n    ```", "    a b\n    ```"),
        ("> 1180591620717411303424", "> 7\n> 8"),
    ],
)
def test_an_output_is_written_anew_where_it_stood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, now: str, before: str
) -> None:
    page = tmp_path / "page.md"
    assert PAGE.count(now) == 1
    page.write_text(PAGE.replace(now, before), "utf-8")
    monkeypatch.setattr(outputs, "ROOT", tmp_path)
    assert outputs.rewrite(page, outputs.on_page(page)) == []
    assert page.read_text("utf-8") == PAGE
    assert [*failures(page)] == []


@pytest.mark.parametrize(
    ("now", "before"),
    [
        ('print("a  b")', 'print("a  b"'),
        (">>> 2**70\n> 1180591620717411303424", ">>> 2**70\n> 1180...25"),
        (">>> 2**70\n> 1180591620717411303424", ">>> 1 / 0\n> 1"),
    ],
)
def test_what_a_person_must_write_is_named_and_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, now: str, before: str
) -> None:
    page = tmp_path / "page.md"
    text = PAGE.replace(now, before)
    page.write_text(text, "utf-8")
    monkeypatch.setattr(outputs, "ROOT", tmp_path)
    (named,) = outputs.rewrite(page, outputs.on_page(page))[:1]
    assert named.startswith("page.md:")
    assert text.splitlines()[-2] in page.read_text("utf-8")


def test_numbers_keep_their_digits() -> None:
    assert outputs.rounded("0.98765 of 12.5", "0.5 of 1.25") == "1.0 of 12.5"
    assert outputs.rounded("v1.2.3 [0.25, 0.5]", "v1.2.2 [0.2]") == "v1.2.3 [0.2, 0.5]"
