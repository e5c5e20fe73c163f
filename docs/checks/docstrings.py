"""The shapes that docstrings tell are those of the signatures, which the suite enforces."""

import re
from collections.abc import Iterator
from pathlib import Path

import griffe

from docs.checks import Problem

SECTIONS = {"parameters", "returns", "attributes"}
ANNOTATED = re.compile(r"\w+\[\w+, *['\"]([^'\"]+)['\"]")  # Float[Tensor, "batch d_model"]
TOLD = re.compile(r"`\(([\w.…, *+-]+)\)`")


def problems(root: Path) -> list[Problem]:
    """Parameters and results whose two shapes contradict each other."""
    package = griffe.load(
        "transformer", search_paths=[root], try_relative_path=False, allow_inspection=False
    )
    return sorted(in_members(package))


def in_members(parent: griffe.Object | griffe.Alias) -> Iterator[Problem]:
    """Problems of what a module or class holds."""
    for member in parent.members.values():
        if member.is_alias:
            continue
        if member.docstring:
            yield from in_docstring(member, member.docstring)
        yield from in_members(member)


def in_docstring(
    owner: griffe.Object | griffe.Alias, docstring: griffe.Docstring
) -> Iterator[Problem]:
    for section in docstring.parse("google", warnings=False):
        for item in section.value if section.kind.value in SECTIONS else ():
            told = [part.split(",") for part in TOLD.findall(item.description)]
            for sizes, shape in zip(told, ANNOTATED.findall(str(item.annotation or ""))):
                words = [size.strip() for size in sizes if size.strip()]
                if not same(words, shape.split()):
                    name = getattr(item, "name", "") or "the result"
                    message = f"`({', '.join(words)})` is {shape!r} in the signature; mend one"
                    file = owner.relative_package_filepath
                    yield Problem(file, docstring.lineno or 1, f"{owner.name}, {name}: {message}")


def same(told: list[str], enforced: list[str]) -> bool:
    """Whether both are one shape; `*batch` is any sizes, and a product may have a name."""
    if enforced[0].startswith("*"):
        enforced = enforced[1:]
        told = told[len(told) - len(enforced) :]
    pairs = zip(told, enforced)
    return len(told) == len(enforced) and all(a == b or "*" in a for a, b in pairs)
