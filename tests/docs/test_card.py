"""The pictures beside links to the site."""

import shutil
from pathlib import Path

from PIL import Image

from docs.builder.cards import card
from docs.builder.translations import translator
from docs.checks.card import PICTURES, problems
from docs.figures.card import ALT

ROOT = Path(__file__).parents[2]


def test_the_committed_pictures_are_what_the_figure_draws() -> None:
    found = problems(ROOT)
    assert not found, "\n".join(map(str, found))


def test_another_picture_is_noticed(tmp_path: Path) -> None:
    shutil.copytree(ROOT / PICTURES, tmp_path / PICTURES)
    assert not problems(tmp_path)
    Image.new("P", (1200, 630)).save(tmp_path / PICTURES / "en.png")
    (tmp_path / PICTURES / "zh-TW.png").unlink()
    assert [problem.file.name for problem in problems(tmp_path)] == ["en.png", "zh-TW.png"]


def test_a_picture_says_what_it_shows() -> None:
    for language in ("en", "zh-TW"):
        assert card(language).alt == translator(language, "figure:card")(ALT)
