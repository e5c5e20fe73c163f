"""The built site: complete in both languages, whole in itself, light, and made alike each time."""

import json
import re
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin
from xml.etree.ElementTree import Element

import pytest

import transformer
from docs.builder import drawing, project
from docs.builder.book import Book, url_of
from docs.builder.directives import DIRECTIVE
from docs.builder.markdown import outside_fences
from docs.builder.search_words import names_of_sections, place_of
from docs.checks.pages import CJK, page_files
from tests.built_pages import BuiltPage, prose, text, with_class
from tests.built_site import (
    FOLDERS,
    NAMES,
    NOT_FOUND,
    ROOT,
    SITE_URL,
    Built,
    check,
    file_at,
    settings_as_built,
    summary,
)

pytestmark = pytest.mark.build

Pages = dict[str, BuiltPage]

RAW_FORMULA = re.compile(r"\\[(\[]|\$[^$]+\$")


def links(page: BuiltPage, root: Element | None = None) -> Iterator[tuple[Element, str]]:
    """Links of a page, or of a part of it, with their whole addresses."""
    for link in (page.html if root is None else root).iter("a"):
        if "href" in link.attrib:
            yield link, urljoin(SITE_URL + page.url, link.attrib["href"])


def test_a_strict_build_has_nothing_to_say(built: Built) -> None:
    assert summary(built.log) == ""


def test_both_languages_have_the_same_pages(pages: Pages) -> None:
    names = defaultdict(set)
    for page in pages.values():
        names[page.language].add(page.name)
        assert page.html.get("lang") == page.language, page.url
    assert names["en"] == {*names["zh-TW"], NOT_FOUND}
    assert names["zh-TW"] >= {*NAMES}  # and the pages made from the package


def test_links_lead_to_a_place_in_the_same_language(site: Path, pages: Pages) -> None:
    ids = {page.url: page.ids for page in pages.values()}

    def problems(page: BuiltPage) -> Iterator[str]:
        for link, whole in links(page):
            address, anchor = urldefrag(whole)
            if not address.startswith(urljoin(SITE_URL, "/")):
                continue  # another host's
            url = address.removeprefix(SITE_URL)
            if file_at(site, address) is None:
                yield f"{page.url} links to {whole}, which is not there"
            elif anchor and "=" not in anchor and unquote(anchor) not in ids[url]:
                yield f"{page.url} links to {whole}: that page has no such anchor"
            elif page.name == NOT_FOUND or "hreflang" in link.attrib:
                continue
            elif url.startswith("zh-TW/") != page.url.startswith("zh-TW/"):
                yield f"{page.url} links to {whole}, in the other language"

    check(problem for page in pages.values() for problem in problems(page))


def test_each_page_leads_to_its_translation(pages: Pages) -> None:
    for page in pages.values():
        switches = [*with_class(page.html, "language-switch")] if page.name != NOT_FOUND else []
        for switch in switches:
            ((link, address),) = links(page, switch)
            other = {"en": "zh-TW", "zh-TW": "en"}[page.language]
            assert link.get("hreflang") == link.get("lang") == other, page.url
            assert address == SITE_URL + FOLDERS[other] + page.name, page.url
        assert len(switches) == (page.name != NOT_FOUND), page.url


def test_a_page_runs_only_what_its_policy_names(pages: Pages) -> None:
    for page in pages.values():
        (policy,) = (
            element.attrib["content"]
            for element in page.html.iter("meta")
            if element.get("http-equiv", "").lower() == "content-security-policy"
        )
        rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
        inline = [
            "".join(element.itertext()).encode()
            for element in page.html.iter("script")
            if "src" not in element.attrib and "json" not in element.get("type", "")
        ]
        allowed = {f"'sha256-{b64encode(sha256(code).digest()).decode()}'" for code in inline}
        assert {*rules["script-src"].split()} == {"'self'", *allowed}, page.url
        assert rules["default-src"] == "'self'", page.url
        handlers = [e.tag for e in page.html.iter() if any(name[:2] == "on" for name in e.attrib)]
        assert not handlers, page.url


def test_the_search_knows_how_each_page_begins_and_each_name(site: Path) -> None:
    for folder in FOLDERS.values():
        file = site / folder / "search" / "index.json"
        index = json.loads(file.read_text("utf-8"))
        texts = {address: text for address, _, _, text in index["sections"]}
        check(f"{page} is indexed without its first words" for page in NAMES if not texts[page])
        places = {section: place_of(section) for section in names_of_sections()}
        check(f"{section} is not indexed" for section in places if places[section] not in texts)


def test_formulas_are_mathml(pages: Pages) -> None:
    counts: dict[str, set[int]] = defaultdict(set)
    for page in pages.values():
        counts[page.name].add(sum(1 for _ in page.html.iter("math")))
        raw = RAW_FORMULA.search("".join(prose(page.article)))
        assert raw is None, f"{page.url}: {raw}"
    assert all(len(both) == 1 for both in counts.values()), counts
    assert counts["components/scaled-dot-product-attention/"] != {0}


def test_figures_say_what_they_show(pages: Pages) -> None:
    texts = {import_module(f"docs.figures.{path.stem}").ALT
             for path in drawing.FOLDER.glob("[!_]*.py")}  # fmt: skip
    found = 0
    for page in pages.values():
        for figure in with_class(page.article, "figure"):
            svg = figure.find("svg")
            assert svg is not None, f"{page.url}: a figure without a drawing"
            label = svg.get("aria-label", "")
            assert svg.get("role") == "img", f"{page.url}: the figure “{label}” is no image"
            assert label, f"{page.url}: a figure without ALT"
            english = label in texts or not CJK.search(label)  # a notebook's figures are its own
            assert english == (page.language == "en"), f"{page.url}: {label}"
            found += 1
    assert found > 100


