"""What search engines, link previews and assistants read in the head of a page."""

from functools import cache
from html import escape
from pathlib import Path

from PIL import Image

from docs.builder.book import Book, url_of
from docs.builder.translations import ROOT

LOCALES = {"en": "en_US", "zh-TW": "zh_TW"}  # Open Graph wants a region


@cache
def card(language: str) -> tuple[str, int, int, str]:
    """Return the picture beside links to the site, which docs/checks/pictures.py makes: where it
    lies, its width and height, and what it shows."""
    path = Path("assets", "cards", f"{language}.png")
    with Image.open(ROOT / "docs" / path) as picture:
        return path.as_posix(), *picture.size, picture.info["Description"]


def head(path: str, book: Book) -> str:
    """Return the elements, each on a line."""
    source, url = book.sources[path], url_of(path)
    where, width, height, alt = card(book.language)
    properties = {
        "og:type": "article" if url else "website",
        "og:site_name": book.name,
        "og:title": source.heading or book.title(path),
        "og:description": source.meta.get("description", book.description),
        "og:url": book.address(path),
        "og:locale": LOCALES[book.language],
        "og:locale:alternate": LOCALES[book.other],
        "og:image": book.home + where,
        "og:image:type": "image/png",
        "og:image:width": width,
        "og:image:height": height,
        "og:image:alt": alt,
    }
    names = {"twitter:card": "summary_large_image", "twitter:image:alt": alt}
    # With a space the theme's script takes it for no language, and asks for no sitemap beside it.
    lines = ['<link rel="alternate " type="text/markdown" href="index.md">']
    lines += [
        f'<meta {kind}="{name}" content="{escape(str(value))}">'
        for kind, pairs in (("property", properties), ("name", names))
        for name, value in pairs.items()
    ]
    return "\n".join(lines)
