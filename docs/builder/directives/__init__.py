"""What a page can ask for: `<!-- kind: argument -->` on a line of its own, one file a kind.

Each kind has `render(argument, t, page)`, which returns Markdown or, where `HTML` is true, HTML; an
argument that it does not know is a LookupError. The line may be indented, in a list or in a folded
answer; in a fence it is shown as it stands. A kind of HTML may have `in_words(argument, t, page)`,
which says as Markdown what is to be seen, for a notebook.

`<!-- value: NAME -->`, inside a sentence, is what docs/builder/values.py knows.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from textwrap import indent
from types import ModuleType

from docs.builder.cache import Artifact
from docs.builder.markdown import as_it_stands, outside_fences
from docs.builder.translations import translator
from docs.builder.values import VALUE, fill
from docs.builder.values import artifact as values

KINDS = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
DIRECTIVE = re.compile(r"([ \t]*)<!-- ([a-z]+): ([\w.]+) -->[ \t]*")
COMMENT = re.compile(r"<!--+[ \t]*(?P<word>[\w-]+)(?P<colon>[ \t]*:)?(?P<rest>.*?)(?:--+>|$)")
CODE = re.compile(r"(`+).+?\1")

Complain = Callable[[str], object]


@dataclass(frozen=True)
class Page:
    """The page that asks."""

    path: str  # within its language, as in practice/data.md
    language: str

    def __str__(self) -> str:
        """Name it as seen from docs/."""
        return f"{self.language}/{self.path}"


def expand(markdown: str, page: Page, complain: Complain) -> str:
    """Put what directives ask for in their places; those that give HTML wait for `insert`."""
    markdown = fill(markdown, page.language, lambda problem: complain(f"{page}: {problem}"))
    lines = []
    for line, is_code in outside_fences(markdown.splitlines()):
        found = None if is_code else DIRECTIVE.fullmatch(line)
        if found and found[2] in KINDS:
            space, kind, argument = found.groups()
            is_html = getattr(kind_of(kind), "HTML", False)
            # With empty lines around it, what waits is a paragraph of its own.
            made = f"\n{line.strip()}\n" if is_html else answer(kind, argument, page, complain)
            lines.append(indent(made, space))
        else:
            for comment in () if is_code else COMMENT.finditer(CODE.sub("", line)):
                if problem := mistake(comment):
                    complain(f"{page}: {comment[0]}: {problem}")
            lines.append(line)
    return "\n".join(lines)


def insert(markdown: str, page: Page, complain: Complain) -> str:
    """Put what directives give as HTML in their places, each on one line, which is left alone."""
    lines = []
    for line, is_code in outside_fences(markdown.splitlines()):
        found = None if is_code else DIRECTIVE.fullmatch(line)
        if found and found[2] in KINDS and getattr(kind_of(found[2]), "HTML", False):
            if found[1]:
                complain(f"{page}: {line.strip()}: write it at the start of the line")
            line = as_it_stands(answer(found[2], found[3], page, complain))
        lines.append(line)
    return "\n".join(lines)


def in_words(line: str, page: Page, place: str) -> str | None:
    """Return what stands for a directive in a notebook, and None for any other line.

    `place` is a link to where it is seen as it is meant.
    """
    found = DIRECTIVE.fullmatch(line)
    if not found or found[2] not in KINDS:
        return None
    kind, argument = found[2], found[3]
    module, t = kind_of(kind), translator(page.language, "site")
    try:
        if not hasattr(module, "HTML"):
            return str(module.render(argument, t, page))
        words = module.in_words(argument, t, page) if hasattr(module, "in_words") else ""
        text = f"{words}\n\n[{t('See it on the page.')}]({place})".lstrip()
        return indent(text, "> ", lambda line: True)
    except LookupError:  # `expand` complains
        return line


def artifacts(markdown: str, language: str) -> Iterator[Artifact]:
    """Yield what is slow to make among all that a page asks for."""
    if VALUE.search(markdown):
        yield values()
    for line, is_code in outside_fences(markdown.splitlines()):
        found = None if is_code else DIRECTIVE.fullmatch(line)
        if found and found[2] in KINDS and hasattr(module := kind_of(found[2]), "artifact"):
            with suppress(LookupError):  # `expand` will complain
                yield module.artifact(found[3], language)


def answer(kind: str, argument: str, page: Page, complain: Complain) -> str:
    """Return what one directive asks for, or the directive itself with a complaint."""
    directive = f"<!-- {kind}: {argument} -->"
    try:
        return str(kind_of(kind).render(argument, translator(page.language, "site"), page))
    except LookupError as error:
        complain(f"{page}: {directive}: {error.args[0]}")
        return directive


def mistake(comment: re.Match[str]) -> str:
    """Say what is wrong with a comment that was meant as a directive; nothing if it was not."""
    word, rest = comment["word"], comment["rest"]
    near = get_close_matches(word.lower(), KINDS, 1, 0.7)
    if comment["colon"] and word.islower() and not near:
        return f"there is no directive {word}; there are {', '.join(KINDS)}"
    if not near or not (comment["colon"] or len(rest.split()) == 1):
        return ""
    if word not in KINDS:
        return f"there is no directive {word}; the nearest is {near[0]}"
    return f"write <!-- {word}: NAME -->, with these spaces, on a line of its own"


def nearest(name: str, names: list[str]) -> str:
    """Say which of the names was probably meant, or name them all."""
    near = get_close_matches(name, names, 1)
    return f"the nearest is {near[0]}" if near else f"there are {', '.join(sorted(names))}"


def kind_of(kind: str) -> ModuleType:
    """Return the module of a kind; most build only few of them, and some are slow to load."""
    return import_module(f"docs.builder.directives.{kind}")
