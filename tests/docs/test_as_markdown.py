"""What assistants read: every page as Markdown beside it, and llms.txt, which lists them."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from urllib.parse import unquote, urldefrag
from xml.etree.ElementTree import Element

import pytest
import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from docs.builder.html_as_markdown import to_markdown
from tests.built_pages import BuiltPage, with_class
from tests.built_site import NOT_FOUND, SITE_URL

Pages = dict[str, BuiltPage]

PARSER = MarkdownIt("commonmark").enable("table")
ENTRY = re.compile(r"- \[(?P<title>[^\]]+)\]\((?P<address>\S+)\): (?P<description>.+)")
ANCHOR = re.compile(r"(?P<title>.*) \{ #(?P<anchor>\S+) \}")
PLACE = re.compile(r'<a id="([^"]+)">|</a>')
FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$", re.DOTALL)
LEFT_OVER = re.compile(r":::|\?\?\?|!!!|\{[:.]|\bautoref\b")


def whole(link: str) -> str:
    return f"https://example.org/{link}"


def converted(html: str, *formulas: str) -> str:
    return to_markdown(html, [*formulas], lambda label: label, whole)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<h2 id="a">A<a class="headerlink" href="#a">¶</a></h2>', "## A { #a }"),
        ('<p>See <a href="b/">the <em>next</em></a>.</p>', "See [the *next*](https://example.org/b/)."),
        ('<p><a id="here"></a>Here.</p>', '<a id="here"></a>Here.'),
        ("<p>snake_case and &lt;eos&gt; and 2 * 3</p>", r"snake_case and \<eos> and 2 \* 3"),
        ('<p class="language-switch"><a href="z/">中文</a></p><p>A</p>', "A"),
        ("<p>A <button>Run</button></p>", "A"),
        ('<figure><svg aria-label="A &amp; B"><text>no</text></svg></figure>', "*Figure: A & B*"),
        ('<p>A<svg aria-hidden="true"><text>no</text></svg></p>', "A"),
    ],
)  # fmt: skip
def test_small_things(html: str, expected: str) -> None:
    assert converted(html) == expected + "\n"


def test_formulas_are_as_they_were_written() -> None:
    html = (
        "<p>For <math><mi>a</mi></math> and <math><mi>b</mi></math>:</p>"
        '<div class="formula"><math display="block"><mi>c</mi></math></div>'
    )
    found = converted(html, "a_i * 2", r"x < \frac{a}{b}", r"\sum_i c_i")
    assert found == "For $a_i * 2$ and $x < \\frac{a}{b}$:\n\n$$\n\\sum_i c_i\n$$\n"


def test_code_keeps_its_language_its_title_and_its_text() -> None:
    html = (
        '<div class="language-python highlight"><span class="filename">a.py</span>'
        '<pre><code><span class="k">def</span> f_(*a):\n\n    return "```"\n</code></pre></div>'
    )
    expected = '````python title="a.py"\ndef f_(*a):\n\n    return "```"\n````\n'
    assert converted(html) == expected


def test_a_bar_does_not_end_a_cell() -> None:
    html = (
        "<table><tr><th>a</th><th>b</th></tr><tr><td><code>x | y</code></td><td>c</td></tr></table>"
    )
    assert converted(html) == "| a | b |\n| --- | --- |\n| `x \\| y` | c |\n"


@pytest.mark.parametrize(
    ("box", "title"),
    [
        ("<details>{}</details>", "<summary>Answer</summary>"),
        ('<div class="admonition">{}</div>', '<p class="admonition-title">Answer</p>'),
    ],
    ids=["folded", "open"],
)
def test_what_stands_in_a_box_is_set_apart(box: str, title: str) -> None:
    expected = """
        Before.

        > **Answer**
        >
        > Two.
        >
        > Or three.

        After.
    """
    html = box.format(f"{title}<p>Two.</p><p>Or three.</p>")
    assert converted(f"<p>Before.</p>{html}<p>After.</p>") == dedent(expected).lstrip()


def test_a_tree_is_its_text() -> None:
    html = (
        '<div class="calltree"><ul><li>f<details open><summary></summary><ul><li>g</li></ul>'
        '</details></li></ul><details><summary>as text</summary><div class="highlight">'
        "<pre><code>f\n└── g\n</code></pre></div></details></div>"
    )
    assert converted(html) == "```text\nf\n└── g\n```\n"


@pytest.fixture(scope="module")
def markdown(site: Path, pages: Pages) -> dict[str, str]:
    """The Markdown of every page, by the page's address."""
    real = [url for url, page in pages.items() if page.name != NOT_FOUND]
    written = {path.parent.relative_to(site) for path in site.rglob("*.md")}
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


def headings(written: str) -> Iterator[str]:
    found = list(tokens(written))
    for before, token in pairwise(found):
        if before.type == "heading_open":
            yield token.content


def text_of(element: Element) -> str:
    return "".join(element.itertext()).strip("\n")


