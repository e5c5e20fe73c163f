"""Keep what is slow to make, by a hash of everything that it is made from."""

import ast
import atexit
import hashlib
import json
import logging
import os
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".cache" / "made"
DATA = ("docs/measured", "transformer/inference", "docs")  # what code reads by its name
# They bring what was made to a page, and change nothing about it.
WITHOUT_EFFECT = ("docs.builder.cache", "docs.builder.translations")
DATA_NAME = re.compile(r"[\w./-]+\.(?:json|txt|safetensors|csv)$")
OURS = ("docs.", "transformer.")
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef
DAY = 24 * 60 * 60  # seconds


@dataclass(frozen=True)
class Artifact:
    """What is slow to make, and everything it is made from besides the libraries."""

    kind: str
    name: str
    sources: tuple[str, ...]
    make: Callable[
        [], str | bytes
    ]  # another process may run it: a function of a module, or partial

    @property
    def path(self) -> Path:
        """Where it is kept."""
        made_from = "\0".join([libraries(), *self.sources])
        return FOLDER / self.kind / hashlib.sha256(made_from.encode()).hexdigest()[:20]

    def is_kept(self) -> bool:
        """Whether it need not be made."""
        return self.path.exists()

    def read(self) -> bytes:
        """Return what was made from the same sources before, or make it.

        What is made with a warning is not kept: the next build shall warn too.
        """
        path = self.path
        if path.exists():
            if time.time() - path.stat().st_mtime > DAY:
                path.touch()  # used: `forget_unused` leaves it
            return path.read_bytes()
        with _Warnings() as warnings:
            made = self.make()
        made = made.encode() if isinstance(made, str) else made
        if not warnings.seen:
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_suffix(f".{os.getpid()}.partial")  # another build may make it too
            partial.write_bytes(made)
            partial.replace(path)
        return made

    def text(self) -> str:
        """Return it as text."""
        return self.read().decode()


class _Warnings(logging.Handler):
    """Notes whether anything below "mkdocs" warns."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.seen = False

    def emit(self, record: logging.LogRecord) -> None:
        self.seen = True

    def __enter__(self) -> "_Warnings":
        logging.getLogger("mkdocs").addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger("mkdocs").removeHandler(self)


@cache
def libraries() -> str:
    """Return the versions of what draws and computes: any may change what comes out."""
    names = ("torch", "numpy", "matplotlib", "scour", "tokenizers", "jupytext", "nbclient")
    return " ".join([sys.version, *(f"{name} {version(name)}" for name in names)])


@cache
def code_of(*files: Path) -> tuple[str, ...]:
    """Return what these files say to Python, and all in docs/ and the package that they import.

    Docstrings and comments are left out: they change nothing that is drawn. Data that the code
    names is read too.
    """
    known, found = _Known.load(), dict.fromkeys(files)
    for file in (todo := [*files]):
        new = [other for other in known.of(file)[1] if other not in found]
        found |= dict.fromkeys(new)
        todo += new
    return tuple(known.of(file)[0] for file in sorted(found))


class _Known:
    """What each file says and uses, kept until it is saved again."""

    PATH = FOLDER / "code.json"

    def __init__(self, kept: dict[str, tuple[int, str, list[str]]]) -> None:
        self.kept = kept
        self.seen: dict[Path, tuple[str, list[Path]]] = {}

    @classmethod
    @cache
    def load(cls) -> "_Known":
        """Read what was kept, and keep it again at the end."""
        try:
            known = cls(json.loads(cls.PATH.read_text("utf-8")))
        except (OSError, ValueError):  # the first time, or another process was writing
            known = cls({})
        atexit.register(known.keep)
        return known

    def of(self, file: Path) -> tuple[str, list[Path]]:
        """Return the digest of what a file says, and the files that it uses."""
        if file not in self.seen:
            name, saved = file.relative_to(ROOT).as_posix(), file.stat().st_mtime_ns
            if name not in self.kept or self.kept[name][0] != saved:
                self.kept[name] = saved, _meaning(file), _names(file)
            _, digest, names = self.kept[name]
            self.seen[file] = digest, [path for name in names for path in _files(name)]
        return self.seen[file]

    def keep(self) -> None:
        """Write it for the next build."""
        self.PATH.parent.mkdir(parents=True, exist_ok=True)
        partial = self.PATH.with_suffix(f".{os.getpid()}.partial")
        partial.write_text(json.dumps(self.kept), "utf-8")
        partial.replace(self.PATH)


def _meaning(file: Path) -> str:
    """Return a hash of what a file says."""
    content = file.read_bytes()
    if file.suffix == ".py":
        tree = ast.parse(content, str(file))
        for node in ast.walk(tree):
            if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
                node.body[:1] = [ast.Pass()]
        content = ast.unparse(tree).encode()
    return hashlib.sha256(content).hexdigest()


def _names(file: Path) -> list[str]:
    """Return the modules that a file may import, and the data that it names."""
    if file.suffix != ".py":
        return []
    found: list[str] = []
    for node in ast.walk(ast.parse(file.read_bytes(), str(file))):
        if isinstance(node, ast.ImportFrom) and not node.level:
            module = node.module or ""
            found += [module, *(f"{module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found += [node.value] if DATA_NAME.fullmatch(node.value) else []
    return [name for name in dict.fromkeys(found) if name.startswith(OURS) or DATA_NAME.match(name)]


def _files(name: str) -> list[Path]:
    """Return the file of a module, of what the package offers under a name, or of data."""
    if DATA_NAME.fullmatch(name):
        return [path for folder in DATA if (path := ROOT / folder / Path(name).name).is_file()]
    if name in WITHOUT_EFFECT:
        return []
    module = _homes().get(name, name)  # the package imports a name when it is first asked for
    path = ROOT.joinpath(*module.split("."))
    return [one for one in (path.with_suffix(".py"), path / "__init__.py") if one.is_file()]


@cache
def _homes() -> dict[str, str]:
    """Return the module of every name that the package offers, as transformer.NAME."""
    tree = ast.parse((ROOT / "transformer" / "__init__.pyi").read_text("utf-8"))
    return {
        f"transformer.{alias.name}": f"transformer.{node.module}"
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def forget_unused(days: int = 30) -> None:
    """Remove what no build has used for so long."""
    for path in FOLDER.rglob("*"):
        if path.is_file() and time.time() - path.stat().st_mtime > days * DAY:
            path.unlink(missing_ok=True)
