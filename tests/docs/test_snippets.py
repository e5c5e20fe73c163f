"""Code on pages runs, what it prints is compared, and nothing is passed over in silence."""

import shutil
import subprocess
import sys
from pathlib import Path

import jaxtyping
import pytest

from docs.checks.snippets import failures, outside

ROOT = Path(__file__).parents[2]

GOOD = """\
# Page { #page }

```pycon
>>> import torch
>>> x = torch.tensor([1.0, 2.0]) / 3
>>> x
tensor([0.33, 0.67])
>>> int("?")
Traceback (most recent call last):
...
ValueError: invalid literal ... '?'
>>> class Stall: ...
>>> Stall
<class '__main__.Stall'>
```

??? success "Answer"
    - In a list:

        ```python hl_lines="1"
        if True:
            print("two", 2)

        print()
        print("three")
        ```

        ``` { .text .output }
        two 2

        three
        ```

    ```pycon
    >>> x.shape
    torch.Size([2])
    ```

> ```py
> y = x.sum()
> ```

```{.python title="same.py"}
assert y.item() == 1
```

```bash
python -c 'not run'
```

````markdown
```pycon
>>> shown, not run
```
````

Write a `` ```python `` block, or a `>>> ` prompt.
"""


def run(path: Path) -> list[tuple[int, str]]:
    return [(example.line, failure) for example, failure in failures(path)]


def page(folder: Path, text: str) -> Path:
    path = folder / "page.md"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_page_runs(tmp_path: Path) -> None:
    assert run(page(tmp_path, GOOD)) == []


@pytest.mark.parametrize(
    ("good", "bad", "line", "message"),
    [
        ("[0.33, 0.67]", "[0.33, 0.68]", 6, "x\nExpected:\n    tensor([0.33, 0.68])"),
        ("ValueError: inv", "TypeError: inv", 8, "Got:\n    Traceback"),
        ("torch.Size([2])", "torch.Size([3])", 35, "Expected:\n    torch.Size([3])"),
        ("    two 2\n", "    two 3\n", 28, "-two 3\n+two 2"),
        ("        three\n", "", 28, "+three"),
        ('print("two", 2)', 'print("two", z)', 20, 'page.md", line 22, in <module>'),
        ('print("two", 2)', 'print("two" 2)', 20, "SyntaxError"),
        ("x.sum()", "x.sums()", 39, "AttributeError"),
        ("item() == 1", "item() == 2", 43, "AssertionError"),
        ("```bash", "```pyhton", 47, "SyntaxError"),
        ("```bash", "```", 47, "'' is not a language that pages know"),
        ("```bash", "```jupyter", 47, "'jupyter' is not a language that pages know"),
        ("```bash\n", "```text\n>>> 1\n", 47, "this text block has a >>> prompt: call it pycon"),
        ("```bash\n", "```pycon\n", 47, "this block has no >>> prompt: call it python"),
        ("-c 'not run'\n```", "-c 'not run'\n  ```", 47, "this block has no end"),
        ("    >>> x.shape\n", "    >>> x.shape  # doctest: +SKIP\n", 35, "would be skipped"),
        ("    >>> x.shape\n", "    >>>x.shape\n", 34, "doctest cannot read this block"),
        ("[2])\n    ```", "[2])\n   ```", 34, "this block has no end"),
        ("Write a", "    >>> 1\n    1\n\nWrite a", 57, "this stands in no block"),
        ("Write a", "- ```python\n  1 / 0\n", 57, "this stands in no block"),
    ],
)
def test_a_defect_is_named_at_its_line(
    tmp_path: Path, good: str, bad: str, line: int, message: str
) -> None:
    assert GOOD.count(good) == 1
    found = run(page(tmp_path, GOOD.replace(good, bad)))
    assert any(at == line and message in failure for at, failure in found), found


def test_output_without_code_is_named(tmp_path: Path) -> None:
    found = run(page(tmp_path, "```{ .text .output }\n1\n```\n"))
    assert found == [(1, "there is no Python block before this output")]


def test_pages_do_not_disturb_each_other(tmp_path: Path) -> None:
    draw = ">>> import torch\n>>> torch.rand(1)\ntensor([0.4963])\n"
    disturb = ">>> torch.set_printoptions(precision=1)\n>>> torch.set_num_threads(7)\n"
    threads = ">>> torch.get_num_threads() == 7\nFalse\n"
    path = page(tmp_path, f"```pycon\n{draw}{threads}{disturb}>>> z = 1\n```\n")
    assert run(path) == run(path) == []
    assert "NameError" in run(page(tmp_path, "```python\nz\n```\n"))[0][1]


def test_pages_run_as_for_a_reader_without_enforced_shapes(tmp_path: Path) -> None:
    text = "```python\nimport jaxtyping\nassert jaxtyping.config.jaxtyping_disable\n```\n"
    assert run(page(tmp_path, text)) == []
    assert jaxtyping.config.jaxtyping_disable == outside()[1]


@pytest.mark.process
def test_pytest_finds_the_blocks_of_pages_and_readme(tmp_path: Path) -> None:
    (tmp_path / "docs/en").mkdir(parents=True)
    for name in ("conftest.py", "docs/conftest.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    page(tmp_path / "docs/en", "```pycon\n>>> 1 + 1\n3\n```\n")
    (tmp_path / "README.md").write_text("```pycon\n>>> 2 + 2\n5\n```\n")
    (tmp_path / "docs/README.md").write_text("```pycon\n>>> 3 + 3\n6\n```\n")
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {ROOT}\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", ".", "README.md"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "2 failed, 1 passed" in result.stdout, result.stdout
    assert "page.md, line 2" in result.stdout
    assert "README.md, line 2" in result.stdout
