"""How heavy a page is at a first visit: the limits, and what each page loads."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest

from docs.builder.book import url_of
from docs.checks.pages import page_files
from tests.built_pages import BuiltPage, text
from tests.built_site import FOLDERS, ROOT, SITE_URL, check, file_at

pytestmark = pytest.mark.build

# Bytes of a first visit, besides the search index. Pages written as notebooks are no chapters:
# mkdocs-jupyter puts 590 kB of JupyterLab's style sheets into each.
CHAPTER, NOTEBOOK, INDEX = 650_000, 1_200_000, 1_800_000
CSS_URL = re.compile(r"""url\(\s*["']?(?!data:)([^)"']+)|@import\s+["']([^"']+)""")
JS_IMPORT = re.compile(r"""^import .*? from "(\.[^"]+)\"""", re.MULTILINE | re.DOTALL)
LOADED = {"stylesheet", "icon", "preload", "modulepreload", "manifest"}  # of <link rel>
ADVICE = "take out or simplify what is drawn (docs/figures/), tables or scripts of the page"
NOTEBOOKS = [url_of(path.relative_to(ROOT / "docs/en").as_posix())
             for path in page_files(ROOT / "docs/en") if path.suffix == ".py"]  # fmt: skip


def resources(page: BuiltPage) -> Iterator[str]:
    """Whole addresses of what a browser loads with a page."""
    for element in page.html.iter():
        found = [element.get(name, "") for name in ("src", "poster", "data")]
        found += [part.split()[0] for part in element.get("srcset", "").split(",") if part]
        styles = element.get("style", "") + (text(element) if element.tag == "style" else "")
        found += (one or other for one, other in CSS_URL.findall(styles))
        if element.tag == "link" and LOADED & set(element.get("rel", "").split()):
            found.append(element.attrib["href"])
        if element.tag in ("image", "use"):
            found.append(element.get("href") or element.get("xlink:href") or "")
        yield from (urljoin(SITE_URL + page.url, url) for url in found if url and url[0] != "#")


def with_imports(site: Path, addresses: Iterable[str]) -> set[str]:
    """The same addresses, and what the style sheets and scripts among them load."""
    found, todo = set[str](), [*addresses]
    while todo:
        address = todo.pop()
        file = file_at(site, address)
        if address not in found and file and file.suffix in (".css", ".js"):
            code = file.read_text("utf-8")
            urls = [one or other for one, other in CSS_URL.findall(code)]
            urls = urls if file.suffix == ".css" else JS_IMPORT.findall(code)
            todo += (urljoin(address, url) for url in urls)
        found.add(address)
    return {address for address in found if not address.startswith("data:")}


def test_a_first_visit_loads_little_and_nothing_from_elsewhere(
    site: Path, pages: dict[str, BuiltPage]
) -> None:
    def problems(page: BuiltPage) -> Iterator[str]:
        sizes: Counter[str] = Counter()
        for address in with_imports(site, [SITE_URL + page.url, *resources(page)]):
            if file := file_at(site, address):
                sizes[file.relative_to(site).as_posix()] = file.stat().st_size
            else:
                yield f"{page.url} loads {address}, which is no file of the site"
        allowed = NOTEBOOK if page.name in NOTEBOOKS else CHAPTER
        if sizes.total() > allowed:
            heaviest = ", ".join(f"{name} {size:,}" for name, size in sizes.most_common(5))
            total = f"{sizes.total():,} bytes, {allowed:,} are allowed"
            yield f"{page.url}: {total}; {ADVICE}; the heaviest: {heaviest}"

    check(problem for page in pages.values() for problem in problems(page))


def test_the_search_index_is_small(site: Path) -> None:
    for folder in FOLDERS.values():
        assert (site / folder / "search" / "index.json").stat().st_size <= INDEX
