"""What search engines, link previews and assistants read in the head of a page."""

import json
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from PIL import Image

from docs.builder.api_pages import FOLDER as API
from docs.builder.book import Book, url_of
from docs.builder.languages import address
from docs.builder.translations import ROOT

LOCALES = {"en": "en_US", "zh-TW": "zh_TW"}  # Open Graph wants a region
MAP = "#map"  # of the home page, which lists what each part of the navigation holds

Data = dict[str, Any]


@cache
def card(language: str) -> tuple[str, int, int, str]:
    """Return the picture beside links to the site, which docs/checks/card.py makes: where it
    lies, its width and height, and what it shows."""
    path = Path("assets", "cards", f"{language}.png")
    with Image.open(ROOT / "docs" / path) as picture:
        return path.as_posix(), *picture.size, picture.info["Description"]


def head(path: str, book: Book) -> str:
    """Return the elements, each on a line."""
    source, url = book.sources[path], url_of(path)
    where, width, height, alt = card(book.language)
    picture = book.home + where
    heading = source.heading or book.title(path)
    description = source.meta.get("description", book.description)
    properties = {
        "og:type": "article" if url else "website",
        "og:site_name": book.name,
        "og:title": heading,
        "og:description": description,
        "og:url": book.address(path),
        "og:locale": LOCALES[book.language],
        "og:locale:alternate": LOCALES[book.other],
        "og:image": picture,
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
    data = _data(path, book, heading, description, picture)
    compact = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return "\n".join([*lines, f'<script type="application/ld+json">{compact}</script>'])


def _data(path: str, book: Book, heading: str, description: str, picture: str) -> Data:
    """Return the same in the words of schema.org."""
    url, own = url_of(path), book.address(path)
    other = address(book.home, book.other, url)
    site = {"@type": "WebSite", "@id": book.address("index.md"), "name": book.name}
    site["url"] = site["@id"]
    kind = "WebSite" if not url else "APIReference" if path.startswith(API) else "TechArticle"
    # The English was written first: each Chinese section says from which English it was made.
    work = "workTranslation" if book.language == "en" else "translationOfWork"
    common = {
        "description": description,
        "inLanguage": book.language,
        "image": picture,
        "isAccessibleForFree": True,
        work: {"@type": kind, "@id": other, "inLanguage": book.other},
    }
    if not url:
        things: list[Data] = [site | common]
    else:
        taught = [] if url.startswith("reference/") else ["LearningResource"]
        page = {
            "@type": [kind, *taught] if taught else kind,
            "@id": own,
            "url": own,
            "headline": heading,
            **common,
            "isPartOf": {name: site[name] for name in ("@type", "@id", "name")},
        }
        things = [page, _trail(path, book)]
    return {"@context": "https://schema.org", "@graph": things}


def _trail(path: str, book: Book) -> Data:
    entry = book.entries[path]
    home = book.address("index.md")
    steps = [(book.title("index.md"), home), *((title, home + MAP) for title in entry.sections)]
    items = [
        {"@type": "ListItem", "position": number, "name": name, "item": item}
        for number, (name, item) in enumerate([*steps, (entry.title, book.address(path))], 1)
    ]
    return {"@type": "BreadcrumbList", "itemListElement": items}
