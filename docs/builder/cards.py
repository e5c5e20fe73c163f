"""The pictures that stand beside links to this site; docs/checks/card.py makes them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from PIL import Image

FOLDER = Path(__file__).parents[1] / "assets" / "cards"


@dataclass(frozen=True)
class Card:
    """A picture in one language, and what it says of itself."""

    path: str  # from the home of both languages
    width: int
    height: int
    alt: str


@cache
def card(language: str) -> Card:
    """Return the picture of a language."""
    path = FOLDER / f"{language}.png"
    with Image.open(path) as picture:
        return Card(f"assets/cards/{path.name}", *picture.size, picture.info["Description"])
