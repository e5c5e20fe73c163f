"""What assistants read: every page as Markdown beside it, and llms.txt, which lists them."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.built_pages import BuiltPage
from tests.built_site import NOT_FOUND, SITE_URL

pytestmark = pytest.mark.build

Pages = dict[str, BuiltPage]

PARSER = MarkdownIt("commonmark").enable("table")
ENTRY = re.compile(r"- \[(?P<title>[^\]]+)\]\((?P<address>\S+)\): (?P<description>.+)")
DIRECTIVE = re.compile(r"^ *(?:<!-- \w+: .*-->|::: .*)$", re.MULTILINE)


@pytest.fixture(scope="module")
def markdown(site: Path, pages: Pages) -> dict[str, str]:
    """The Markdown of every page, by the page's address."""
    real = [url for url, page in pages.items() if page.name != NOT_FOUND]
    written = {path.parent.relative_to(site) for path in site.rglob("index.md")}
    assert written == {Path(url) for url in real}
    return {url: (site / url / "index.md").read_text("utf-8") for url in real}


def body(written: str) -> str:
    return written.split("\n---\n", 1)[1]


def front_matter(written: str) -> dict[str, str]:
    found: dict[str, str] = yaml.safe_load(written.split("---\n")[1])
    return found


def tokens(written: str) -> Iterator[Token]:
    """Everything that a reader of Markdown finds."""
    for token in PARSER.parse(body(written)):
        yield token
        yield from token.children or ()


def test_a_page_is_there_as_markdown_and_says_so(pages: Pages, markdown: dict[str, str]) -> None:
    for url, written in markdown.items():
        page, facts = pages[url], front_matter(written)
        (link,) = (e for e in page.html.iter("link") if e.get("type") == "text/markdown")
        assert (link.attrib["rel"].strip(), link.get("href")) == ("alternate", "index.md"), url
        metas = {e.get("property"): e.get("content") for e in page.html.iter("meta")}
        assert facts["url"] == SITE_URL + url
        assert facts["language"] == page.language
        assert facts["title"] == metas["og:title"], url
        assert facts["description"] == metas["og:description"], url
        other = "en" if page.language == "zh-TW" else "zh-TW"
        there = pages[facts[other].removeprefix(SITE_URL).removesuffix("index.md")]
        assert (there.name, there.language) == (page.name, other), url


def test_nothing_is_left_to_fill_in_and_headings_are_there(
    pages: Pages, markdown: dict[str, str]
) -> None:
    for url, written in markdown.items():
        assert "\n---\n" not in re.sub(r"(?s)```.*?```", "", body(written)), f"{url}: front matter"
        prose = "\n".join(t.content for t in tokens(written) if t.type in ("inline", "html_block"))
        left = DIRECTIVE.search(prose)
        assert left is None, f"{url}: {left}"
        code = [t.content for t in tokens(written) if t.type == "fence"]
        if "reference/api/" not in url:  # which gives the source instead
            anchors = re.findall(r"^#+ .* \{ #(\S+) \}$", body(written), re.MULTILINE)
            assert {*anchors} <= pages[url].ids.keys(), url
            assert anchors, url
        else:
            assert code, url


def test_links_of_the_markdown_arrive(site: Path, pages: Pages, markdown: dict[str, str]) -> None:
    within = 0
    for url, written in markdown.items():
        for link in (str(t.attrs["href"]) for t in tokens(written) if t.type == "link_open"):
            address, anchor = urldefrag(link)
            assert address.startswith("http") or not address, f"{url} links to {link}"
            if not address.startswith(SITE_URL):
                continue
            there = unquote(address.removeprefix(SITE_URL))
            file = there + "index.html" * there.endswith("/") if there else "index.html"
            assert (site / file).is_file(), f"{url}: {link}"
            page = there.removesuffix("index.md")
            if anchor and "=" not in anchor and page in pages:
                assert unquote(anchor) in pages[page].ids, f"{url} links to {link}"
                within += 1
    assert within > 500


@pytest.mark.parametrize("folder", ["", "zh-TW/"], ids=["en", "zh-TW"])
def test_the_list_has_every_page_and_no_other(
    site: Path, markdown: dict[str, str], folder: str
) -> None:
    written = (site / folder / "llms.txt").read_text("utf-8")
    name, _, summary, *rest = written.splitlines()
    assert name == f"# {front_matter(markdown[folder])['title']}"
    assert summary.startswith("> ")
    other = f"{'' if folder else 'zh-TW/'}llms.txt"
    assert f"({SITE_URL}{other})" in written
    entries = [entry for line in rest if (entry := ENTRY.fullmatch(line))]
    assert [line for line in rest if line.startswith("- ")] == [entry[0] for entry in entries]
    listed = [entry["address"].removeprefix(SITE_URL).removesuffix("index.md") for entry in entries]
    chinese = {url for url in markdown if url.startswith("zh-TW/")}
    assert sorted(listed) == sorted(chinese if folder else markdown.keys() - chinese)
    for url, entry in zip(listed, entries, strict=True):
        assert entry["description"] == front_matter(markdown[url])["description"], url
