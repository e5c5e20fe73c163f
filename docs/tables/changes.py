"""The entries of CHANGELOG.md, the newest first."""

from pathlib import Path

from docs.builder.translations import Translate

FILE = Path(__file__).parents[2] / "CHANGELOG.md"


def table(_: Translate) -> str:
    """Return what the file has below its title, in English."""
    return "## " + FILE.read_text("utf-8").partition("\n## ")[2]
