"""The built site: complete in both languages, whole in itself, light, and built alike each time."""

import json
import re
import shutil
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin
from xml.etree.ElementTree import Element

import pytest

import transformer
from docs.builder.directives import DIRECTIVE
from docs.builder.finishing import UNUSED
from docs.builder.markdown import outside_fences
from docs.builder.search_words import names_of_sections, place_of
from docs.checks.pages import CJK, page_files
from tests.built_pages import BuiltPage, prose, text, with_class
from tests.built_site import NAMES, NOT_FOUND, ROOT, SITE_URL, Built, build, summary

pytestmark = pytest.mark.build

Pages = dict[str, BuiltPage]

PAGE_WEIGHT, INDEX_WEIGHT = 500_000, 1_600_000  # bytes
CSS_URL = re.compile(r"""url\(\s*["']?(?!data:)([^)"']+)|@import\s+["']([^"']+)""")
JS_IMPORT = re.compile(r"""^import .*? from "(\.[^"]+)\"""", re.MULTILINE | re.DOTALL)
NOT_LOADED = {"canonical", "alternate", "next", "prev"}  # of <link rel>
ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\u[0-9a-f]{4}")
RAW_FORMULA = re.compile(r"\\[(\[]|\$[^$]+\$")
LANGUAGES = {"en", "zh-TW"}


def check(problems: Iterable[str]) -> None:
    found = list(problems)
    assert not found, "\n" + "\n".join(found)


def file_at(site: Path, address: str) -> Path | None:
    """The file that a host would send for an address, or None."""
    if not address.startswith(SITE_URL):
        return None
    path = site / unquote(address.removeprefix(SITE_URL))
    path = path / "index.html" if address.endswith("/") else path
    return path if path.is_file() else None


def links(page: BuiltPage, root: Element | None = None) -> Iterator[tuple[Element, str]]:
    """Links of a page, or of a part of it, with their whole addresses."""
    for link in (page.html if root is None else root).iter("a"):
        if "href" in link.attrib:
            yield link, urljoin(SITE_URL + page.url, link.attrib["href"])


def is_chinese(url: str) -> bool:
    return url.startswith("zh-TW/")


def resources(page: BuiltPage) -> Iterator[str]:
    """Whole addresses of what a browser loads with a page."""
    for element in page.html.iter():
        found = [
            element.attrib[name] for name in ("src", "poster", "data") if name in element.attrib
        ]
        found += [part.split()[0] for part in element.get("srcset", "").split(",") if part]
        found += (one or other for one, other in CSS_URL.findall(element.get("style", "")))
        if element.tag == "style":
            found += (one or other for one, other in CSS_URL.findall(text(element)))
        if element.tag == "link" and not NOT_LOADED & set(element.get("rel", "").split()):
            found.append(element.attrib["href"])
        if element.tag in ("image", "use"):
            found.append(element.get("href") or element.get("xlink:href") or "")
        yield from (urljoin(SITE_URL + page.url, url) for url in found if url[:1] != "#")


def with_imports(site: Path, addresses: Iterable[str]) -> set[str]:
    """The same addresses, and what the style sheets and scripts among them load."""
    found: set[str] = set()
    todo = [*addresses]
    while todo:
        address = todo.pop()
        file = file_at(site, address)
        if address not in found and file and file.suffix in (".css", ".js"):
            code = file.read_text("utf-8")
            urls = [one or other for one, other in CSS_URL.findall(code)]
            urls = urls if file.suffix == ".css" else JS_IMPORT.findall(code)
            todo += (urljoin(address, url) for url in urls)
        found.add(address)
    return found


def test_a_strict_build_has_nothing_to_say(built: Built) -> None:
    assert summary(built.log) == ""


def test_both_languages_have_the_same_pages(pages: Pages) -> None:
    names = defaultdict(set)
    for page in pages.values():
        names[page.language].add(page.name)
    assert names == {"en": {*NAMES, NOT_FOUND}, "zh-TW": {*NAMES}}


def test_a_page_loads_nothing_from_elsewhere(site: Path, pages: Pages) -> None:
    check(
        f"{page.url} loads {address}, which is no file of the site"
        for page in pages.values()
        for address in with_imports(site, resources(page))
        if not address.startswith("data:") and file_at(site, address) is None
    )


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
            elif is_chinese(url) != is_chinese(page.url):
                yield f"{page.url} links to {whole}, in the other language"

    check(problem for page in pages.values() for problem in problems(page))


def test_each_page_leads_to_its_translation(pages: Pages) -> None:
    for page in pages.values():
        name = "" if page.name == NOT_FOUND else page.name
        expected = {"en": SITE_URL + name, "zh-TW": f"{SITE_URL}zh-TW/{name}"}
        found = [(link.get("hreflang"), address) for link, address in links(page)]
        found = [(language, address) for language, address in found if language]
        other = (LANGUAGES - {page.language}).pop()
        visible = [] if page.name == NOT_FOUND else [(other, expected[other])]
        assert sorted(found) == sorted([*expected.items(), *visible]), page.url
        assert page.html.get("lang") == page.language, page.url


