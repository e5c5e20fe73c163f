"""What is kept follows everything that it is made from."""

import logging
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from docs.builder import ahead, build_cache, drawing
from docs.builder.cache import DAY, Product, code_of, forget_unused


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small repository: two figures, one of which imports from far away."""
    files = {
        "docs/figures/plain.py": "import math\n",
        "docs/figures/rich.py": "def draw(t):\n    from docs.figures import _data\n",
        "docs/figures/_data.py": "import docs.numbers.deep\n",
        "docs/numbers/__init__.py": "",
        "docs/numbers/deep.py": "from docs.figures import rich  # a circle\nTHREE = 3\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setattr(build_cache, "ROOT", tmp_path)
    monkeypatch.setattr(build_cache, "FOLDER", tmp_path / "cache")
    return tmp_path


def figure(root: Path, name: str) -> Product:
    return Product("figure", name, code_of(root / f"docs/figures/{name}.py"), lambda: name)


@pytest.mark.parametrize("file", ["figures/rich", "figures/_data", "numbers/deep"])
def test_a_key_knows_what_a_figure_imports(root: Path, file: str) -> None:
    before = [figure(root, name).path for name in ("plain", "rich")]
    path = root / f"docs/{file}.py"
    path.write_text(path.read_text("utf-8") + "# changed\n", "utf-8")
    after = [figure(root, name).path for name in ("plain", "rich")]
    assert [a == b for a, b in zip(after, before)] == [True, False]


def test_a_real_figure_knows_its_data() -> None:
    folder = Path(build_cache.__file__).parents[1] / "figures"
    code = code_of(folder / "table_3_vocabulary.py")
    assert (folder / "_table_3.py").read_text("utf-8") in code
    assert (folder / "_style.py").read_text("utf-8") in code


@pytest.mark.parametrize("name", ["libraries", "package_digest"])
def test_a_key_knows_libraries_and_package(
    root: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = figure(root, "plain").path
    monkeypatch.setattr(build_cache, name, lambda: "torch-99.0")
    assert figure(root, "plain").path != before


@pytest.mark.parametrize("change", [("One", "Two"), ("", "#, fuzzy\n")], ids=["text", "fuzzy"])
def test_a_key_knows_the_labels(
    change: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the Chinese stays as it is: the figure may have been drawn with the English."""
    before, after = (tmp_path / f"{name}.po" for name in ("before", "after"))
    entry = 'msgctxt "figure:race_length"\nmsgid "One"\nmsgstr "一"\n'
    before.write_text(entry, "utf-8")
    old, new = change
    after.write_text(entry.replace(old, new, 1), "utf-8")
    monkeypatch.setattr(drawing, "path_of", lambda name: tmp_path / f"{name}.po")
    first, second = (
        drawing.product("race_length", name).sources[2:] for name in ("before", "after")
    )
    assert first != second


def test_the_versions_of_the_libraries_are_found() -> None:
    found = build_cache.libraries()
    for name in ("torch", "matplotlib", "numpy", "scour", "nbclient", "jupytext"):
        assert f" {name}-" in found, name


def test_it_is_made_once(root: Path) -> None:
    made: list[int] = []
    product = Product("figure", "f", ("x",), lambda: made.append(1) or "text")  # type: ignore[func-returns-value]
    assert not product.is_kept()
    assert [product.text(), product.text()] == ["text", "text"]
    assert product.is_kept()
    assert made == [1]


def test_what_warns_is_not_kept(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    def make() -> str:
        logging.getLogger("mkdocs.translations").warning("no translation")
        return "text"

    product = Product("figure", "f", ("x",), make)
    assert [product.text(), product.text()] == ["text", "text"]
    assert caplog.messages == ["no translation"] * 2


def test_what_fails_is_not_kept(root: Path) -> None:
    product = Product("figure", "f", ("x",), lambda: str(1 / 0))
    with pytest.raises(ZeroDivisionError):
        product.read()
    assert not [path for path in build_cache.FOLDER.rglob("*") if path.is_file()]


def test_what_no_build_uses_is_forgotten(root: Path) -> None:
    used, unused = (Product("figure", "f", (name,), lambda: "text") for name in ("a", "b"))
    for product in (used, unused):
        product.read()
        os.utime(product.path, (0, product.path.stat().st_mtime - 31 * DAY))
    used.read()
    forget_unused()
    assert (used.is_kept(), unused.is_kept()) == (True, False)


def broken() -> str:
    raise ValueError("broken")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "FEW", 9)  # all in this process


@pytest.mark.usefixtures("root", "few")
def test_what_is_not_kept_is_made_ahead_in_words() -> None:
    def product(kind: str, word: str, make: Callable[[], str] = lambda: "text") -> Product:
        return Product(kind, word, (word,), make)

    kept, new, bad = product("figure", "a"), product("figure", "b"), product("tree", "c", broken)
    kept.read()
    said: list[str] = []
    ahead.make([[kept], [new, product("figure", "b2")], [bad]], said.append)
    assert said == ["figure 1 of 1: b", "tree 1 of 1: c"]
    assert new.is_kept()
    assert not bad.is_kept()  # the page that asks for it says why


@pytest.mark.process
def test_many_are_made_by_several_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "make_group", print)  # found by its name in the other process
    said: list[str] = []
    ahead.make([[Product("figure", str(n), (str(n), "test"), str)] for n in range(4)], said.append)
    assert said[0] == f"4 to make with {os.cpu_count()} processes, which load PyTorch first"
    assert {line.split(" of 4: ")[0] for line in said if " of 4" in line} == {
        f"figure {n}" for n in range(1, 5)
    }
