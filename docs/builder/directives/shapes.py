"""`<!-- shapes: PRESET -->`: what a model of some sizes computes and needs, and sliders for them.

Without a script the page has the tables of the preset; docs/assets/scripts/shapes/ does the rest.
"""

import json

from docs.builder import scripts
from docs.builder.cache import Artifact
from docs.builder.directives import Page, nearest
from docs.builder.translations import Translate
from docs.shapes import controls, model_sizes, tables

HTML = True


def artifact(argument: str, language: str) -> Artifact:
    """Return the counts, for the cache; they are the same in every language."""
    presets = model_sizes.PRESETS
    if argument not in presets:
        raise LookupError(f"there is no such preset; {nearest(argument, [*presets])}")
    return model_sizes.artifact(argument)


def render(argument: str, t: Translate, page: Page) -> str:
    """Return the tables of one preset, and the controls that the script brings out."""
    record = json.loads(artifact(argument, page.language).text())
    parts = [
        controls.without_script(t, argument),
        controls.controls(t, argument, record["presets"]),
        tables.counts(t, record["counts"]),
        tables.memory(t, record["counts"]["memory"]),
        tables.shapes(t, {**record["presets"][argument], **model_sizes.INPUT}),
        controls.totals(t),
    ]
    explorer = f'<div class="shapes" data-search-exclude>{"".join(parts)}</div>'
    return scripts.load("shapes", t, page) + explorer
