"""A figure of docs/figures/ as an SVG element that follows the page's theme and language."""

import importlib
import io
import re
import warnings
from collections import Counter
from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path
from typing import Any
from unittest.mock import patch
from zlib import crc32

import matplotlib as mpl
from matplotlib.backend_bases import RendererBase
from matplotlib.text import Text
from matplotlib.transforms import IdentityTransform
from scour.scour import sanitizeOptions, scourString

from docs.builder.cache import Artifact, code_of
from docs.builder.translations import Translate, entries, path_of, translator
from docs.figures import _style

FOLDER = Path(__file__).parents[1] / "figures"
VARIABLES = {
    _style.INK: "currentColor",
    _style.PAPER: "var(--md-default-bg-color)",
    _style.ACCENT: "var(--figure-accent)",
    _style.SECOND: "var(--figure-second)",
    _style.MUTED: "var(--figure-muted)",
}
SCOUR = sanitizeOptions()
SCOUR.strip_xml_prolog = SCOUR.strip_comments = SCOUR.remove_metadata = True
SCOUR.strip_ids = SCOUR.shorten_ids = True
SCOUR.style_to_xml = False  # attributes cannot hold CSS variables
SCOUR.indent_type = None
SCOUR.newlines = False

RC: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text, in the page's own font
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "savefig.transparent": True,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    **dict.fromkeys(
        ["text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"],
        _style.INK,
    ),
}


def artifact(name: str, language: str) -> Artifact:
    """Return a figure in one language, for the cache."""
    catalogue = entries(path_of(language))
    own = contexts(name)
    labels = [str(entry) for (where, _), entry in catalogue.items() if where in own]
    sources = (name, language, *labels, *code_of(FOLDER / f"{name}.py", Path(__file__)))
    return Artifact("figure", name, sources, partial(draw, name, language))


def draw(name: str, language: str) -> str:
    """Draw one figure in one language."""
    known, own = entries(path_of(language)), contexts(name)

    def t(text: str) -> str:
        context = next((context for context in own if (context, text) in known), own[0])
        return translator(language, context)(text)

    return render(name, t)


def contexts(name: str) -> list[str]:
    """Where the catalogue has a figure's labels: its own first, then those that figures share."""
    shared = sorted(path.stem for path in FOLDER.glob("_*.py"))
    return [f"figure:{stem}" for stem in (name, *shared)]


def render(name: str, t: Translate) -> str:
    """Draw one figure and return it as an SVG element that follows the page's theme."""
    import torch  # takes seconds: only where something is drawn

    torch.set_num_threads(1)  # the same sums in the same order on any machine
    figure = importlib.import_module(f"docs.figures.{name}")
    buffer = io.StringIO()
    settings = mpl.rc_context(RC | {"svg.hashsalt": name})
    with settings, patch.object(Text, "draw", draw_lines), warnings.catch_warnings():
        # The page's font draws the text; matplotlib only measures it, without Chinese glyphs.
        warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from font")
        metadata = {"Date": None, "Creator": None}
        figure.draw(t).savefig(buffer, format="svg", bbox_inches="tight", metadata=metadata)
    return element(buffer.getvalue(), name, t(figure.ALT))


def draw_lines(text: Text, renderer: RendererBase, draw: Callable[..., None] = Text.draw) -> None:
    """Draw each line of a text at an anchor: matplotlib alone would use its own font's widths."""
    figure, hidden = text.get_figure(), not text.get_visible()
    if figure is None or hidden or text.get_rotation() or text.get_bbox_patch():
        return draw(text, renderer)
    _, lines, _ = text._get_layout(renderer)  # type: ignore[attr-defined]
    if len(lines) == 1:
        return draw(text, renderer)
    align = text.get_horizontalalignment()
    share = {"left": 0, "center": 0.5, "right": 1}[align]
    origin_x, origin_y = text.get_transform().transform(text.get_unitless_position())
    for line, (width, *_), (x, y) in lines:
        one = Text(origin_x + x + share * width, origin_y + y, line, ha=align, va="baseline")
        one.set(color=text.get_color(), fontproperties=text.get_fontproperties())
        one.set(alpha=text.get_alpha(), path_effects=text.get_path_effects())
        one.set_transform(IdentityTransform())
        one.set_figure(figure)
        draw(one, renderer)


def element(svg: str, name: str, alt: str) -> str:
    """Make an SVG file of matplotlib's an element of a page; the name keeps its ids its own.

    A script of the page finds an artist whose gid is part-NAME as [data-part="NAME"].
    """
    svg = re.sub(r'<g id="part-(\w+)">', r'<g data-part="\1">', svg)  # scour renames every id
    # In attributes alone: a label may need its digits. Scour makes each point relative to the one
    # before, so that what is cut off later would add up.
    svg = re.sub(r'"[^"]*"', lambda value: re.sub(r"(\.\d\d)\d+", r"\1", value[0]), svg)
    svg = scourString(svg, SCOUR)
    for stand_in, variable in VARIABLES.items():
        svg = svg.replace(stand_in, variable)
    svg = re.sub(r"<!DOCTYPE[^>]*>", "", svg)
    svg = re.sub(r'<path d="[^"]*" style="fill:none"/>', "", svg)  # axes without a colour
    svg = re.sub(r' transform="rotate\(-?0 [^"]*"', "", svg)  # every text has one
    own = f"f{crc32(name.encode()) % 65536:x}-"  # every figure numbers its parts alike
    svg = re.sub(r'\bid="', f'id="{own}', svg)
    svg = re.sub(r'(url\(#|href="#)', rf"\g<1>{own}", svg)
    svg = re.sub(r"font-family:[^;\"]*;?", "", svg)  # the style sheet names the page's font
    svg = name_styles(svg, own)
    spoken = f'role="img" aria-label="{escape(alt)}"'
    return svg.replace("<svg ", f'<svg {spoken} stroke-linejoin="round" ', 1)


def name_styles(svg: str, own: str) -> str:
    """Write a style that many parts share once, as a class: half the size.

    Matplotlib's own rule, of round joins for *, would hold for the whole page.
    """
    counts = Counter(re.findall(r' style="([^"]*)"', svg))
    shared = [style for style, count in counts.items() if count > 2]
    rules = ""
    for number, style in enumerate(shared):
        svg = svg.replace(f' style="{style}"', f' class="{own}{number}"')
        rules += f".{own}{number}{{{style}}}"
    style = f"<style>{rules}</style>" if rules else ""
    return re.sub(r"<style\b.*?</style>", style, svg, count=1, flags=re.DOTALL)
