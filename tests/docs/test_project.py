"""README, setup and contributing say of the project what pyproject.toml and the Makefile say."""

import re
import tomllib
from pathlib import Path

import pytest

from docs.checks.pages import CODE, Page

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
SETUP = [Path("docs/en/start/setup.md"), Path("docs/zh-TW/start/setup.md")]
LISTED = [Path("docs/en/reference/contributing.md"), Path("docs/zh-TW/reference/contributing.md")]
NAME = re.compile(r"[\w-]+")
# Built upon by what is named, or only for development: nobody installs them for themselves.
UNNAMED = {"transformer-book", "types-polib", "types-PyYAML", "transformers"}


def advice(file: Path, line: int, message: str) -> str:
    return f"{file}:{line}: {message}"


@pytest.mark.parametrize("file", [Path("README.md"), *SETUP], ids=str)
def test_the_version_of_python_is_the_one_required(file: Path) -> None:
    needed = PROJECT["requires-python"].removeprefix(">=")
    for number, line in enumerate((ROOT / file).read_text("utf-8").splitlines(), 1):
        for version in re.findall(r"Python (3\.\d+)(?! …)", line):
            assert version == needed or f"{version} …" in line, advice(
                file, number, f"Python {version} should be {needed}, as in pyproject.toml"
            )


@pytest.mark.parametrize("file", [Path("README.md"), *SETUP], ids=str)
def test_extras_exist(file: Path) -> None:
    for number, line in enumerate((ROOT / file).read_text("utf-8").splitlines(), 1):
        for extra in re.findall(r"\.\[(\w+)\]", line):
            assert extra in EXTRAS, advice(file, number, f".[{extra}]: write {', '.join(EXTRAS)}")


@pytest.mark.parametrize("file", LISTED, ids=str)
def test_the_table_of_dependencies_is_whole(file: Path) -> None:
    page = Page.read(ROOT / file)
    (section,) = (section for section in page.sections if section.anchor == "dependencies")
    cells = [u for u in page.units if u.kind == "cell" and section.line < u.line < section.end]
    rows = {cell.line: cell for cell in reversed(cells)}  # the first cell of each
    told = {NAME.match(name)[0] for cell in rows.values() for name in CODE.findall(cell.marked)}
    listed = [*PROJECT["dependencies"], *(name for extra in EXTRAS.values() for name in extra)]
    known = {NAME.match(name)[0] for name in listed} - UNNAMED
    assert told == known, advice(
        file, section.line, f"missing {known - told or 'none'}, needless {told - known or 'none'}"
    )


def test_both_halves_of_the_readme_show_the_same_commands() -> None:
    blocks = [fence for fence in Page.read(ROOT / "README.md").fences if "make " in fence.code]
    bare = [[line.partition("#")[0].rstrip() for line in f.code.splitlines()] for f in blocks]
    assert bare[0] == bare[-1], advice(
        Path("README.md"), blocks[-1].line, f"the English half has {bare[0]}; write the same"
    )
    assert len(blocks) == 2