def test_a_page_runs_only_what_its_policy_names(pages: Pages) -> None:
    for page in pages.values():
        metas = page.html.iter("meta")
        (policy,) = (
            e.attrib["content"]
            for e in metas
            if e.get("http-equiv", "").lower() == "content-security-policy"
        )
        rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
        inline = [
            e
            for e in page.html.iter("script")
            if "src" not in e.attrib and "json" not in e.get("type", "")
        ]
        hashes = {sha256("".join(e.itertext()).encode()).digest() for e in inline}
        allowed = {f"'sha256-{b64encode(digest).decode()}'" for digest in hashes}
        assert {*rules["script-src"].split()} == {"'self'", *allowed}, page.url
        assert rules["default-src"] == "'self'", page.url
        handlers = [e.tag for e in page.html.iter() if any(name[:2] == "on" for name in e.attrib)]
        assert not handlers, page.url


def test_a_first_visit_is_light(site: Path, pages: Pages) -> None:
    for page in pages.values():
        loaded = {urljoin(SITE_URL, page.url), *with_imports(site, resources(page))}
        sizes = {url.removeprefix(SITE_URL): size_at(site, url) for url in loaded}
        assert sum(sizes.values()) <= PAGE_WEIGHT, f"{page.url}: {sizes}"


def test_no_page_needs_the_styles_that_were_dropped(pages: Pages) -> None:
    for page in pages.values():
        for element in page.html.iter():
            written = [f"[{name}={value}]" for name, value in element.attrib.items()]
            written += [f".{name}" for name in element.get("class", "").split()]
            assert not UNUSED.search(" ".join(written)), f"{page.url}: {written}"


def size_at(site: Path, address: str) -> int:
    file = file_at(site, address)
    return file.stat().st_size if file else 0


@pytest.mark.parametrize("folder", ["", "zh-TW"], ids=["en", "zh-TW"])
def test_the_search_index_is_light(site: Path, folder: str) -> None:
    index = site / folder / "search" / "index.json"
    assert index.stat().st_size <= INDEX_WEIGHT
    assert not ESCAPE.search(index.read_text("utf-8"))


@pytest.mark.parametrize("folder", ["", "zh-TW"], ids=["en", "zh-TW"])
def test_the_search_knows_how_each_page_begins_and_each_name(site: Path, folder: str) -> None:
    index = json.loads((site / folder / "search" / "index.json").read_text("utf-8"))
    texts = {address: text for address, _, _, text in index["sections"]}
    pages = [name for name in NAMES if name != "404.html"]
    check(f"{page} is indexed without its first words" for page in pages if not texts[page])
    check(
        f"no section of {section} is indexed"
        for section in names_of_sections()
        if place_of(section) not in texts
    )


def test_formulas_are_mathml(pages: Pages) -> None:
    counts: dict[str, set[int]] = defaultdict(set)
    for page in pages.values():
        counts[page.name].add(sum(1 for _ in page.html.iter("math")))
        raw = RAW_FORMULA.search("".join(prose(page.article)))
        assert raw is None, f"{page.url}: {raw}"
        assert not list(with_class(page.html, "arithmatex")), page.url
    assert all(len(both) == 1 for both in counts.values()), counts
    assert counts["components/scaled-dot-product-attention/"] != {0}


def test_figures_say_what_they_show(pages: Pages) -> None:
    figures = [
        (page, figure) for page in pages.values() for figure in with_class(page.article, "figure")
    ]
    assert figures
    names = (path.stem for path in (ROOT / "docs/figures").glob("[!_]*.py"))
    texts = {import_module(f"docs.figures.{name}").ALT for name in names}
    for page, figure in figures:
        svg = figure.find("svg")
        assert svg is not None, f"{page.url}: a figure without a drawing"
        label = svg.get("aria-label", "")
        assert svg.get("role") == "img", f"{page.url}: the figure “{label}” is no image"
        assert label, f"{page.url}: a figure without ALT"
        english = label in texts or not CJK.search(label)  # a notebook's figures are its own
        assert english == (page.language == "en"), f"{page.url}: {label}"


