"""The same plain project gives the same book with MkDocs and with Zensical, its successor."""

import json
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from urllib.parse import urldefrag, urljoin
from xml.etree.ElementTree import Element

import pytest

from docs.builder.directives import Page, table
from docs.builder.search_words import words_of
from docs.builder.translations import translator
from docs.checks.pages import CJK
from tests.built_pages import BuiltPage, prose, text, with_class
from tests.built_site import FOLDERS, SITE_URL, built_once

pytestmark = pytest.mark.build


@pytest.fixture(params=["mkdocs", "zensical"])
def any_site(request: pytest.FixtureRequest, shared: Path) -> Path:
    """What each builder made."""
    return built_once(shared, request.param).site


@pytest.fixture(params=FOLDERS)
def language(request: pytest.FixtureRequest) -> str:
    code: str = request.param
    return code


def read(site: Path, language: str, url: str) -> BuiltPage:
    return BuiltPage.read(site, site / FOLDERS[language] / url / "index.html")


def targets(page: BuiltPage, root: Element) -> Iterator[str]:
    """Where the links below an element lead, as an address within the site."""
    for link in root.iter("a"):
        whole = urljoin(SITE_URL + page.url, link.get("href", ""))
        if whole.startswith(SITE_URL):
            yield whole.removeprefix(SITE_URL)


def test_a_figure_and_formulas(any_site: Path, language: str) -> None:
    page = read(any_site, language, "components/scaled-dot-product-attention/")
    figures = [*with_class(page.article, "figure")]
    assert figures
    for figure in figures:
        svg = figure.find("svg")
        assert svg is not None
        assert bool(CJK.search(svg.attrib["aria-label"])) == (language == "zh-TW")
    assert any(len(math) for math in page.article.iter("math"))
    assert "$" not in "".join(prose(page.article))


def test_a_call_tree_leads_to_the_reference(any_site: Path, language: str) -> None:
    page = read(any_site, language, "reference/calling-sequence/")
    found = 0
    for tree in with_class(page.article, "calltree"):
        for target in targets(page, tree):
            address, anchor = urldefrag(target)
            url = address.removeprefix(FOLDERS[language])
            assert url.startswith("reference/api/"), target
            assert anchor in read(any_site, language, url).ids, target
            found += 1
    assert found


def test_a_docstring_is_translated(any_site: Path, language: str) -> None:
    page = read(any_site, language, "reference/api/model/masks/")
    (function,) = (e for e in with_class(page.article, "doc-function") if mask_in(e))
    words = text(next(with_class(function, "doc-contents")))
    assert bool(CJK.search(words)) == (language == "zh-TW")


def mask_in(element: Element) -> bool:
    return any(e.get("id") == "transformer.model.masks.causal_mask" for e in element.iter())


def test_a_measured_table(any_site: Path, language: str) -> None:
    page = read(any_site, language, "reference/model-card/")
    rendered = table.render("scores", translator(language, "site"), Page("", language))
    cells = [cell.strip("` *") for cell in rendered.splitlines()[2].strip("| ").split(" | ")]
    rows = [[text(cell) for cell in row] for row in page.article.iter("tr")]
    assert cells in rows


def test_the_same_page_in_the_other_language(any_site: Path, language: str) -> None:
    for url in ("", "start/setup/", "reference/api/model/masks/"):
        page = read(any_site, language, url)
        (switch,) = with_class(page.article, "language-switch")
        other = {"en": "zh-TW", "zh-TW": "en"}[language]
        assert [*targets(page, switch)] == [FOLDERS[other] + url]


def test_a_notebook_has_outputs_and_leads_to_its_download(any_site: Path, language: str) -> None:
    page = read(any_site, language, "practice/translate/")
    printed = " ".join(text(block) for block in page.article.iter("pre"))
    assert "torch.Size" in printed or "loss" in printed
    assert any(svg.get("role") == "img" for svg in page.article.iter("svg"))
    assert "description:" not in text(page.article)  # front matter is not shown
    downloads = [link for link in page.article.iter("a") if "download" in link.attrib]
    assert downloads
    for link in downloads:
        address = urljoin(SITE_URL + page.url, link.attrib["href"]).removeprefix(SITE_URL)
        assert address.startswith(f"{FOLDERS[language]}notebooks/")
        assert (any_site / address).is_file()


def test_the_scripts_of_a_page_are_there(any_site: Path, language: str) -> None:
    page = read(any_site, language, "reference/calling-sequence/")
    addresses = [e.get("src") or "" for e in page.article.iter("script") if "src" in e.attrib]
    assert addresses
    for address in addresses:
        whole = urljoin(SITE_URL + page.url, address)
        assert (any_site / whole.removeprefix(SITE_URL)).is_file(), address


def test_the_policy_and_the_head_are_written(any_site: Path, language: str) -> None:
    page = read(any_site, language, "start/setup/")
    metas = [e.get("http-equiv") or e.get("property") for e in page.html.iter("meta")]
    assert metas.count("Content-Security-Policy") == metas.count("og:title") == 1


def test_the_search_finds_a_chinese_term(any_site: Path, language: str) -> None:
    file = any_site / FOLDERS[language] / "search" / "index.json"
    index = json.loads(file.read_text("utf-8"))
    (word, *_) = words_of({"en": "mask", "zh-TW": "遮罩"}[language], chinese=language == "zh-TW")
    steps = index["words"][word][::2]  # from section to section
    found = {index["sections"][number][0] for number in accumulate(steps)}
    assert "components/masks/" in found
