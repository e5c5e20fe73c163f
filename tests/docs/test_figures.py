"""Figures: what they claim is so, every word goes through t, every colour comes from _style."""

import importlib
import io
import re
from pathlib import Path
from unittest.mock import patch

import matplotlib as mpl
import pytest
import torch
from matplotlib.figure import Figure
from matplotlib.text import Text

from docs.builder import drawing
from docs.builder.translations import is_prose

FIGURES = Path(__file__).parents[2] / "docs/figures"
NAMES = sorted(path.stem for path in FIGURES.glob("[!_]*.py"))
CLAIMING = [name for name in NAMES if "def claims(" in (FIGURES / f"{name}.py").read_text("utf-8")]
COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b|\b(?:\w*color|c)=\"(?!none\")\w+\"")
WORD = re.compile(r"[A-Za-z]{2,}")
SENTENCES = {"data_splits", "data_word_order"}  # English words are what they show

# As the build draws them. The checks take most of the time of the grammar's sentences.
pytestmark = pytest.mark.usefixtures("no_shape_checks")


@pytest.mark.parametrize("name", CLAIMING)
def test_a_figure_claims_what_its_data_say(name: str) -> None:
    claims = importlib.import_module(f"docs.figures.{name}").claims()
    wrong = [claim for claim, holds in claims.items() if not holds]
    assert not wrong, f"docs/figures/{name}.py says, but its data do not: {'; '.join(wrong)}"


def test_every_line_of_a_text_has_an_anchor() -> None:
    figure = Figure()
    for number, align in enumerate(["left", "center", "right"]):
        figure.text(number / 2, 0.5, "one\nof two lines", ha=align)
    svg = io.StringIO()
    with mpl.rc_context(drawing.RC), patch.object(Text, "draw", drawing.draw_lines):
        figure.savefig(svg, format="svg")
    lines = re.findall(r"<text [^>]*?(?:text-anchor: (\w+))?\" x=\"([\d.]+)\"", svg.getvalue())
    anchors, places = zip(*lines)
    assert anchors == ("start", "start", "middle", "middle", "end", "end")
    assert places[::2] == places[1::2]


@pytest.mark.parametrize("path", sorted(FIGURES.glob("*.py")), ids=lambda path: path.stem)
def test_colours_come_from_the_style(path: Path) -> None:
    if path.stem != "_style":
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            found = COLOUR.search(line)
            assert not found, (
                f"{path}:{number}: {found[0]}: take a colour of docs/figures/_style.py"
            )


@pytest.mark.build  # draws, which takes longer than what `make quick` is for
@pytest.mark.parametrize("name", [name for name in NAMES if name not in SENTENCES])
def test_every_word_goes_through_t(name: str) -> None:
    """A label of several Latin words that t has not seen cannot be translated; a shape need not."""
    torch.set_num_threads(1)

    def t(label: str) -> str:
        return re.sub(r"[A-Za-z]+(?![^{]*\})", "字", label)

    drawn = importlib.import_module(f"docs.figures.{name}").draw(t)
    texts = {re.sub(r"\$[^$]*\$", "", artist.get_text()) for artist in drawn.findobj(Text)}
    plain = sorted(text for text in texts if is_prose(text) and len(WORD.findall(text)) > 1)
    assert not plain, f"docs/figures/{name}.py: write t({plain[0]!r}), so that it is translated"
