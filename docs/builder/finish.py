"""The one pass over the finished files of a language, whichever site builder made them."""

import shutil
from html import escape
from pathlib import Path

from docs.builder.book import Book, url_of
from docs.builder.head import head
from docs.builder.languages import NAMES, address, alternates
from docs.builder.math_font import characters, subset
from docs.builder.policy import with_policy, without_foreign_scripts
from docs.builder.search import write_index
from docs.builder.sessions import with_marked_output

FONT = "assets/fonts/stix-two-math.woff2"


def finish(site: Path, project: Path, book: Book, served: bool = False) -> None:
    """Add what lies beside the pages, and to each page what others read in it and what it may run.

    MkDocs puts a script of its own on pages that it serves, so these get no policy.
    """
    shutil.copytree(project / "beside", site, dirs_exist_ok=True)
    needed: set[str] = set()
    notebooks = {  # have no front matter for the theme to read
        site / url_of(path) / "index.html": f'content="{escape(source.meta["description"])}"'
        for path, source in book.sources.items()
        if path.endswith(".py")
    }
    heads = {site / url_of(path) / "index.html": head(path, book) for path in book.sources}
    for path in [*heads, site / "404.html"]:
        html = path.read_text("utf-8")
        if description := notebooks.get(path):
            html = html.replace(f'content="{escape(book.description)}"', description, 1)
        needed |= characters(html)
        if path in heads and heads[path] in html:  # a page that was not built again
            continue
        html = without_foreign_scripts(with_marked_output(html)).replace(
            "</head>", heads.get(path, "") + "</head>", 1
        )
        path.write_text(html if served else with_policy(html), "utf-8")
    font = site / FONT
    font.parent.mkdir(parents=True, exist_ok=True)
    font.write_bytes(subset(needed))
    write_index(site, book.language)
    if book.language == "en":
        (site / "sitemap.xml").write_text(sitemap(book), "utf-8")
    else:  # hosts and crawlers look for it at the root alone
        (site / "404.html").unlink(missing_ok=True)


def sitemap(book: Book) -> str:
    """Return the list of all pages in all languages, each with its translations."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        ' xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ]
    for path in book.entries:
        url = url_of(path)
        versions = "".join(
            f'<xhtml:link rel="alternate" hreflang="{code}" href="{escape(place)}"/>'
            for code, place in alternates(book.home, url)
        )
        for language in NAMES:
            place = escape(address(book.home, language, url))
            lines.append(f"<url><loc>{place}</loc>{versions}</url>")
    return "\n".join([*lines, "</urlset>", ""])
