"""For those who let an assistant read: each page as Markdown, and llms.txt, a list of the pages.

The format of the list is that of https://llmstxt.org.
"""

import json
from itertools import groupby

from docs.builder import directives, notebooks
from docs.builder.api_pages import FOLDER as API
from docs.builder.api_pages import module_of
from docs.builder.book import Book, url_of
from docs.builder.downloads import is_notebook
from docs.builder.languages import address
from docs.builder.links import with_addresses
from docs.builder.markdown import fenced, outside_fences
from docs.builder.translations import translator
from docs.builder.values import fill

PAGE, LIST = "index.md", "llms.txt"  # beside each page, and at the root of each language


def page(path: str, book: Book) -> str:
    """Return a page as it was written, with all that it asks for in words."""
    source = book.sources[path]
    facts = {
        "title": source.heading or book.title(path),
        "description": source.meta.get("description", book.description),
        "url": book.address(path),
        "language": book.language,
        book.other: address(book.home, book.other, url_of(path)) + PAGE,
    }
    lines = [f"{name}: {json.dumps(fact, ensure_ascii=False)}" for name, fact in facts.items()]
    return "\n".join(["---", *lines, "---", "", _text(path, book).strip("\n"), ""])


def _text(path: str, book: Book) -> str:
    written = book.folder / path
    if path.startswith(API):  # the module says it best
        opening, _, _ = book.sources[path].text.partition(":::")
        text = opening + fenced(module_of(path).read_text("utf-8").rstrip(), "python")
    elif is_notebook(path):
        text = notebooks.to_markdown(notebooks.read(written), notebooks.outputs_of(written), False)
    else:
        text = book.sources[path].text

    def address_of(name: str) -> str | None:
        return book.address(name) + PAGE if name in book.sources else None

    asking, lines = directives.Page(path, book.language), []
    for line, is_code in outside_fences(fill(text, book.language).splitlines()):
        replacement = None if is_code else directives.in_words(line, asking, book.address(path))
        lines += [line] if replacement is None else ["", *replacement.splitlines(), ""]
    return "\n".join(
        line if is_code else with_addresses(line, path, address_of)
        for line, is_code in outside_fences(lines)
    )


def index(book: Book) -> str:
    """Return the list of the pages, a part a section of the navigation."""
    t = translator(book.language, "site")
    other = address(book.home, book.other, LIST)
    lines = [
        f"# {book.name}",
        "",
        f"> {book.description}",
        "",
        t(
            "Each address below is a page as Markdown; without `index.md` it is the page as people "
            "see it. Behind a heading, `{ #name }` is its anchor: `#name` after the address leads "
            "there. A block marked `pycon` is a session that ran, with what it printed."
        ),
        "",
        t("The same pages in the other language: {link}").format(link=f"[{other}]({other})"),
    ]
    for title, entries in groupby(book.entries.values(), lambda entry: entry.sections[-1:]):
        lines += ["", *(f"## {name}" for name in title), *("" for _ in title)]
        for entry in entries:
            description = book.sources[entry.path].meta.get("description", "")
            lines.append(f"- [{entry.title}]({book.address(entry.path)}{PAGE}): {description}")
    return "\n".join(lines) + "\n"
