"""What search engines and link previews read: the head of each page, the sitemap, the 404 page."""

from collections import Counter
from pathlib import Path
from xml.etree.ElementTree import parse

import pytest
from PIL import Image

from docs.builder import project
from docs.builder.book import Book
from docs.checks.pages import CJK
from tests.built_pages import BuiltPage, text
from tests.built_site import NOT_FOUND, PREFIX, SITE_URL

pytestmark = pytest.mark.build

Pages = dict[str, BuiltPage]

LENGTHS = {"en": range(50, 161), "zh-TW": range(20, 81)}  # of a description
OTHER = {"en": "zh-TW", "zh-TW": "en"}
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"


@pytest.fixture(scope="module")
def real(pages: Pages) -> Pages:
    """The pages, without the one for what is not there."""
    return {url: page for url, page in pages.items() if page.name != NOT_FOUND}


def meta(page: BuiltPage) -> dict[str, str]:
    """What the page's <meta> say, by name or property."""
    found = [(e.get("name") or e.get("property"), e.get("content")) for e in page.html.iter("meta")]
    names = Counter(name for name, _ in found if name)
    assert max(names.values()) == 1, f"{page.url} says twice: {names.most_common(2)}"
    return {name: content or "" for name, content in found if name}


def canonical(page: BuiltPage) -> list[str]:
    return [e.attrib["href"] for e in page.html.iter("link") if e.get("rel") == "canonical"]


def versions(page: BuiltPage) -> dict[str, str]:
    """The address of a page in each language."""
    return {"en": SITE_URL + page.name, "zh-TW": f"{SITE_URL}zh-TW/{page.name}"}


def test_descriptions_and_titles_are_of_use_and_differ(real: Pages) -> None:
    descriptions, titles = Counter[str](), Counter[str]()
    for page in real.values():
        description = meta(page)["description"]
        descriptions[description] += 1
        if not page.name.startswith("reference/api/"):  # where package and docstrings decide
            titles[text(next(page.html.iter("title")))] += 1
            assert len(description) in LENGTHS[page.language], f"{page.url}: {len(description)}"
        assert bool(CJK.search(description)) == (page.language == "zh-TW"), page.url
        assert description[-1] in ".。？?", f"{page.url}: {description}"
        assert canonical(page) == [SITE_URL + page.url]
    for counts in (descriptions, titles):
        assert counts.most_common(1)[0][1] == 1, counts.most_common(1)


def test_a_link_to_a_page_has_a_preview(site: Path, real: Pages) -> None:
    for page in real.values():
        found, chinese = meta(page), page.language == "zh-TW"
        (heading,) = page.article.iter("h1")
        expected = {
            "og:type": "article" if page.name else "website",
            "og:title": text(heading).removesuffix("¶").strip(),
            "og:description": found["description"],
            "og:url": SITE_URL + page.url,
            "og:locale": "zh_TW" if chinese else "en_US",
            "og:locale:alternate": "en_US" if chinese else "zh_TW",
            "og:site_name": meta(real["zh-TW/" if chinese else ""])["og:title"],
            "og:image": f"{SITE_URL}assets/cards/{page.language}.png",
            "og:image:type": "image/png",
            "og:image:width": "1200",
            "og:image:height": "630",
            "og:image:alt": found["og:image:alt"],
            "twitter:card": "summary_large_image",
            "twitter:image:alt": found["og:image:alt"],
        }
        assert {name: found.get(name) for name in expected} == expected, page.url
        html = (site / page.url / "index.html").read_text("utf-8")
        for name in expected:  # WhatsApp and LinkedIn do not know attributes without quotes
            assert f'="{name}" content="' in html, f"{page.url}: {name}"
    for language in OTHER:
        with Image.open(site / "assets" / "cards" / f"{language}.png") as picture:
            assert (picture.size, picture.format) == ((1200, 630), "PNG")


def test_the_sitemap_has_every_page_with_its_translations(site: Path, real: Pages) -> None:
    found = {}
    for url in parse(site / "sitemap.xml").getroot().iter(f"{SITEMAP}url"):
        links = [link.attrib for link in url.findall(f"{XHTML}link")]
        assert {link["rel"] for link in links} == {"alternate"}
        address = url.findtext(f"{SITEMAP}loc")
        assert address not in found
        found[address] = {link["hreflang"]: link["href"] for link in links}
    expected = {}
    for page in real.values():
        both = versions(page)
        more = {"zh-Hant": both["zh-TW"], "x-default": both["en"]}
        expected[SITE_URL + page.url] = both | more
    assert found == expected


def test_the_page_for_what_is_not_there(site: Path, pages: Pages) -> None:
    page = pages[NOT_FOUND]
    assert meta(page)["robots"] == "noindex"
    assert not canonical(page)
    homes = {"en": PREFIX, "zh-TW": f"{PREFIX}zh-TW/"}
    sections = {e.attrib["lang"]: e for e in page.article.iter("section")}
    assert sections.keys() == homes.keys()
    for language, section in sections.items():
        assert bool(CJK.search(text(section))) == (language == "zh-TW")
        assert [link.get("href") for link in section.iter("a")] == [homes[language]]
        assert [form.get("action") for form in section.iter("form")] == [homes[language]]
    for element in page.html.iter():
        for name in ("href", "src", "action"):
            address = element.get(name, PREFIX)
            assert address.startswith((PREFIX, "https:", "#")), address
    assert not (site / "zh-TW" / NOT_FOUND).exists()


@pytest.mark.parametrize("home", ["https://example.org/", SITE_URL])
def test_robots_read_where_the_sitemap_is_at_the_root_of_a_host_alone(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Book, "sources", {})
    monkeypatch.setattr(Book, "entries", {})
    project.write(Book.load("en", home), tmp_path, pytest.fail)
    robots = tmp_path / "docs" / "robots.txt"
    assert robots.exists() == (home != SITE_URL)
    assert home == SITE_URL or f"Sitemap: {home}sitemap.xml" in robots.read_text().splitlines()
