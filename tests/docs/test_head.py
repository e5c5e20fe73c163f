"""What search engines and link previews read: the head of each page, the sitemap, the 404 page."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag
from xml.etree.ElementTree import parse

import pytest
from jinja2 import Environment, FileSystemLoader
from PIL import Image

from docs.builder.versions import versions
from docs.checks.pages import CJK
from tests.built_pages import BuiltPage, text
from tests.built_site import NAMES, NOT_FOUND, PREFIX, ROOT, SITE_URL

pytestmark = pytest.mark.build

Pages = dict[str, BuiltPage]

LENGTHS = {"en": range(50, 161), "zh-TW": range(20, 81)}  # of a description
PICTURE_WEIGHT = 100_000  # bytes
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


def of_rel(page: BuiltPage, rel: str) -> list[dict[str, str]]:
    """Attributes of each <link> that has exactly this rel, as careless readers look for it."""
    return [e.attrib for e in page.html.iter("link") if e.get("rel") == rel]


def by_language(page: BuiltPage) -> dict[str, str]:
    found = [e for e in of_rel(page, "alternate") if "hreflang" in e]
    assert len({e["hreflang"] for e in found}) == len(found), page.url
    return {e["hreflang"]: e["href"] for e in found}


def things(page: BuiltPage) -> dict[str, dict[str, Any]]:
    """The structured data of a page, by the first of its types."""
    blocks = [e for e in page.html.iter("script") if e.get("type") == "application/ld+json"]
    (data,) = (json.loads("".join(block.itertext())) for block in blocks)
    assert data["@context"] == "https://schema.org"
    types = [thing["@type"] for thing in data["@graph"]]
    names = [kind if isinstance(kind, str) else kind[0] for kind in types]
    return dict(zip(names, data["@graph"], strict=True))


def heading(page: BuiltPage) -> str:
    (first,) = page.article.iter("h1")
    return text(first).removesuffix("¶").strip()


def test_descriptions_are_of_use(real: Pages) -> None:
    descriptions = Counter()
    for page in real.values():
        description = meta(page)["description"]
        descriptions[description] += 1
        assert len(description) in LENGTHS[page.language], f"{page.url}: {len(description)}"
        assert bool(CJK.search(description)) == (page.language == "zh-TW"), page.url
        assert description[-1] in ".。？?", f"{page.url}: {description}"
    assert descriptions.most_common(1)[0][1] == 1, descriptions.most_common(1)


def test_no_two_pages_have_one_title(real: Pages) -> None:
    titles = Counter(text(next(page.html.iter("title"))) for page in real.values())
    assert titles.most_common(1)[0][1] == 1, titles.most_common(1)


def test_each_page_says_where_it_lives(real: Pages) -> None:
    for page in real.values():
        (canonical,) = of_rel(page, "canonical")
        assert canonical["href"] == SITE_URL + page.url


def test_all_versions_of_a_page_name_each_other(real: Pages) -> None:
    for page in real.values():
        english, chinese = SITE_URL + page.name, f"{SITE_URL}zh-TW/{page.name}"
        expected = {"en": english, "zh-TW": chinese, "zh-Hant": chinese, "x-default": english}
        assert by_language(page) == expected, page.url
        for address in expected.values():
            there = real[address.removeprefix(SITE_URL)]
            assert by_language(there) == expected, f"{page.url} and {there.url}"
        assert by_language(page)[page.html.attrib["lang"]] == SITE_URL + page.url


def test_a_link_to_a_page_has_a_preview(site: Path, real: Pages) -> None:
    for page in real.values():
        told, chinese = meta(page), page.language == "zh-TW"
        home = page.name == ""
        assert told["og:type"] == ("website" if home else "article"), page.url
        assert told["og:title"] == heading(page), page.url
        assert told["og:description"] == told["description"], page.url
        assert told["og:url"] == SITE_URL + page.url
        assert told["og:locale"] == ("zh_TW" if chinese else "en_US"), page.url
        assert told["og:locale:alternate"] == ("en_US" if chinese else "zh_TW"), page.url
        assert told["og:site_name"] == meta(real["zh-TW/" if chinese else ""])["og:title"]
        assert told["twitter:card"] == "summary_large_image", page.url
        assert told["twitter:image:alt"] == told["og:image:alt"], page.url
        assert told["og:image:alt"].startswith("《逐行" if chinese else "The Tr"), page.url
        picture = site / told["og:image"].removeprefix(SITE_URL)
        assert picture.stem == page.language, page.url
        with Image.open(picture) as opened:
            assert opened.size == (1200, 630)
            sizes = told["og:image:width"], told["og:image:height"]
            assert tuple(map(str, opened.size)) == sizes, page.url
            assert opened.get_format_mimetype() == told["og:image:type"], page.url


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_a_picture_is_light(language: str) -> None:
    assert (ROOT / f"docs/assets/cards/{language}.png").stat().st_size <= PICTURE_WEIGHT


def test_messengers_find_the_preview(site: Path, real: Pages) -> None:
    """WhatsApp and LinkedIn do not know attributes without quotes."""
    for page in real.values():
        html = (site / page.url / "index.html").read_text("utf-8")
        for name in meta(page):
            assert not name.startswith("og:") or f'<meta property="{name}" content="' in html, name


def test_structured_data_say_what_the_page_shows(real: Pages) -> None:
    for page in real.values():
        found, told = things(page), meta(page)
        kind = "TechArticle"
        if page.name == "":
            kind = "WebSite"
        elif page.name.startswith("reference/api/"):
            kind = "APIReference"
        assert found.keys() == {kind} | ({"BreadcrumbList"} if page.name else set()), page.url
        thing = found[kind]
        taught = page.name != "" and not page.name.startswith("reference/")
        assert ("LearningResource" in thing["@type"]) == taught, page.url
        assert thing["@id"] == thing["url"] == SITE_URL + page.url
        assert thing["headline" if page.name else "name"] == heading(page), page.url
        assert thing["description"] == told["description"], page.url
        assert thing["inLanguage"] == page.html.get("lang"), page.url
        assert thing["image"] == told["og:image"], page.url
        work = {"en": "workTranslation", "zh-TW": "translationOfWork"}[page.language]
        other = {"en": "zh-TW", "zh-TW": "en"}[page.language]
        expected = {"@type": kind, "@id": by_language(page)[other], "inLanguage": other}
        assert thing[work] == expected, page.url


def test_breadcrumbs_lead_from_the_home_page(real: Pages) -> None:
    for page in real.values():
        if page.name:
            items = things(page)["BreadcrumbList"]["itemListElement"]
            assert [item["position"] for item in items] == [*range(1, len(items) + 1)]
            shown = [text(link) for link in page.html.iter() if link.get("class") == "md-ellipsis"]
            assert {item["name"] for item in items} <= {*shown}, page.url
            home = SITE_URL + ("zh-TW/" if page.language == "zh-TW" else "")
            assert items[0]["item"] == things(page)[first_kind(page)]["isPartOf"]["@id"] == home
            assert items[-1]["item"] == SITE_URL + page.url
            for item in items:
                address, anchor = urldefrag(item["item"])
                target = real[address.removeprefix(SITE_URL)]
                assert not anchor or unquote(anchor) in target.ids, item


def first_kind(page: BuiltPage) -> str:
    return next(iter(things(page)))


def entries(site: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Each address of the sitemap with its alternates."""
    root = parse(site / "sitemap.xml").getroot()
    for url in root.iter(f"{SITEMAP}url"):
        links = url.findall(f"{XHTML}link")
        assert {link.get("rel") for link in links} == {"alternate"}
        told = {link.attrib["hreflang"]: link.attrib["href"] for link in links}
        yield url.findtext(f"{SITEMAP}loc") or "", told


