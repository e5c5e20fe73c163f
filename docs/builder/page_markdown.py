"""A page as Markdown, for those who let an assistant read it: what it says of itself, and all that
stands on it."""

import json
from functools import partial
from pathlib import Path
from urllib.parse import urldefrag, urljoin

from docs.builder.build_cache import Product, code_of
from docs.builder.head import Head
from docs.builder.html_as_markdown import to_markdown
from docs.builder.translations import translator
from docs.builder.versions import home_of_both

FILE = "index.md"  # beside index.html


def product(html: str, formulas: list[str], head: Head) -> Product:
    """Return a page as Markdown, for the cache; `formulas` are those of the page, as written."""
    sources = (html, *formulas, front_matter(head), *code_of(Path(__file__)))
    return Product("markdown", head.address, sources, partial(make, html, formulas, head))


def make(html: str, formulas: list[str], head: Head) -> str:
    """Return what the page says of itself, then what stands on it."""
    t = translator(head.language, "site")
    return front_matter(head) + to_markdown(html, formulas, t, partial(whole, head))


def front_matter(head: Head) -> str:
    """Return title, description, address and language of the page, and where its translation is."""
    (other,) = (one for one in head.versions if one.language != head.language)
    facts = {
        "title": head.heading,
        "description": head.description,
        "url": head.address,
        "language": head.language,
        other.language: other.address + FILE,
    }
    lines = [f"{name}: {json.dumps(fact, ensure_ascii=False)}" for name, fact in facts.items()]
    return "\n".join(["---", *lines, "---", "", ""])


def whole(head: Head, link: str) -> str:
    """Return the whole address of a link; within the book it leads from Markdown to Markdown.

    A link that sets the playground, as `#layer=2`, leads to the page, which can be set.
    """
    address, anchor = urldefrag(urljoin(head.address, link))
    if "=" in anchor:
        return f"{address}#{anchor}"
    if link.startswith("#"):
        return link
    if address.startswith(home_of_both(head.site_url, head.language)) and address.endswith("/"):
        address += FILE
    return f"{address}#{anchor}" if anchor else address
