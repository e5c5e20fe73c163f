"""References to the package's objects: they exist, and every public one is documented."""

import re
from collections.abc import Iterator
from pathlib import Path

import griffe

from docs.checks import Problem
from docs.checks.pages import Page


def load(root: Path) -> griffe.Object:
    """The package as its source describes it; nothing is imported."""
    loader = griffe.GriffeLoader(search_paths=[root], allow_inspection=False)
    package = loader.load("transformer", try_relative_path=False)
    loader.resolve_aliases(implicit=True)
    assert isinstance(package, griffe.Object)
    return package


def references(
    page: Page, package: griffe.Object, documented: set[str], anchors: set[str]
) -> Iterator[tuple[int, str]]:
    """References to objects that do not exist, are private or are documented elsewhere."""
    for item in page.references:
        if item.text in anchors:
            continue
        top, _, rest = item.text.partition(".")
        if top != package.name:
            if "." not in item.text:
                yield item.line, f"[{item.text}] is no object, anchor or link of this site; mend it"
            continue
        try:
            found = package[rest] if rest else package
            place = final(found).path
        except (KeyError, griffe.AliasResolutionError):
            yield item.line, f"{item.text} does not exist; name a public object of the package"
            continue
        if any(re.match(r"_(?!_init__$)", part) for part in rest.split(".")):
            yield item.line, f"{item.text} is private; name a public object"
        elif place != item.text:
            yield item.line, f"{item.text} is defined elsewhere; write {place}"
        elif not covered(item.text, documented):
            yield item.line, f"{item.text} is on no API page; add its module there or leave it out"


def final(member: griffe.Object | griffe.Alias) -> griffe.Object:
    """The object itself, where a module only imports it."""
    return member.final_target if isinstance(member, griffe.Alias) else member


def api_directives(page: Page) -> Iterator[str]:
    """Objects named by `::: object`."""
    return (item.text.split()[1] for item in page.directives if item.text.startswith(":::"))


def covered(name: str, documented: set[str]) -> bool:
    return any(name == known or name.startswith(f"{known}.") for known in documented)


def public_names(
    package: griffe.Object, pages: dict[Path, Page], api: Path, root: Path
) -> Iterator[Problem]:
    """Names in `transformer.__all__` whose defining module is on no page of the API reference."""
    reference = [page for path, page in pages.items() if path.is_relative_to(api)]
    directives = {name for page in reference for name in api_directives(page)}
    for name in sorted(str(export).strip("'\"") for export in package.exports or []):
        member = package.members.get(name)
        if member is None:
            initial = Path("transformer/__init__.py")
            yield Problem(initial, 1, f"__all__ names {name}, which is not there; mend __all__")
        elif not name.startswith("_"):
            target = final(member)
            if not covered(target.path, directives):
                module = target.module.path
                file = api.joinpath(*module.split(".")[1:]).with_suffix(".md").relative_to(root)
                yield Problem(file, 1, f"{name} is documented nowhere: add `::: {module}` here")
