"""What is kept is made again when what it is made from changed, and only then."""

import logging
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from docs.builder import cache, drawing, prepare
from docs.builder.cache import DAY, Artifact, code_of, forget_unused

FILES = {  # two figures, one of which imports from far away
    "docs/figures/plain.py": "import math\n",
    "docs/figures/rich.py": "def draw(t):\n    from docs.figures import _data\n",
    "docs/figures/_data.py": "import docs.numbers.deep\n",
    "docs/numbers/__init__.py": "",
    "docs/numbers/deep.py": (
        '"""Numbers."""\n\nfrom docs.figures import rich  # a circle\n'
        "from transformer import Model\n\nFILE = 'speed.json'\n"
    ),
    "docs/measured/speed.json": "{}",
    "docs/measured/other.json": "{}",
    "transformer/__init__.pyi": "from .model.model import Model as Model\n",
    "transformer/model/model.py": 'class Model:\n    """A model."""\n\n    size = 1\n',
    "transformer/model/unused.py": "",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small repository."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setattr(cache, "ROOT", tmp_path)
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "cache")
    return tmp_path


def figure(root: Path, name: str) -> Path:
    """Where a figure is kept, as a new process would say."""
    known = cache._Known({})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache._Known, "load", lambda: known)
        code_of.cache_clear(), cache._homes.cache_clear()
        code = code_of(root / f"docs/figures/{name}.py")
    code_of.cache_clear(), cache._homes.cache_clear()
    return Artifact("figure", name, code, lambda: name).path


@pytest.mark.parametrize(
    ("file", "old", "new", "again"),
    [
        ("docs/figures/rich.py", "(t)", "(u)", True),
        ("docs/figures/_data.py", "\n", "\nX = 1\n", True),
        ("docs/numbers/deep.py", "\n\nFILE", "\nY = 2\nFILE", True),
        ("docs/measured/speed.json", "{}", "[1]", True),
        ("transformer/model/model.py", "size = 1", "size = 2", True),
        ("transformer/model/model.py", "A model.", "Another docstring.", False),
        ("docs/numbers/deep.py", "a circle", "another comment", False),
        ("docs/figures/rich.py", "def", "\n\ndef", False),
        ("docs/measured/other.json", "{}", "[1]", False),
        ("transformer/model/unused.py", "", "X = 1", False),
    ],
)
def test_a_figure_is_drawn_again_when_what_it_imports_changed(
    root: Path, file: str, old: str, new: str, again: bool
) -> None:
    before = [figure(root, name) for name in ("plain", "rich")]
    path = root / file
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    after = [figure(root, name) for name in ("plain", "rich")]
    assert [a == b for a, b in zip(after, before)] == [True, not again]


def test_a_key_knows_the_libraries(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert " matplotlib 3" in cache.libraries()
    before = figure(root, "plain")
    monkeypatch.setattr(cache, "libraries", lambda: "torch 99.0")
    assert figure(root, "plain") != before


@pytest.mark.parametrize("change", [("One", "Two"), ("", "#, fuzzy\n")], ids=["text", "fuzzy"])
def test_a_key_knows_the_labels(
    change: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the Chinese stays as it is: the figure may have been drawn with the English."""
    before, after = (tmp_path / f"{name}.po" for name in ("before", "after"))
    entry = 'msgctxt "figure:race_length"\nmsgid "One"\nmsgstr "一"\n'
    before.write_text(entry, "utf-8")
    after.write_text(entry.replace(*change, 1), "utf-8")
    monkeypatch.setattr(drawing, "path_of", lambda name: tmp_path / f"{name}.po")
    first, second = (
        drawing.artifact("race_length", name).sources[2:] for name in ("before", "after")
    )
    assert first != second


def test_it_is_made_once(root: Path) -> None:
    made: list[int] = []
    artifact = Artifact("figure", "f", ("x",), lambda: made.append(1) or "text")  # type: ignore[func-returns-value]
    assert not artifact.is_kept()
    assert [artifact.text(), artifact.text()] == ["text", "text"]
    assert artifact.is_kept()
    assert made == [1]


def test_what_warns_or_fails_is_not_kept(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    def make() -> str:
        logging.getLogger("mkdocs.translations").warning("no translation")
        return "text"

    artifact = Artifact("figure", "f", ("x",), make)
    assert [artifact.text(), artifact.text()] == ["text", "text"]
    assert caplog.messages == ["no translation"] * 2
    with pytest.raises(ZeroDivisionError):
        Artifact("figure", "f", ("x",), lambda: str(1 / 0)).read()
    assert not [path for path in cache.FOLDER.rglob("*") if path.is_file()]


def test_what_no_build_uses_is_forgotten(root: Path) -> None:
    used, unused = (Artifact("figure", "f", (name,), lambda: "text") for name in ("a", "b"))
    for artifact in (used, unused):
        artifact.read()
        os.utime(artifact.path, (0, artifact.path.stat().st_mtime - 31 * DAY))
    used.read()
    forget_unused()
    assert (used.is_kept(), unused.is_kept()) == (True, False)


def broken() -> str:
    raise ValueError("broken")


def test_what_is_not_kept_is_made_ahead(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def artifact(kind: str, word: str, make: Callable[[], str] = lambda: "text") -> Artifact:
        return Artifact(kind, word, (word,), make)

    monkeypatch.setattr(prepare, "FEW", 9)  # all in this process
    kept, new, bad = artifact("figure", "a"), artifact("figure", "b"), artifact("tree", "c", broken)
    kept.read()
    lines: list[str] = []
    prepare.make([[kept], [new, artifact("figure", "b2")], [bad]], lines.append)
    assert lines == ["figure 1 of 1: b", "tree 1 of 1: c"]
    assert new.is_kept()
    assert not bad.is_kept()  # the page that asks for it says why


@pytest.mark.process
def test_many_are_made_by_several_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare, "make_group", print)  # found by its name in the other process
    lines: list[str] = []
    prepare.make(
        [[Artifact("figure", str(n), (str(n), "test"), str)] for n in range(4)], lines.append
    )
    assert lines[0] == f"4 to make with {os.cpu_count()} processes, which load PyTorch first"
    assert {line.split(" of 4: ")[0] for line in lines if " of 4" in line} == {
        f"figure {n}" for n in range(1, 5)
    }
