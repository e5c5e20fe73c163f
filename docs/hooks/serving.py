"""Under `mkdocs serve`: which languages changed since the last build."""

from pathlib import Path

active = False
_seen: dict[Path, int] = {}


def changed_languages(root: Path) -> set[str]:
    """Return the languages to build again: one for its own files, both for everything else."""
    now = _snapshot(root)
    before = dict(_seen)
    _seen.clear()
    _seen.update(now)
    changed = {path for path, _ in before.items() ^ now.items()}
    if not before or not changed:
        return {"en", "zh-TW"}
    languages: set[str] = set()
    for path in changed:
        folder = path.relative_to(root).parts[:2]
        if folder == ("docs", "en"):
            languages.add("en")
        elif folder in (("docs", "zh-TW"), ("docs", "locales")):
            languages.add("zh-TW")
        else:
            languages |= {"en", "zh-TW"}
    return languages


def forget() -> None:
    """Build both languages next time: the last build failed."""
    _seen.clear()


def _snapshot(root: Path) -> dict[Path, int]:
    folders = [root / "docs", root / "transformer"]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    watched = [path for path in files if "__pycache__" not in path.parts]
    return {path: path.stat().st_mtime_ns for path in [*watched, root / "mkdocs.yml"]}
