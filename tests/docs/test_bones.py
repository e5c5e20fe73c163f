"""Who knows one chapter knows all: each has the same parts in the same order."""

from pathlib import Path

import pytest

from docs.checks.pages import Page
from docs.checks.reading_order import NAVIGATION, reading_order

ROOT = Path(__file__).parents[2]
BONES = (
    "without intuition by-hand definition code see-it shapes today what-goes-wrong try-it in-short"
)
PARTS = ("components/", "assembly/", "practice/")  # Start has pages of other kinds as well
CHAPTERS = [
    name
    for name in reading_order(ROOT / NAVIGATION)
    if name.startswith(PARTS) and name.endswith(".md") and name != "practice/playground.md"
]


@pytest.mark.parametrize("name", ["start/why-attention.md", *CHAPTERS])
def test_a_chapter_has_its_bones_in_order(name: str) -> None:
    page = Page.read(ROOT / "docs/en" / name)
    parts = [heading.anchor for heading in page.headings if heading.level == 2]
    assert parts == BONES.split(), f"docs/en/{name}: write these sections in this order: {BONES}"
