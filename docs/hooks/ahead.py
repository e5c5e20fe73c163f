"""Before the pages are built: figures, trees and notebooks that are new, on all cores."""

import logging
from collections import defaultdict
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files

log = logging.getLogger("mkdocs.hooks.ahead")

DOCS = Path(__file__).parents[1]


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Make what the pages of this build, and of the one inside it, will ask for."""
    # Other processes will import the same modules, so they must be those of this build.
    from docs.builder import ahead, notebooks
    from docs.builder.directives import products

    language, built = config.theme["language"], config.extra["built"]
    if language != "en" and "en" in built:
        return  # the English build has made it
    groups: dict[str, ahead.Group] = defaultdict(list)
    for path in sorted((DOCS / "en").rglob("*.py")):  # one run serves both languages
        product = notebooks.product(path)
        groups[f"{product.kind} {product.name}"].append(product)
    for code in sorted(built):
        for path in sorted((DOCS / code).rglob("*.md")):
            for product in products(path.read_text("utf-8"), code):
                groups[f"{product.kind} {product.name}"].append(product)
    ahead.make(groups.values(), log.info)


def on_post_build(config: MkDocsConfig) -> None:
    """Forget what no page asks for any more."""
    from docs.builder.build_cache import forget_unused

    forget_unused()
