"""Under `mkdocs serve` only what changed is built again: a language, or some of its pages."""

import shutil
from pathlib import Path

LANGUAGES = {"en", "zh-TW"}
CHINESE, ASIDE = "zh-TW", ".zh-TW"  # MkDocs leaves hidden folders alone when it cleans the site
PAGES = {"docs/en": "en", f"docs/{CHINESE}": CHINESE}


class Serving:
    """What one run of `mkdocs serve` remembers from one build to the next."""

    def __init__(self) -> None:
        self.seen: dict[Path, int] = {}
        self.languages = LANGUAGES  # to build now
        self.pages_alone = False  # whether their other pages may stay as they are
        self.waiting: Path | None = None  # the site whose Chinese half is set aside

    def look(self, root: Path) -> None:
        """See what changed: the pages of a language, its translations, or what both are made of."""
        before, self.seen = self.seen, _snapshot(root)
        changed = {path for path, _ in before.items() ^ self.seen.items()}
        parts = (path.relative_to(root).parts for path in changed) if before else ()
        folders = {"/".join(part[:2]) for part in parts}
        self.pages_alone = bool(folders) and folders <= PAGES.keys()
        self.pages_alone &= changed <= before.keys() & self.seen.keys()  # none came or went
        if folders and folders <= PAGES.keys() | {"docs/locales"}:
            self.languages = {PAGES.get(folder, CHINESE) for folder in folders}
        else:
            self.languages = LANGUAGES

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
