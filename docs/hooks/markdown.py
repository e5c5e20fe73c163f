"""For those who let an assistant read: each page as Markdown beside it, and a list of the pages."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure import StructureItem
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

from docs.builder import llms, mathml, page_markdown
from docs.builder.translations import translator
from docs.builder.versions import versions

formulas: dict[str, list[str]] = {}  # of each page


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> None:
    """Note the formulas as they are written: the next hook makes MathML of them."""
    formulas[page.url] = mathml.written(html)


@event_priority(-60)  # when the search has given the page back
def on_page_context(
    context: dict[str, Any], *, page: Page, config: MkDocsConfig, nav: Navigation
) -> None:
    """Write the Markdown, now that the page's links are what they will be."""
    made = page_markdown.product(page.content or "", formulas.pop(page.url), context["head"])
    path = Path(page.file.abs_dest_path).with_name(page_markdown.FILE)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(made.read())
    if page.is_homepage:
        Path(config.site_dir, llms.FILE).write_text(_list(config, nav), "utf-8")


def _list(config: MkDocsConfig, nav: Navigation) -> str:
    language = config.theme["language"]
    homes = versions("", language, config.site_url or "/")
    (other,) = (home for home in homes if home.language != language)
    link = f"[{other.name}]({other.address}{llms.FILE})"
    t = translator(language, "site")
    parts = list(_parts("", nav))
    return llms.llms(config.site_name, config.site_description or "", parts, link, t)


def _parts(title: str, items: Iterable[StructureItem]) -> Iterator[llms.Part]:
    """Yield a part of the navigation, then the parts within it."""
    inside = list(items)
    if pages := [item for item in inside if isinstance(item, Page)]:
        yield llms.Part(title, [_entry(page) for page in pages])
    for item in inside:
        if isinstance(item, Section):
            yield from _parts(item.title or "", item.children)


def _entry(page: Page) -> llms.Entry:
    address = f"{page.canonical_url}{page_markdown.FILE}"
    return llms.Entry(page.title or "", address, page.meta.get("description", ""))
