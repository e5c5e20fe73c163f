"""README and setup say of the project what pyproject.toml and the Makefile say."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from docs.builder.values import printed
from docs.checks.pages import Page

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
SETUP = [Path("docs/en/start/setup.md"), Path("docs/zh-TW/start/setup.md")]


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


def test_both_halves_of_the_readme_show_the_same_commands() -> None:
    blocks = [fence for fence in Page.read(ROOT / "README.md").fences if "make " in fence.code]
    bare = [[line.partition("#")[0].rstrip() for line in f.code.splitlines()] for f in blocks]
    assert bare[0] == bare[-1], advice(
        Path("README.md"), blocks[-1].line, f"the English half has {bare[0]}; write the same"
    )
    assert len(blocks) == 2


@pytest.mark.parametrize("value", ["shipped.words", "scores.seen .1%", "scores.longer .0%"])
def test_both_halves_of_the_readme_have_the_measured_numbers(value: str) -> None:
    number = printed(f"<!-- value: {value} -->", "en")
    found = re.findall(rf"(?<![\d.]){number}", (ROOT / "README.md").read_text("utf-8"))
    assert len(found) == 2, f"README.md: write {number} in both halves ({value})"


@pytest.mark.process
def test_the_wheel_holds_every_file_of_the_package(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    listed = subprocess.run(["git", "ls-files", "transformer"], cwd=ROOT, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    missing = {*listed.stdout.decode().split()} - {*ZipFile(wheel).namelist()}
    assert not missing, f"the wheel lacks {', '.join(sorted(missing))}: correct pyproject.toml"