def test_no_directive_is_left(pages: Pages) -> None:
    """What a page asks for is there: a hook that got lost leaves comments, or lines of text."""
    for language, folder in (("en", ""), ("zh-TW", "zh-TW/")):
        for path in page_files(ROOT / "docs" / language):
            asked = Counter(
                found[2]
                for line, is_code in outside_fences(path.read_text("utf-8").splitlines())
                if not is_code and (found := DIRECTIVE.fullmatch(line))
            )
            name = path.relative_to(ROOT / "docs" / language).with_suffix("").as_posix()
            page = pages[f"{folder}{name}/".removesuffix("index/")]
            titled = [e for e in with_class(page.article, "filename") if e.tag == "span"]
            shown = {
                "figure": len(list(with_class(page.article, "figure"))),
                "calltree": len(list(with_class(page.article, "calltree"))),
                "glossary": len(list(with_class(page.article, "glossary"))),
                "source": sum(text(title).startswith("transformer/") for title in titled),
                "table": len(list(page.article.iter("table"))),
                "options": len(list(page.article.iter("table"))),
                "shapes": len(list(with_class(page.article, "shapes"))),
                "playground": sum(e.get("id") == "machine" for e in page.article.iter("div")),
                "script": sum(text(title).endswith(".js") for title in titled),
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


def test_notebooks_show_what_their_cells_print(pages: Pages) -> None:
    sources = [path for path in page_files(ROOT / "docs" / "en") if path.suffix == ".py"]
    assert sources
    for path in sources:
        name = path.relative_to(ROOT / "docs" / "en").with_suffix("").as_posix()
        for language in ("", "zh-TW/"):
            page = pages[f"{language}{name}/"]
            printed = [text(output) for output in with_class(page.article, "output")]
            assert printed, page.url
            assert all(printed), page.url


def test_every_page_with_code_leads_to_its_notebook(site: Path, pages: Pages) -> None:
    notebooks = {path.relative_to(site).as_posix() for path in site.rglob("*.ipynb")}
    assert {name.startswith("zh-TW/") for name in notebooks} == {True, False}
    for page in pages.values():
        name = f"{page.url.rstrip('/')}.ipynb"
        found = [address for link, address in links(page) if "download" in link.attrib]
        # At its head and at its foot.
        assert found == [SITE_URL + name] * 2 * (name in notebooks), page.url
        notebooks.discard(name)
    assert not notebooks


def test_links_of_notebooks_lead_to_the_site(site: Path, pages: Pages) -> None:
    ids = {page.url: page.ids for page in pages.values()}

    def problems(path: Path) -> Iterator[str]:
        name, cells = path.relative_to(site), json.loads(path.read_text("utf-8"))["cells"]
        texts = ["".join(cell["source"]) for cell in cells]
        for whole in re.findall(rf"{re.escape(SITE_URL)}[^\s)\"]*", "\n".join(texts)):
            address, anchor = urldefrag(whole)
            if file_at(site, address) is None:
                yield f"{name} links to {whole}, which is not there"
            elif "=" in anchor:
                continue  # the playground's state
            elif anchor and unquote(anchor) not in ids[address.removeprefix(SITE_URL)]:
                yield f"{name} links to {whole}: that page has no such anchor"

    check(problem for path in site.rglob("*.ipynb") for problem in problems(path))


def test_the_api_reference_is_translated(pages: Pages) -> None:
    objects = [
        (page, element)
        for page in pages.values()
        if page.name.startswith("reference/api/")
        for element in with_class(page.article, "doc-object")
    ]
    assert {page.language for page, _ in objects} == LANGUAGES
    for page, element in objects:
        first = element.find("div[@class]/p")
        said = "" if first is None else text(first)
        heading = text(next(with_class(element, "doc-heading"), page.article))
        if page.language == "en" and page.name.startswith("reference/api/data/grammar/"):
            continue  # it speaks of Chinese sentences
        assert bool(CJK.search(said)) == (page.language == "zh-TW"), f"{page.url} {heading}: {said}"


@pytest.mark.parametrize("name", transformer.__all__)
def test_every_public_name_is_in_the_api_reference(pages: Pages, name: str) -> None:
    item = getattr(transformer, name)
    for language in ("", "zh-TW/"):
        url = f"{language}reference/api/{'/'.join(item.__module__.split('.')[1:])}/"
        assert f"{item.__module__}.{name}" in pages[url].ids


def test_calling_sequences_link_to_the_api(pages: Pages) -> None:
    for language in ("", "zh-TW/"):
        page = pages[f"{language}assembly/calling-sequence/"]
        trees = list(with_class(page.article, "calltree"))
        assert trees, page.url
        for tree in trees:
            lines = tree.find("ul")
            assert lines is not None
            linked = [address for _, address in links(page, lines)]
            own = "" if lines[0].find("a") is not None else lines[0].text  # the page's function
            calls = sum(1 for _ in lines.iter("li"))
            assert len(linked) == calls - bool(own), f"{page.url}: {own}"
            api = f"{SITE_URL}{language}reference/api/"
            assert all(url.startswith((api, "https://docs.pytorch.org/")) for url in linked), linked
            assert linked[0].startswith(api)


def test_a_second_build_from_nothing_is_the_same(site: Path, tmp_path: Path) -> None:
    left_out = shutil.ignore_patterns(".*", "site", "__pycache__")
    repository = shutil.copytree(ROOT, tmp_path / "repository", ignore=left_out)
    again = build(repository, tmp_path / "site").site
    first, second = (
        {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        for root in (site, again)
    )
    assert first.keys() == second.keys()
    check(f"{path} differs" for path in sorted(first) if first[path] != second[path])
