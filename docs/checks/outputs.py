"""Write every printed output anew: of pages in both languages, README and docstrings.

`python -m docs.checks.outputs` runs what the tests run, writes what was really printed with as many
digits as stood there, and names what a person must write: errors, and outputs with an ellipsis.
"""

import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator
from doctest import DocTestFinder
from pathlib import Path
from typing import NamedTuple

import torch

import transformer
from docs.checks.pages import markdown_files
from docs.checks.snippets import Differs, compare_session, failures

ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"(?<![\w.])[+-]?\d+\.(\d+)(?![\w.])")
INDENT = re.compile(r"(?:[ \t]|> )*")


class Found(NamedTuple):
    """An output that is no longer so: the last line of its block (from 1), and what differs."""

    end: int
    failure: str


def on_page(path: Path) -> Iterator[Found]:
    """What fails on a page."""
    for example, failure in failures(path):
        region = example.document.text[example.region.start : example.region.end].rstrip("\n")
        is_fence = region.lstrip(" >").startswith(("`", "~"))
        yield Found(example.line + region.count("\n") - is_fence, failure)


def in_docstrings(name: str) -> Iterator[Found]:
    """What fails in the docstrings of a module."""
    module = importlib.import_module(name)
    for test in DocTestFinder().find(module, globs=dict(vars(module))):
        for example in test.examples:
            if failure := compare_session(example, test.globs):
                text = example.source + example.want
                yield Found((test.lineno or 0) + example.lineno + text.count("\n"), failure)


def rounded(printed: str, shown: str) -> str:
    """Give each decimal number as many digits as it had.

    Where there are more or fewer numbers than before, all get as many as the longest had.
    """
    digits = [len(match[1]) for match in NUMBER.finditer(shown)]
    numbers = len(NUMBER.findall(printed))
    if len(digits) != numbers:
        digits = [max(digits, default=20)] * numbers
    each = iter(digits)
    return NUMBER.sub(
        lambda number: f"{float(number[0]):.{min(next(each), len(number[1]))}f}", printed
    )


def rewrite(path: Path, found: Iterable[Found]) -> list[str]:
    """Write a file's outputs anew, and say what could not be written."""
    lines = path.read_text("utf-8").splitlines()
    left = []
    for end, failure in sorted(found, reverse=True):
        if not isinstance(failure, Differs) or any("..." in line for line in failure.shown):
            left.append(f"{path.relative_to(ROOT)}:{end}: {failure}")
            continue
        start = end - len(failure.shown)
        indent = INDENT.match(lines[start - 1])
        printed = rounded("\n".join(failure.printed), "\n".join(failure.shown)).splitlines()
        lines[start:end] = [f"{indent[0] if indent else ''}{line}".rstrip() for line in printed]
    text = "\n".join(lines) + "\n"
    if text != path.read_text("utf-8"):
        path.write_text(text, "utf-8")
        print(f"{path.relative_to(ROOT)}: written anew")
    return left


def main() -> None:
    """Write all outputs anew; exit with 1 if a person must look at some."""
    torch.set_num_threads(1)  # as in the tests
    left = []
    for module in pkgutil.walk_packages(transformer.__path__, "transformer."):
        if not module.name.endswith("__main__"):
            source = inspect.getsourcefile(importlib.import_module(module.name))
            left += rewrite(Path(str(source)), in_docstrings(module.name))
    for page in [*markdown_files(ROOT / "docs"), ROOT / "README.md"]:
        left += rewrite(page, on_page(page))
    print(*left, sep="\n\n")
    sys.exit(bool(left))


if __name__ == "__main__":
    main()
