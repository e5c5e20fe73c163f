"""A built page as a tree of elements."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}


class TreeParser(HTMLParser):
    """Read HTML that closes what it opens; anything else is an error."""

    def __init__(self) -> None:
        super().__init__()
        self.builder = TreeBuilder()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.builder.start(tag, {name: value or "" for name, value in attrs})
        if tag in VOID:
            self.builder.end(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        opened = self.builder.end(tag).tag
        if opened != tag:
            raise ValueError(f"line {self.getpos()[0]}: <{opened}> ends with </{tag}>")

    def handle_data(self, data: str) -> None:
        self.builder.data(data)


@dataclass(frozen=True)
class BuiltPage:
    """One page; its address is seen from the site's root, as in zh-TW/start/setup/."""

    url: str
    html: Element

    @classmethod
    def read(cls, site: Path, path: Path) -> "BuiltPage":
        """Parse one file of the site."""
        url = path.relative_to(site).as_posix().removesuffix("index.html")
        parser = TreeParser()
        try:
            parser.feed(path.read_text("utf-8"))
        except ValueError as error:
            raise ValueError(f"{url}: {error}") from error
        return cls(url, parser.builder.close())

    @property
    def language(self) -> str:
        return "zh-TW" if self.url.startswith("zh-TW/") else "en"

    @property
    def name(self) -> str:
        """The address within its language: the same for a page and its translation."""
        return self.url.removeprefix("zh-TW/")

    @property
    def leads_on(self) -> bool:
        """Whether it stands at an old address."""
        return any(e.get("http-equiv") == "refresh" for e in self.html.iter("meta"))

    @property
    def ids(self) -> Counter[str]:
        return Counter(e.attrib["id"] for e in self.html.iter() if e.get("id"))

    @property
    def article(self) -> Element:
        article = self.html.find(".//article")
        assert article is not None, f"{self.url} has no article"
        return article


def with_class(root: Element, name: str) -> Iterator[Element]:
    """Elements below `root` that carry a class."""
    return (element for element in root.iter() if name in element.get("class", "").split())


def text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def prose(element: Element) -> Iterator[str]:
    """Text below an element that is neither code nor a formula."""
    if element.tag not in ("code", "pre", "math", "script", "style"):
        yield element.text or ""
        for child in element:
            yield from prose(child)
            yield child.tail or ""
