"""Links lead where their words say: to the page of that title; the next page is the footer's."""

import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from urllib.parse import unquote, urlsplit

from docs.checks.pages import Page

NEXT = re.compile(r"(?:(?:Next|Previous): |(?:[下上]一[章頁站]|接下來)：)[^.。]*\]\(")


def titles(pages: dict[Path, Page]) -> dict[str, Path]:
    """The page of each title, in lower case."""
    return {page.headings[0].title.lower(): path for path, page in pages.items() if page.headings}


def broken(page: Page, path: Path, pages: dict[str, Path]) -> Iterator[tuple[int, str]]:
    """Links whose text is the title of another page, and a next page that is typed by hand."""
    for at, (line, token) in enumerate(page.inline):
        if token.type == "link_open":
            rest = takewhile(lambda child: child[1].type != "link_close", page.inline[at + 1 :])
            title = "".join(child.content for _, child in rest if child.type == "text")
            url = urlsplit(str(token.attrs["href"]))
            promised = pages.get(title.lower())
            here = (path.parent / unquote(url.path)).resolve() if url.path else path
            if promised and here.is_file() and here != promised:
                yield line, f"[{title}] is the title of {promised.name}, but leads to {here.name}"
    for line, text in page.outside:
        if NEXT.search(text):
            yield line, "the footer leads to the next page; take this sentence out"