def test_the_sitemap_has_every_page_and_no_other(site: Path, real: Pages) -> None:
    listed = list(entries(site))
    expected = [SITE_URL + page.url for page in real.values()]
    assert sorted(address for address, _ in listed) == sorted(expected)
    assert len(expected) == 2 * len(NAMES)
    for address, alternates in listed:
        assert alternates == by_language(real[address.removeprefix(SITE_URL)]), address
    assert not (site / "zh-TW" / "sitemap.xml").exists()


def test_the_page_for_what_is_not_there(site: Path, pages: Pages) -> None:
    page = pages[NOT_FOUND]
    told = meta(page)
    assert told["robots"] == "noindex"
    assert not of_rel(page, "canonical") + of_rel(page, "alternate")
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
            assert address.startswith((PREFIX, "https:")), address
    assert not (site / "zh-TW" / NOT_FOUND).exists()


@pytest.mark.parametrize(("folder", "told"), [("", True), ("book/", False)], ids=["root", "folder"])
def test_crawlers_are_told_where_they_ask(folder: str, told: bool) -> None:
    """They ask at the root of a host alone: in a folder of one, robots.txt would deceive people."""
    home = f"https://example.org/{folder}"
    template = Environment(loader=FileSystemLoader(ROOT / "docs/theme")).get_template("robots.txt")
    (english, *_) = versions("", "en", home)
    robots = template.render(versions=[{"link": f"/{folder}", "address": english.address}])
    assert bool(re.search(rf"^Sitemap: {home}sitemap\.xml$", robots, re.M)) == told
    assert bool(robots.strip()) == told


def test_robots_are_told_nothing_in_a_folder(site: Path) -> None:
    assert not list(site.rglob("robots.txt"))