def test_a_page_shows_what_it_asks_for(pages: Pages) -> None:
    for language, folder in FOLDERS.items():
        for path in page_files(ROOT / "docs" / language):
            asked = Counter(
                found[2]
                for line, is_code in outside_fences(path.read_text("utf-8").splitlines())
                if not is_code and (found := DIRECTIVE.fullmatch(line))
            )
            page = pages[folder + url_of(path.relative_to(ROOT / "docs" / language).as_posix())]
            classes = Counter(
                name for e in page.article.iter() for name in e.get("class", "").split()
            )
            titled = [text(e) for e in with_class(page.article, "filename") if e.tag == "span"]
            tables = sum(1 for _ in page.article.iter("table"))
            shown = classes | {
                "source": sum(title.startswith(("transformer/", "docs/")) for title in titled),
                "table": tables,
                "options": tables,
                "playground": sum(e.get("id") == "machine" for e in page.article.iter("div")),
                "script": sum(title.endswith(".js") for title in titled),
            }
            missing = {kind: n for kind, n in asked.items() if shown[kind] < n}
            assert not missing, f"{page.url} does not show all that it asks for: {missing}"


def test_ids_are_unique_and_figures_use_their_own(pages: Pages) -> None:
    for page in pages.values():
        ids = page.ids
        assert max(ids.values()) == 1, f"{page.url}: {ids.most_common(3)}"
        for element in page.html.iter():
            used = re.findall(r"url\(#([^)]+)\)", " ".join(element.attrib.values()))
            if element.tag == "use":
                used.append(element.get("xlink:href", element.get("href", "")).removeprefix("#"))
            assert ids.keys() >= set(used), f"{page.url}: {used}"


def test_every_page_with_code_leads_to_its_notebook(site: Path, pages: Pages) -> None:
    downloads = {path.relative_to(site).as_posix() for path in site.rglob("notebooks/*.ipynb")}
    for page in pages.values():
        name = page.name.rstrip("/").replace("/", "-") or "index"
        name = f"{FOLDERS[page.language]}notebooks/{name}.ipynb"
        found = [
            address
            for link, address in links(page)
            if "download" in link.attrib and address.endswith(".ipynb")
        ]
        # At its head and at its foot.
        assert found == [SITE_URL + name] * 2 * (name in downloads), page.url
        downloads.discard(name)
    assert not downloads


def test_links_of_notebooks_lead_to_the_site(site: Path, pages: Pages) -> None:
    ids = {page.url: page.ids for page in pages.values()}

    def problems(path: Path) -> Iterator[str]:
        name, cells = path.relative_to(site), json.loads(path.read_text("utf-8"))["cells"]
        texts = ["".join(cell["source"]) for cell in cells]
        for whole in re.findall(rf"{re.escape(SITE_URL)}[^\s)\"]*", "\n".join(texts)):
            address, anchor = urldefrag(whole)
            if file_at(site, address) is None:
                yield f"{name} links to {whole}, which is not there"
            elif anchor and "=" not in anchor and unquote(anchor) not in ids[url_in(address)]:
                yield f"{name} links to {whole}: that page has no such anchor"

    check(problem for path in site.rglob("notebooks/*.ipynb") for problem in problems(path))


def url_in(address: str) -> str:
    return address.removeprefix(SITE_URL)


def test_the_api_reference_is_translated(pages: Pages) -> None:
    found = Counter[str]()
    for page in pages.values():
        if not page.name.startswith("reference/api/"):
            continue
        for element in with_class(page.article, "doc-object"):
            first = element.find("div[@class]/p")
            words = "" if first is None else text(first)
            found[page.language] += 1
            if page.language == "en" and page.name.startswith("reference/api/data/grammar/"):
                continue  # it speaks of Chinese sentences
            chinese = bool(CJK.search(words))
            assert chinese == (page.language == "zh-TW"), f"{page.url}: {words}"
    assert found["en"] == found["zh-TW"] > 100


@pytest.mark.parametrize("language", FOLDERS)
def test_what_options_mean_is_translated(pages: Pages, language: str) -> None:
    page = pages[f"{FOLDERS[language]}reference/command-line/"]
    tables = [*with_class(page.article, "options")]
    meanings = [text([*row][2]) for table in tables for row in table.iter("tr")]
    assert len(meanings) > 50
    other = [words for words in meanings if bool(CJK.search(words)) != (language == "zh-TW")]
    assert not other


@pytest.mark.parametrize("folder", FOLDERS.values(), ids=FOLDERS)
def test_every_public_name_is_in_the_api_reference(pages: Pages, folder: str) -> None:
    for name in transformer.__all__:
        item = getattr(transformer, name)
        url = f"{folder}reference/api/{'/'.join(item.__module__.split('.')[1:])}/"
        assert f"{item.__module__}.{name}" in pages[url].ids


def test_a_second_project_from_nothing_is_the_same(
    built: Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Site builders do the same with the same project; what is kept is drawn again for a few."""
    settings_as_built(monkeypatch)
    for language in FOLDERS:
        folders = [ROOT / ".cache/site" / language, tmp_path / language]
        project.write(Book.load(language), folders[1], pytest.fail)
        first, second = (
            {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
            for folder in folders
        )
        assert first.keys() == second.keys()
        check(f"{path} differs" for path in sorted(first) if first[path] != second[path])
        for name in ("architecture", "masks_leak", "gradient_line"):
            assert drawing.artifact(name, language).text() == drawing.draw(name, language), name
