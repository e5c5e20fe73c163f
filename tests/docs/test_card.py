"""The pictures that are committed: those beside links to the site, and the README's."""

from pathlib import Path

from PIL import Image

from docs.builder.head import card
from docs.builder.translations import translator
from docs.checks.pictures import CARDS, README, problems
from docs.figures.card import ALT

ROOT = Path(__file__).parents[2]


def test_the_committed_pictures_are_what_the_figures_draw() -> None:
    found = problems(ROOT)
    assert not found, "\n".join(map(str, found))


def test_another_picture_is_noticed(tmp_path: Path) -> None:
    (tmp_path / CARDS["en"]).parent.mkdir(parents=True)
    Image.new("P", (1200, 630)).save(tmp_path / CARDS["en"])
    (tmp_path / README).write_text("<svg></svg>", "utf-8")
    assert [problem.file for problem in problems(tmp_path)] == [*CARDS.values(), README]


def test_a_card_is_light_and_says_what_it_shows() -> None:
    for language in ("en", "zh-TW"):
        path, *size, text = card(language)
        assert (ROOT / "docs" / path).stat().st_size <= 100_000
        assert size == [1200, 630]
        assert text == translator(language, "figure:card")(ALT)
