"""The pictures that are committed: those beside links to the site, and the README's."""

import shutil
from pathlib import Path

from PIL import Image

from docs.builder.head import card
from docs.builder.translations import translator
from docs.checks.card import PICTURES, problems
from docs.checks.picture import PICTURE
from docs.checks.picture import problems as picture_problems
from docs.figures.card import ALT

ROOT = Path(__file__).parents[2]


def test_the_committed_pictures_are_what_the_figures_draw() -> None:
    found = problems(ROOT) + picture_problems(ROOT)
    assert not found, "\n".join(map(str, found))


def test_another_picture_is_noticed(tmp_path: Path) -> None:
    shutil.copytree(ROOT / PICTURES, tmp_path / PICTURES)
    Image.new("P", (1200, 630)).save(tmp_path / PICTURES / "en.png")
    (tmp_path / PICTURES / "zh-TW.png").unlink()
    (tmp_path / PICTURE).write_text("<svg></svg>", "utf-8")
    assert [problem.file.name for problem in problems(tmp_path)] == ["en.png", "zh-TW.png"]
    assert [problem.file for problem in picture_problems(tmp_path)] == [PICTURE]


def test_a_card_is_light_and_says_what_it_shows() -> None:
    for language in ("en", "zh-TW"):
        path, *size, text = card(language)
        assert (ROOT / "docs" / path).stat().st_size <= 100_000
        assert size == [1200, 630]
        assert text == translator(language, "figure:card")(ALT)
