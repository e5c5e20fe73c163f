"""The pictures that stand beside links to this site are the card figure, in each language.

`.venv/bin/python -m docs.checks.card` writes them again. It needs Chromium and the Noto fonts for
Chinese (Debian: chromium, fonts-noto-cjk), which a machine that builds the site need not have.
"""

import hashlib
import io
import shutil
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import sync_playwright

from docs.builder.drawing import VARIABLES, draw
from docs.builder.translations import ROOT, translator
from docs.checks import Problem
from docs.figures import _style, card

ADVICE = "run .venv/bin/python -m docs.checks.card, which needs chromium and fonts-noto-cjk"
PICTURES = Path("docs/assets/cards")
LANGUAGES = ("en", "zh-TW")
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
# Whoever sends the link has no theme: the market by night, as docs/assets/site.css has it.
COLOURS = {
    _style.INK: "#e9e6dd",
    _style.PAPER: "#13152b",
    _style.ACCENT: "#ffb547",
    _style.SECOND: "#8fa2ff",
    _style.MUTED: "#8a8ca3",
}
# Every figure has a margin of a tenth of an inch: here it falls outside the picture.
STYLE = f"""
<style>
  svg {{
    position: absolute; left: -10px; top: -10px;
    width: {card.WIDTH + 20}px; height: {card.HEIGHT + 20}px;
    color: {COLOURS[_style.INK]}; font-family: "Noto Sans CJK TC";
  }}
</style>
"""


def problems(root: Path) -> list[Problem]:
    """Say so where a committed picture was not made from what the figure draws now."""
    found = []
    for language in LANGUAGES:
        path = PICTURES / f"{language}.png"
        if not (root / path).exists() or source(root / path) != digest(page(language)):
            message = f"is not what docs/figures/card.py draws in {language}: {ADVICE}"
            found.append(Problem(path, 1, message))
    return found


def page(language: str) -> str:
    """Return the page that is photographed: the figure with fixed colours."""
    svg = draw("card", language)
    for stand_in, variable in VARIABLES.items():
        svg = svg.replace(variable, COLOURS[stand_in])
    return STYLE + svg


def digest(html: str) -> str:
    """Name a page in the picture made from it: two machines do not make the same pixels."""
    return hashlib.sha256(html.encode()).hexdigest()[:20]


def source(path: Path) -> str:
    """Return the name of the page that a picture was made from."""
    with Image.open(path) as picture:
        return str(picture.info.get("Source", ""))


def write(folder: Path) -> None:
    """Make the pictures of all languages."""
    executable = next(filter(None, map(shutil.which, CHROMIUM)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        window = browser.new_page(viewport={"width": card.WIDTH, "height": card.HEIGHT})
        for language in LANGUAGES:
            html = page(language)
            window.set_content(html)
            information = PngInfo()
            information.add_text("Source", digest(html))
            alt = translator(language, "figure:card")(card.ALT)
            information.add_itxt("Description", alt)  # the build reads it
            shot = Image.open(io.BytesIO(window.screenshot())).convert("RGB")
            light = shot.quantize(128, dither=Image.Dither.NONE)
            light.save(folder / f"{language}.png", optimize=True, pnginfo=information)
        browser.close()


if __name__ == "__main__":
    (ROOT / PICTURES).mkdir(exist_ok=True)
    write(ROOT / PICTURES)
