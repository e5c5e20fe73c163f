"""The sections of finished pages, as the search shows them: an address, titles and a text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import lxml.html
from lxml.html import HtmlElement

from docs.builder.search_words import names_of_sections, place_of

LEFT_OUT_TAGS = {"button", "nav", "script", "style", "svg", "template"}
LEFT_OUT_CLASSES = re.compile(r"\b(?:doc-labels|headerlink|mkdocstrings-source)\b")
INLINE = {"a", "abbr", "b", "code", "em", "i", "mark", "small", "span", "strong", "sub", "sup", "u"}
HEADINGS = {f"h{level}" for level in range(1, 7)}
# Where a formula's second part begins, as one would type it: d_k, x^2, a/b.
BETWEEN = {"msub": "_", "msup": "^", "mfrac": "/"}


@dataclass
class Section:
    """What stands under a heading, up to the next."""

    url: str  # within the site of its language, as in start/setup/#gpu
    title: str  # of the page
    heading: str = ""
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The words, with one space where there was white space."""
        return " ".join("".join(self.parts).split())


def sections(site: Path) -> Iterator[Section]:
    """Yield the sections of all pages below a folder, but for another language's."""
    for path in sorted(site.rglob("index.html")):
        folder = path.parent.relative_to(site).as_posix()
        if not folder.startswith("zh-TW"):
            yield from sections_of(path.read_text("utf-8"), "" if folder == "." else f"{folder}/")


def sections_of(html: str, url: str) -> list[Section]:
    """Return the sections of a page, cut at its headings and where a name leads.

    >>> page = "<article><h1 id=a>A</h1>b<h2 id=c>C</h2><p>d</p><p>e</p></article>"
    >>> [(section.url, section.title, section.heading, section.text)
    ...  for section in sections_of(page, "x/")]
    [('x/', 'A', 'A', 'b'), ('x/#c', 'A', 'C', 'd e')]
    """
    article = lxml.html.document_fromstring(html).find(".//article")
    found: list[Section] = []
    if article is not None:
        _read(article, url, found)
    return [section for section in found if section.text or section.heading]


@cache
def _targets() -> frozenset[str]:
    return frozenset(map(place_of, names_of_sections()))


def _read(element: HtmlElement, url: str, found: list[Section]) -> None:
    """Add an element's text to the last section, or begin another with it."""
    if _is_left_out(element):
        return
    anchor = element.get("id")
    if element.tag in HEADINGS:
        heading = " ".join(_text(element).split())
        is_title = element.tag == "h1" or not found
        title = heading if is_title else found[0].title
        found.append(Section(url if is_title or not anchor else f"{url}#{anchor}", title, heading))
        return
    if anchor and found and f"{url}#{anchor}" in _targets():
        found.append(Section(f"{url}#{anchor}", found[0].title, found[-1].heading))
    if element.tag == "math":
        _add(found, _formula(element))
        return
    space = "" if element.tag in INLINE else " · " if element.tag in ("td", "th") else " "
    _add(found, space + (element.text or ""))
    for child in element:
        _read(child, url, found)
        _add(found, child.tail or "")
    _add(found, "" if space == "" else " ")


def _is_left_out(element: HtmlElement) -> bool:
    if not isinstance(element.tag, str) or element.tag in LEFT_OUT_TAGS:
        return True
    attributes = element.attrib
    return "data-search-exclude" in attributes or bool(
        LEFT_OUT_CLASSES.search(attributes.get("class", ""))
    )


def _add(found: list[Section], text: str) -> None:
    if found:
        found[-1].parts.append(text)


def _text(element: HtmlElement) -> str:
    if _is_left_out(element):
        return ""
    if element.tag == "math":
        return _formula(element)
    inside = (_text(child) + (child.tail or "") for child in element)
    return (element.text or "") + "".join(inside)


def _formula(element: HtmlElement) -> str:
    parts = [_formula(child) for child in element]
    if element.tag in BETWEEN:
        return BETWEEN[element.tag].join(parts)
    return ("√" if element.tag == "msqrt" else "") + (element.text or "") + "".join(parts)
