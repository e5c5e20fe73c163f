"""Formulas of the pages as MathML, and the font that holds what they need."""

import logging
from collections import defaultdict
from functools import partial
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from docs.builder.math_font import characters, subset
from docs.builder.mathml import convert
from docs.builder.spoken import Speaker
from docs.builder.translations import translator

log = logging.getLogger("mkdocs.hooks.formulas")

FONT_URI = "assets/fonts/stix-two-math.woff2"

# By site_dir: MkDocs loads this file once, and builds one language inside the other.
needed: defaultdict[str, set[str]] = defaultdict(set)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Convert the formulas of a page, say them in its language, and note their characters."""
    where = f"{Path(config.docs_dir).name}/{page.file.src_uri}: %s"
    speaker = Speaker(translator(config.theme["language"], "site"))
    html = convert(html, speaker.say, partial(log.warning, where))
    needed[config.site_dir] |= characters(html)
    return html


def on_post_build(config: MkDocsConfig) -> None:
    """Publish the font with the characters of this build."""
    target = Path(config.site_dir) / FONT_URI
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(subset(needed.pop(config.site_dir, set())))
