"""The last touches on every page: sessions, weight, what it may run; and the search index."""

import os
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from docs.builder.finishing import (
    frame_tables,
    light,
    light_styles,
    quick_script,
    tidy_code,
    used_styles,
)
from docs.builder.foreseen import foresee
from docs.builder.lang_marks import mark
from docs.builder.policy import with_policy
from docs.builder.printing import with_addresses
from docs.builder.scripts import styles_in_head
from docs.builder.search import write_index

served = False  # `mkdocs serve` adds a script of its own to each page


def on_startup(command: str, dirty: bool) -> None:
    """Remember whether the pages will be served by MkDocs."""
    global served
    served = command == "serve" or "SITE_SERVED" in os.environ


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Tidy the code."""
    return tidy_code(html)


@event_priority(-100)
def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Mark the other language, note addresses and sizes, frame tables."""
    language = config.theme["language"]
    html = styles_in_head(with_addresses(output, page.url))
    return _with_policy(light(mark(frame_tables(foresee(html)), language)))


def on_post_build(config: MkDocsConfig) -> None:
    """Write the search index; make the style sheets light, and the theme's script quick."""
    write_index(Path(config.site_dir), config.theme["language"])
    assets = Path(config.site_dir, "assets")
    for ours in [assets / "site.css", *assets.glob("scripts/*/main.css")]:
        ours.write_text(light_styles(ours.read_text("utf-8")), "utf-8")
    for theirs in assets.glob("stylesheets/*.css"):
        theirs.write_text(used_styles(theirs.read_text("utf-8")), "utf-8")
    for script in assets.glob("javascripts/bundle.*.js"):
        script.write_text(quick_script(script.read_text("utf-8")), "utf-8")


def on_post_template(output: str, template_name: str, config: MkDocsConfig) -> str:
    """Say what the error page may run."""
    return _with_policy(output)


def _with_policy(html: str) -> str:
    return html if served else with_policy(html)
