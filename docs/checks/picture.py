"""The README's picture is the architecture figure as the site draws it.

`.venv/bin/python -m docs.checks.picture` writes it again.
"""

from pathlib import Path

from docs.builder.drawing import VARIABLES, render
from docs.builder.translations import ROOT, translator
from docs.checks import Problem
from docs.figures import _style

FIGURE = "architecture"
ADVICE = "the figure changed, or this file was edited; run .venv/bin/python -m docs.checks.picture"
PICTURE = Path("docs/architecture.svg")
# GitHub shows it outside the site: on paper, in the colours of the light theme.
COLOURS = {
    _style.INK: "#23252f",
    _style.PAPER: "#fffdf8",
    _style.ACCENT: "#c2410c",
    _style.SECOND: "#3a4bb8",
    _style.MUTED: "#8a8d99",
}


def problems(root: Path) -> list[Problem]:
    """Say so when the committed picture is not the one that the figure draws now."""
    path = root / PICTURE
    if path.exists() and path.read_text("utf-8") == picture():
        return []
    return [Problem(PICTURE, 1, f"is not what docs/figures/{FIGURE}.py draws: {ADVICE}")]


def picture() -> str:
    """Draw the figure with fixed colours on a background."""
    svg = render(FIGURE, translator("en", f"figure:{FIGURE}"))
    for stand_in, variable in VARIABLES.items():
        svg = svg.replace(variable, COLOURS[stand_in])
    style = f'style="background:{COLOURS[_style.PAPER]};font-family:sans-serif" '
    return svg.replace("<svg ", f"<svg {style}", 1) + "\n"


if __name__ == "__main__":
    (ROOT / PICTURE).write_text(picture(), "utf-8")