@pytest.mark.build
def test_a_page_is_there_as_markdown_and_says_so(pages: Pages, markdown: dict[str, str]) -> None:
    for url, written in markdown.items():
        page, told = pages[url], front_matter(written)
        (link,) = (e for e in page.html.iter("link") if e.get("type") == "text/markdown")
        assert (link.get("rel"), link.get("href")) == ("alternate", "index.md"), url
        metas = {e.get("property"): e.get("content") for e in page.html.iter("meta")}
        assert told["url"] == SITE_URL + url
        assert told["language"] == page.language
        assert told["title"] == metas["og:title"], url
        assert told["description"] == metas["og:description"], url
        other = "en" if page.language == "zh-TW" else "zh-TW"
        there = pages[told[other].removeprefix(SITE_URL).removesuffix("index.md")]
        assert (there.name, there.language) == (page.name, other), url


@pytest.mark.build
def test_the_markdown_has_what_the_page_has(pages: Pages, markdown: dict[str, str]) -> None:
    for url, written in markdown.items():
        article = pages[url].article
        ids = [e.get("id") for e in article.iter() if re.fullmatch("h[1-6]", e.tag)]
        found = [ANCHOR.fullmatch(heading) for heading in headings(written)]
        assert [match and match["anchor"] for match in found] == ids, url
        code = [token.content.strip("\n") for token in tokens(written) if token.type == "fence"]
        assert code == [text_of(block) for block in article.iter("pre")], url
        tables = sum(token.type == "table_open" for token in tokens(written))
        assert tables == sum(1 for _ in article.iter("table")), url
        said = " ".join(written.replace("\\", "").split())
        for figure in with_class(article, "figure"):
            if (svg := figure.find("svg")) is not None:
                assert " ".join(svg.attrib["aria-label"].split()) in said, url


@pytest.mark.build
def test_formulas_of_the_markdown_are_those_of_the_page(
    pages: Pages, markdown: dict[str, str]
) -> None:
    for url, written in markdown.items():
        prose = [token.content for token in PARSER.parse(body(written)) if token.type == "inline"]
        without_code = re.sub(r"(`+).+?\1", "", "\n\n".join(prose))
        found = FORMULA.findall(without_code)
        assert len(found) == sum(1 for _ in pages[url].article.iter("math")), f"{url}: {found}"


@pytest.mark.build
def test_nothing_unexpanded_is_left(markdown: dict[str, str]) -> None:
    for url, written in markdown.items():
        for token in tokens(written):
            if token.type in ("html_block", "html_inline"):
                assert PLACE.fullmatch(token.content.strip()), f"{url}: {token.content}"
            elif token.type == "text":
                left = LEFT_OVER.search(FORMULA.sub("", token.content))
                assert left is None, f"{url}: {token.content}"


@pytest.mark.build
def test_links_of_the_markdown_arrive(site: Path, markdown: dict[str, str]) -> None:
    anchors: dict[str, set[str]] = {}
    for url, written in markdown.items():
        found = (ANCHOR.fullmatch(heading) for heading in headings(written))
        places = (PLACE.match(t.content) for t in tokens(written) if t.type == "html_inline")
        anchors[url] = {match["anchor"] for match in found if match}
        anchors[url] |= {match[1] for match in places if match and match[1]}
    within = 0
    for url, written in markdown.items():
        for link in (str(t.attrs["href"]) for t in tokens(written) if t.type == "link_open"):
            address, anchor = urldefrag(link)
            assert address.startswith("http") or not address, f"{url} links to {link}"
            if address.startswith(SITE_URL):
                there = unquote(address.removeprefix(SITE_URL))
                file = site / (f"{there}index.html" if "=" in anchor else there)
                assert file.is_file(), f"{url}: {link}"
            if not address or (address.startswith(SITE_URL) and address.endswith("/index.md")):
                there = address.removeprefix(SITE_URL).removesuffix("index.md") if address else url
                assert not anchor or unquote(anchor) in anchors[there], f"{url} links to {link}"
                within += 1
    assert within > 1000


@pytest.mark.build
@pytest.mark.parametrize("language", ["", "zh-TW/"], ids=["en", "zh-TW"])
def test_the_list_has_every_page_and_no_other(
    site: Path, markdown: dict[str, str], language: str
) -> None:
    written = (site / language / "llms.txt").read_text("utf-8")
    name, _, summary, *rest = written.splitlines()
    assert name == f"# {front_matter(markdown[language])['title']}"
    assert summary.startswith("> ")
    other = f"{'' if language else 'zh-TW/'}llms.txt"
    assert f"({SITE_URL}{other})" in written
    assert (site / other).is_file()
    found = [entry for line in rest if (entry := ENTRY.fullmatch(line))]
    assert [line for line in rest if line.startswith("- ")] == [entry[0] for entry in found]
    listed = [entry["address"].removeprefix(SITE_URL).removesuffix("index.md") for entry in found]
    chinese = {url for url in markdown if url.startswith("zh-TW/")}
    assert sorted(listed) == sorted(chinese if language else markdown.keys() - chinese)
    for url, entry in zip(listed, found, strict=True):
        assert entry["description"] == front_matter(markdown[url])["description"], url
