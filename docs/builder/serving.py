"""Under `mkdocs serve` only the language that changed is built again."""

import shutil
from pathlib import Path

LANGUAGES = {"en", "zh-TW"}
CHINESE, ASIDE = "zh-TW", ".zh-TW"  # MkDocs leaves hidden folders alone when it cleans the site


class Serving:
    """What one run of `mkdocs serve` remembers from one build to the next."""

    def __init__(self) -> None:
        self.seen: dict[Path, int] = {}
        self.waiting: Path | None = None  # the site whose Chinese half is set aside

    def changed_languages(self, root: Path) -> set[str]:
        """Return the languages to build again: one for its own files, both for everything else."""
        before, self.seen = self.seen, _snapshot(root)
        changed = {path for path, _ in before.items() ^ self.seen.items()}
        if not before or not changed:
            return LANGUAGES
        languages: set[str] = set()
        for path in changed:
            folder = path.relative_to(root).parts[:2]
            if folder == ("docs", "en"):
                languages.add("en")
            elif folder in (("docs", "zh-TW"), ("docs", "locales")):
                languages.add("zh-TW")
            else:
                languages |= LANGUAGES
        return languages

    def set_chinese_aside(self, site: Path) -> None:
        """Keep the Chinese site while the English one is built alone."""
        if (site / CHINESE).exists():
            shutil.rmtree(site / ASIDE, ignore_errors=True)
            (site / CHINESE).rename(site / ASIDE)
            self.waiting = site

    def bring_chinese_back(self) -> None:
        """Put it in its place again, if it was set aside."""
        if self.waiting:
            (self.waiting / ASIDE).rename(self.waiting / CHINESE)
            self.waiting = None

    def failed(self) -> None:
        """Leave a whole site behind, and build both languages next time."""
        self.bring_chinese_back()
        self.seen = {}


def _snapshot(root: Path) -> dict[Path, int]:
    folders = [root / "docs", root / "transformer"]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    watched = [path for path in files if "__pycache__" not in path.parts]
    return {path: path.stat().st_mtime_ns for path in [*watched, root / "mkdocs.yml"]}
