"""The font of the formulas: the part of STIX Two Math that they need.

The style sheet declares it.
"""

import re
import unicodedata
from functools import partial
from html import unescape
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

from docs.builder.cache import Artifact, code_of

FORMULA = re.compile(r"<math\b.*?</math>", re.DOTALL)

# A browser shows `<mi>x</mi>` with the glyph of U+1D465, mathematical italic x; its Planck constant
# is the italic h.
ITALIC = {"h": "ℎ"}
for code in (*range(0x1D434, 0x1D468), *range(0x1D6A4, 0x1D6A6), *range(0x1D6E2, 0x1D71C)):
    if decomposition := unicodedata.decomposition(chr(code)):
        ITALIC[chr(int(decomposition.split()[1], 16))] = chr(code)


def characters(html: str) -> set[str]:
    """Return the characters of a page's formulas."""
    return {
        character
        for formula in FORMULA.findall(html)
        for character in unescape(re.sub(r"<[^>]*>", "", formula))
    }


def subset(wanted: set[str]) -> bytes:
    """Return STIX Two Math as woff2 with these characters and what they stretch to."""
    wanted = wanted | {"√"}  # MathML draws it without a character
    wanted |= {ITALIC[character] for character in wanted if character in ITALIC}
    text = "".join(sorted(wanted))
    return Artifact("font", text, (text, *code_of(Path(__file__))), partial(_subset, text)).read()


def _subset(text: str) -> bytes:
    """Make the subset, the same bytes each time."""
    from fontTools import subset  # type: ignore[import-untyped]  # here: a warm build goes without

    package = find_spec("ziamath")  # it carries the font; importing it would take longer
    if package is None or package.origin is None:
        raise ModuleNotFoundError("the formulas need the font in the package ziamath")
    source = Path(package.origin).parent / "fonts" / "STIXTwoMath-Regular.ttf"
    options = subset.Options()
    options.flavor = "woff2"
    options.hinting = False
    options.layout_features = ["ssty", "dtls", "flac"]  # shapes for scripts and under accents
    options.name_IDs = ["*"]  # the licence asks to travel along
    options.recalc_timestamp = False
    made = BytesIO()
    with subset.load_font(source, options) as font:
        for lookup in font["GSUB"].table.LookupList.Lookup:
            for table in lookup.SubTable:
                _like_first_scripts(table)
        subsetter = subset.Subsetter(options)
        subsetter.populate(text=text)
        subsetter.subset(font)
        subset.save_font(font, made, options)
    return made.getvalue()


def _like_first_scripts(table: Any) -> None:
    """Let a script's own scripts look as scripts do: that makes the font a quarter lighter."""
    for glyph, shapes in getattr(table, "alternates", {}).items():
        table.alternates[glyph] = [shapes[0]] * len(shapes)
