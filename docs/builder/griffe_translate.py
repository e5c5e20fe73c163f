"""Griffe extension: docstrings in the reader's language, for the API reference."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from textwrap import indent
from typing import Any

import griffe

from docs.builder.translations import ROOT, SOURCE_LANGUAGE, translate


class TranslateDocstrings(griffe.Extension):
    """Replace each piece of prose in the docstrings by its translation; code stays as it is.

    With `lang: en` it only lays `Example:` sections out as code.
    """

    def __init__(self, lang: str, catalog: str | Path) -> None:
        """Translate into `lang` from `catalog`, a path from the repository's root."""
        self.lang = lang
        self.catalogue = ROOT / catalog

    def on_module(self, *, mod: griffe.Module, **kwargs: Any) -> None:
        """Translate a module; `on_object` never sees the package's own docstring."""
        for obj, docstring in documented(mod):
            sections = docstring.parsed = with_examples(docstring.parsed)
            if self.lang != SOURCE_LANGUAGE:
                english = sections[0].value
                translate_sections(sections, partial(translate, self.catalogue, obj.path))
                if isinstance(english, str):  # mkdocstrings' summary tables show the raw text
                    docstring.value = docstring.value.replace(english, sections[0].value, 1)


def documented(module: griffe.Module) -> Iterator[tuple[griffe.Object, griffe.Docstring]]:
    """Yield a module and its public members with their docstrings, without submodules."""
    todo: list[griffe.Object] = [module]
    while todo:
        obj = todo.pop()
        if obj.docstring and obj.docstring.value:
            yield obj, obj.docstring
        members = [
            member
            for member in obj.members.values()
            if isinstance(member, griffe.Object) and not (member.is_module or member.is_private)
        ]
        todo.extend(reversed(members))


def with_examples(sections: list[griffe.DocstringSection]) -> list[griffe.DocstringSection]:
    """Turn `Example:`, to griffe a mere admonition, into what `Examples:` gives: prose and code."""
    return [_examples(section) for section in sections]


def _examples(section: griffe.DocstringSection) -> griffe.DocstringSection:
    """Parse one `Example:` admonition again as an examples section."""
    if not isinstance(section, griffe.DocstringSectionAdmonition):
        return section
    if section.value.kind != "example":
        return section
    # The empty first line keeps the indentation, as griffe dedents all lines but the first.
    text = "\nExamples:\n" + indent(section.value.contents, "    ")
    (examples,) = griffe.Docstring(text).parse("google")
    examples.title = None if section.title == "Example" else section.title
    return examples


def translate_sections(
    sections: list[griffe.DocstringSection], translate: Callable[[str], str]
) -> None:
    """Pass every title, text and description of parsed sections through `translate`, in order."""
    for section in sections:
        if section.title:
            section.title = translate(section.title)
        match section:
            case griffe.DocstringSectionText():
                section.value = translate(section.value)
            case griffe.DocstringSectionExamples():
                section.value = [
                    (kind, translate(text) if kind is griffe.DocstringSectionKind.text else text)
                    for kind, text in section.value
                ]
            case griffe.DocstringSectionAdmonition():
                section.value.contents = translate(section.value.contents)
            case _:
                for item in section.value:
                    if item.description:
                        item.description = translate(item.description)
