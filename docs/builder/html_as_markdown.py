"""HTML as Markdown: all that a page says, nothing of its look.

Whatever a page asks for, from a table to the API, is in its HTML, as readers see it.
"""

import re
from collections.abc import Callable, Iterator
from html import escape

from bs4 import BeautifulSoup, Tag
from markdownify import ATX, MarkdownConverter

from docs.builder.markdown import fenced
from docs.builder.translations import Translate

Tags = set[str]

FORMULA = re.compile(r"<math\b([^>]*)>.*?</math>", re.DOTALL)
DRAWING = re.compile(r'<svg\b[^>]*? aria-label="([^"]*)".*?</svg>', re.DOTALL)
SILENT_DRAWING = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
LANGUAGE = re.compile(r"\blanguage-([\w+-]+)")


def to_markdown(
    html: str, formulas: list[str], t: Translate, address_of: Callable[[str], str]
) -> str:
    """Return what stands on a page as Markdown.

    `formulas` are those of the page as they were written, in order; `address_of` makes links whole.
    """
    html = as_written(html, iter(formulas))
    html = DRAWING.sub(lambda drawing: in_words(drawing[1], t), html)
    soup = BeautifulSoup(SILENT_DRAWING.sub("", html), "lxml")
    text = Converter(address_of).convert_soup(soup)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def as_written(html: str, formulas: Iterator[str]) -> str:
    """Put formulas as they were written in the places where browsers show them."""

    def one(math: re.Match[str]) -> str:
        tag = "displayed" if 'display="block"' in math[1] else "formula"
        return f"<{tag}>{escape(next(formulas, ''))}</{tag}>"

    return FORMULA.sub(one, html)


def in_words(text: str, t: Translate) -> str:
    """Return what a figure shows in words, which are HTML already."""
    return f"<p><em>{t('Figure: {text}').format(text=text)}</em></p>"


class Converter(MarkdownConverter):  # type: ignore[misc]
    """Adds what our pages have besides plain HTML."""

    def __init__(self, address_of: Callable[[str], str]) -> None:
        """Take what makes links whole."""
        super().__init__(heading_style=ATX, bullets="-", escape_underscores=False)
        self.address_of = address_of

    def escape(self, text: str, parent_tags: Tags) -> str:
        """Keep <eos> and its like from becoming tags."""
        return super().escape(text, parent_tags).replace("<", "\\<")

    def convert_formula(self, el: Tag, text: str, parent_tags: Tags) -> str:
        """Write a formula as the sources of the pages do."""
        return f"${el.get_text()}$"

    def convert_displayed(self, el: Tag, text: str, parent_tags: Tags) -> str:
        """Write a formula on lines of its own."""
        return f"\n\n$$\n{el.get_text()}\n$$\n\n"

    def convert_hN(self, n: int, el: Tag, text: str, parent_tags: Tags) -> str:
        """Keep the anchor of a heading: links lead to it."""
        anchor = f" {{ #{el['id']} }}" if el.get("id") else ""
        return f"\n\n{'#' * n} {' '.join(text.split())}{anchor}\n\n"

    def convert_a(self, el: Tag, text: str, parent_tags: Tags) -> str:
        """Make links whole, and keep places that links lead to."""
        if "headerlink" in classes(el):
            return ""
        if el.get("id") and not el.get("href"):
            return f'<a id="{el["id"]}"></a>{text}'
        if el.get("href"):
            el["href"] = self.address_of(str(el["href"]))
        return super().convert_a(el, text, parent_tags)

    def convert_nav(self, el: Tag, text: str, parent_tags: Tags) -> str:
        """Leave out the links at the foot of the page."""
        return ""

    def convert_p(self, el: Tag, text: str, parent_tags: Tags) -> str:
        """Leave out links that are no text of the page; write the titles of boxes bold."""
        if {"language-switch", "page-notebook"}.intersection(classes(el)):
            return ""
        if "admonition-title" in classes(el):
            text = f"**{text.strip()}**"
        return super().convert_p(el, text, parent_tags)

    def convert_summary(self, el: Tag, text: str, parent_tags: Tags) -> str:
        """Write the title of what unfolds."""
        return f"\n\n**{' '.join(text.split())}**\n\n"

    def convert_details(self, el: Tag, text: str, parent_tags: Tags) -> str:
        """Set apart what unfolds, but for the source of an object: nothing follows it."""
        if "mkdocstrings-source" in classes(el):
            return text
        return f"\n{self.convert_blockquote(el, text, parent_tags)}"

    def convert_div(self, el: Tag, text: str, parent_tags: Tags) -> str:
        """Set apart boxes; write a calling sequence as the text that is folded below it."""
        if "admonition" in classes(el):
            return f"\n{self.convert_blockquote(el, text, parent_tags)}"
        if "calltree" in classes(el) and el.pre:
            return f"\n\n{fenced(el.pre.get_text().strip(), 'text')}\n\n"
        if "doc-md-description" in classes(el):  # goes on with the line
            return f" {text.strip()}"
        return super().convert_div(el, text, parent_tags)

    def convert_pre(self, el: Tag, text: str, parent_tags: Tags) -> str:
        """Write code with its language and its title."""
        box = el.find_parent(class_="highlight")
        found = LANGUAGE.search(" ".join(classes(box))) if box else None
        title = box.find(class_="filename") if box else None
        info = found[1] if found else ""
        info += f' title="{title.get_text()}"' if title else ""
        return f"\n\n{fenced(el.get_text().strip(chr(10)), info)}\n\n"

    def convert_span(self, el: Tag, text: str, parent_tags: Tags) -> str:
        """Leave out the title of code: it is in the fence."""
        return "" if "filename" in classes(el) else text

    def convert_td(self, el: Tag, text: str, parent_tags: Tags) -> str:
        """Keep a bar in a cell from ending it."""
        return super().convert_td(el, text.replace("|", "\\|"), parent_tags)

    def convert_button(self, el: Tag, text: str, parent_tags: Tags) -> str:
        """Leave out what only a browser has a use for."""
        return ""


def classes(el: Tag) -> list[str]:
    """Return the classes of an element."""
    return [str(name) for name in el.get_attribute_list("class")]
