"""Names that Material leaves out, for readers who listen to the page."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page

from docs.hooks.catalogue import translator

SEARCH = 'data-md-component="search" role="dialog"'


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Name the search dialog."""
    return _named(output, config)


def on_post_template(output: str, template_name: str, config: MkDocsConfig) -> str:
    """Name the search dialog of the error page."""
    return _named(output, config)


def _named(output: str, config: MkDocsConfig) -> str:
    t = translator(config.theme["language"], "site")
    return output.replace(SEARCH, f'{SEARCH} aria-label="{t("Search")}"')
