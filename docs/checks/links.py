"""Links that the strict build cannot follow: titles, the playground's address, files on GitHub."""

import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from docs.checks import Problem
from docs.checks.pages import Page, read_pages

ROOT_PAGES = ("README.md", "CONTRIBUTING.md")
STATE = Path("docs/assets/scripts/playground/state.js")


def problems(root: Path, page: str | None = None) -> Iterator[Problem]:
    """Links that lead elsewhere than they say."""
    # Names that may stand in an address of the playground, as its script lists them.
    state = re.search(r"FIRST = \{(.*?)\n\}", (root / STATE).read_text("utf-8"), re.DOTALL)
    known = re.findall(r"(\w+):", state[1] if state else "")
    titles = {
        (file.parts[1], one.sections[1].title.lower()): root / file
        for file, one in read_pages(root, None)
        if one.sections[1:]
    }
    for file, one in read_pages(root, page, others=ROOT_PAGES):
        for line, words, address in links(one):
            url = urlsplit(address)
            path = (root / file.parent / unquote(url.path)).resolve() if url.path else root / file
            named = titles.get((file.parts[1] if file.parts[1:] else "", words.lower()))
            wrong = [name for name, _ in parse_qsl(url.fragment) if name not in known]
            if url.scheme:
                continue
            if file.name in ROOT_PAGES and not path.exists():
                yield Problem(file, line, f"there is no file {address}; correct the path")
            elif named and path.is_file() and path != named.resolve():
                message = f"[{words}] is the title of {named.name}, but leads to {path.name}"
                yield Problem(file, line, f"{message}; change one")
            elif wrong:
                message = f"{address}: the playground knows no {', '.join(wrong)}"
                yield Problem(file, line, f"{message}; correct the address")


def links(page: Page) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the words and the address of each link."""
    for at, (line, token) in enumerate(page.inline):
        if token.type == "link_open":
            rest = takewhile(lambda child: child[1].type != "link_close", page.inline[at + 1 :])
            words = "".join(child.content for _, child in rest if child.type == "text")
            yield line, words, str(token.attrs["href"])
