"""Commands, options, targets and files that pages name are there."""

from pathlib import Path

import pytest

from docs.checks.commands import problems

ROOT = Path(__file__).parents[2]

GOOD = """\
# Page { #page }

`make test`, `make`, `make serve PYTHON=python3.11`, `transformer translate --beam 4`, `--pairs`,
`transformer`, `transformer.model`, `transformer … --help`, `docs/`, `docs/en/PART/NAME.md`, `it's`

```bash
transformer train runs/a --pairs <your pairs.tsv>  # a folder
PIP_INDEX_URL=https://x make test
torchrun --nproc_per_node=2 \\
    -m transformer train runs/two --device cpu
transformer translate --file a.txt > --b
git clone <an address> transformer
```
"""


def site(root: Path, text: str) -> Path:
    for folder in ("docs/en", "docs/zh-TW"):
        (root / folder).mkdir(parents=True)
    (root / "Makefile").write_text("serve: ready ## serve\ntest:\n\ttrue\n", "utf-8")
    (root / "docs/en/page.md").write_text(text, "utf-8")
    return root


def test_what_is_there_passes(tmp_path: Path) -> None:
    assert problems(site(tmp_path, GOOD)) == []


@pytest.mark.parametrize(
    ("good", "bad", "line", "message"),
    [
        ("`make test`", "`make tset`", 3, "make has no target tset; write test"),
        (
            "translate --beam 4",
            "translate --baem 4",
            3,
            "translate has no option --baem; write",
        ),
        ("`--pairs`", "`--pears`", 3, "no command has --pears; write --pairs"),
        ("`docs/`", "`docs/gone.py`", 4, "there is no docs/gone.py; mend the path"),
        (
            "transformer train runs/a",
            "transformer tarin runs/a",
            7,
            "no command tarin; write",
        ),
        ("--pairs <", "--beam <", 7, "transformer train has no option --beam; write "),
        ("https://x make test", "https://x make all", 8, "make has no target all; write "),
        ("--device cpu", "--devise cpu", 9, "has no option --devise; write --device"),
    ],
)
def test_what_is_not_there_is_named_at_its_line(
    tmp_path: Path, good: str, bad: str, line: int, message: str
) -> None:
    assert GOOD.count(good) == 1
    (problem,) = problems(site(tmp_path, GOOD.replace(good, bad)))
    assert (problem.line, message in problem.message) == (line, True), problem


def test_the_repository_names_only_what_is_there() -> None:
    found = problems(ROOT)
    assert not found, "\n".join(map(str, found))
