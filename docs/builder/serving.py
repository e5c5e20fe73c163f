"""Under `mkdocs serve` only what changed is built again: a language, or some of its pages."""

from pathlib import Path

LANGUAGES = {"en", "zh-TW"}
PAGES = {"docs/en": "en", "docs/zh-TW": "zh-TW"}


class Serving:
    """What one run of `mkdocs serve` remembers from one build to the next."""

    def __init__(self) -> None:
        self.seen: dict[Path, int] = {}
        self.languages = LANGUAGES  # to build now
        self.pages_alone = False  # whether all their other pages stay as they are

    def look(self, root: Path) -> None:
        """See what changed: the pages of a language, its translations, or what both are made of."""
        before, self.seen = self.seen, _snapshot(root)
        changed = {path for path, _ in before.items() ^ self.seen.items()}
        parts = (path.relative_to(root).parts for path in changed) if before else ()
        folders = {"/".join(part[:2]) for part in parts}
        # MkDocs cleans the whole site, Chinese too, unless it builds some of its pages alone.
        self.pages_alone = bool(folders) and folders <= PAGES.keys()
        self.pages_alone &= changed <= before.keys() & self.seen.keys()  # none came or went
        if self.pages_alone:
            self.languages = {PAGES[folder] for folder in folders}
        else:
            self.languages = {"zh-TW"} if folders == {"docs/locales"} else LANGUAGES

    def failed(self) -> None:
        """Build both languages next time, unless what failed will be built again anyway."""
        if not self.pages_alone:
            self.seen = {}


def _snapshot(root: Path) -> dict[Path, int]:
    folders = [root / "docs", root / "transformer"]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    watched = [path for path in files if "__pycache__" not in path.parts]
    return {path: path.stat().st_mtime_ns for path in [*watched, root / "mkdocs.yml"]}
