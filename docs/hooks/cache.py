"""Keep what is slow to make, by a hash of everything that it is made from."""

import hashlib
import os
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".cache" / "site"


def cached(kind: str, sources: Iterable[str], make: Callable[[], str]) -> str:
    """Return what `make` returned for the same kind, sources and package before, or make it."""
    digest = hashlib.sha256("\0".join([package_digest(), *sources]).encode()).hexdigest()[:20]
    path = FOLDER / kind / digest
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}.partial")  # another build may make it too
        partial.write_text(make(), encoding="utf-8")
        partial.replace(path)
    return path.read_text(encoding="utf-8")


@cache
def package_digest() -> str:
    """Return a hash of the package's source, its trained model, and what was measured with it."""
    digest = hashlib.sha256()
    folders = (ROOT / "transformer", ROOT / "docs" / "measured")
    for path in sorted(path for folder in folders for path in folder.rglob("*.*")):
        if path.suffix in (".py", ".safetensors", ".json", ".jsonl"):
            digest.update(path.read_bytes())
    return digest.hexdigest()
