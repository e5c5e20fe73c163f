"""Keep what is slow to make, by a hash of everything that it is made from."""

import ast
import hashlib
import logging
import os
import sys
import sysconfig
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".cache" / "site"
DAY = 24 * 60 * 60  # seconds


@dataclass(frozen=True)
class Product:
    """What is slow to make, and everything it is made from besides package and libraries."""

    kind: str
    name: str
    sources: tuple[str, ...]
    make: Callable[
        [], str | bytes
    ]  # another process may run it: a function of a module, or partial

    @property
    def path(self) -> Path:
        """Where it is kept."""
        made_from = "\0".join([libraries(), package_digest(), *self.sources])
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
def package_digest() -> str:
    """Return a hash of the package's source, its trained model, and what was measured with it."""
    digest = hashlib.sha256()
    folders = (ROOT / "transformer", ROOT / "docs" / "measured")
    for path in sorted(path for folder in folders for path in folder.rglob("*.*")):
        if path.suffix in (".py", ".safetensors", ".json", ".txt"):
            digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def libraries() -> str:
    """Return the versions of Python and of all that is installed: any may change what is drawn."""
    folders = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    found = {path.stem for folder in folders for path in Path(folder).glob("*.dist-info")}
    return " ".join([sys.version, *sorted(found)])


def code_of(*files: Path) -> tuple[str, ...]:
    """Return the text of these files and of all in docs/ that they import, however far away."""
    found = dict.fromkeys(files)
    for file in (todo := [*files]):
        new = [other for other in _imported(file) if other not in found]
        found |= dict.fromkeys(new)
        todo += new
    return tuple(file.read_text("utf-8") for file in sorted(found))


@cache
def _imported(file: Path) -> list[Path]:
    """Return the files of docs/ that a file imports."""
    found = []
    for node in ast.walk(ast.parse(file.read_text("utf-8"), str(file))):
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            path = ROOT.joinpath(*name.split("."))
            if name.startswith("docs."):
                places = (path.with_suffix(".py"), path / "__init__.py")
                found += [place for place in places if place.is_file()]
    return found


def forget_unused(days: int = 30) -> None:
    """Remove what no build has used for so long."""
    for path in FOLDER.rglob("*"):
        if path.is_file() and time.time() - path.stat().st_mtime > days * DAY:
            path.unlink(missing_ok=True)
