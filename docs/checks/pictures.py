"""Pictures that are committed, since they are seen outside the site, are what the figures draw.

`.venv/bin/python -m docs.checks.pictures` draws them again. It needs the font Noto Sans CJK TC
(Debian: fonts-noto-cjk), which a machine that builds the site need not have.
"""

import hashlib
import re
from pathlib import Path

import matplotlib as mpl
from matplotlib.colors import to_hex, to_rgb
from matplotlib.font_manager import findfont
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from docs.builder.drawing import VARIABLES, draw
from docs.builder.translations import ROOT, translator
from docs.checks import Problem
from docs.figures import card
from docs.figures._style import ACCENT, INK, MUTED, PAPER, SECOND

README = Path("docs/architecture.svg")
CARDS = {"en": Path("docs/assets/cards/en.png"), "zh-TW": Path("docs/assets/cards/zh-TW.png")}
COLOURS = {  # as the style sheet calls them
    INK: "--md-default-fg-color",
    PAPER: "--md-default-bg-color",
    ACCENT: "--figure-accent",
    SECOND: "--figure-second",
    MUTED: "--figure-muted",
}
CSS = (ROOT / "docs/assets/site.css").read_text("utf-8")
LIGHT, DARK = (  # each is set by day first, then by night
    {stand_in: re.findall(rf"{name}: (#\w+);", CSS)[night] for stand_in, name in COLOURS.items()}
    for night in (0, 1)
)
FONT = "Noto Sans CJK TC"


def problems(root: Path) -> list[Problem]:
    """Say so where a committed picture is not made from what its figure draws now."""
    wrong = [path for name, path in CARDS.items() if source(root / path) != digest(name)]
    if not (root / README).exists() or (root / README).read_text("utf-8") != architecture():
        wrong.append(README)
    advice = "run .venv/bin/python -m docs.checks.pictures, which needs fonts-noto-cjk"
    return [Problem(path, 1, f"is not what its figure draws: {advice}") for path in wrong]


def architecture() -> str:
    """Return the architecture with fixed colours on a background, for the README."""
    svg = draw("architecture", "en")
    for stand_in, variable in VARIABLES.items():
        svg = svg.replace(variable, LIGHT[stand_in])
    style = f'style="background:{LIGHT[PAPER]};font-family:sans-serif" '
    return svg.replace("<svg ", f"<svg {style}", 1) + "\n"


def digest(language: str) -> str:
    """Name the card in the picture made from it: two machines do not make the same pixels."""
    drawn = draw("card", language) + " ".join(DARK.values())
    return hashlib.sha256(drawn.encode()).hexdigest()[:20]


def source(path: Path) -> str:
    """Return the name of the card that a picture was made from."""
    if not path.exists():
        return ""
    with Image.open(path) as picture:
        return str(picture.info.get("Source"))


def write_card(language: str, path: Path) -> None:
    """Draw what stands beside a link to the site; whoever sends the link has no theme."""
    t = translator(language, "figure:card")
    findfont(FONT, fallback_to_default=False)  # or else an error
    with mpl.rc_context({"font.family": FONT}):
        figure = card.draw(t)
        for artist in figure.findobj():
            for part in ("color", "facecolor", "edgecolor"):
                colour = getattr(artist, f"get_{part}", lambda: None)()
                if colour is not None and to_hex(colour) in DARK:
                    getattr(artist, f"set_{part}")(to_rgb(DARK[to_hex(colour)]))
        figure.savefig(path, dpi=100)
    information = PngInfo()
    information.add_text("Source", digest(language))
    information.add_itxt("Description", t(card.ALT))  # the build reads it
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(128, dither=Image.Dither.NONE)
    small.save(path, optimize=True, pnginfo=information)


if __name__ == "__main__":
    (ROOT / README).write_text(architecture(), "utf-8")
    for language, path in CARDS.items():
        write_card(language, ROOT / path)
