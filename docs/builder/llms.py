"""llms.txt: what an assistant finds in this book, in the format of https://llmstxt.org."""

from dataclasses import dataclass

from docs.builder.translations import Translate

FILE = "llms.txt"


@dataclass(frozen=True)
class Entry:
    """A page in the list."""

    title: str
    address: str  # of its Markdown
    description: str

    def __str__(self) -> str:
        """Return the line of a list."""
        return f"- [{self.title}]({self.address}): {self.description}"


@dataclass(frozen=True)
class Part:
    """A part of the navigation."""

    title: str
    entries: list[Entry]


def llms(name: str, summary: str, parts: list[Part], other: str, t: Translate) -> str:
    """Return the list of a site; `other` is a link to that in the other language."""
    lines = [
        f"# {name}",
        "",
        f"> {summary}",
        "",
        t(
            "Each address below is a page as Markdown; without `index.md` it is the page as people "
            "see it. Behind a heading, `{ #name }` is its anchor: `#name` after the address leads "
            "there. A block marked `pycon` is a session that ran, with what it printed."
        ),
        "",
        t("The same pages in the other language: {link}").format(link=other),
    ]
    for part in parts:
        lines += ["", *([f"## {part.title}", ""] if part.title else []), *map(str, part.entries)]
    return "\n".join(lines) + "\n"
