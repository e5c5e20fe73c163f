"""Every link arrives: at a page, an anchor, an object of the package, a figure."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from docs.checks import Problem, promises
from docs.checks.objects import api_directives, covered, load, public_names, references
from docs.checks.pages import PAGE_SUFFIXES, Heading, Page, page_files

LANGUAGES = (Path("docs/en"), Path("docs/zh-TW"))
ASSETS, FIGURES, API = Path("docs/assets"), Path("docs/figures"), Path("reference/api")
ROOT_PAGES = (Path("README.md"), Path("CONTRIBUTING.md"))

Found = Iterator[tuple[int, str]]  # a line and what is wrong there


def problems(root: Path) -> list[Problem]:
    """Links that lead nowhere, and public names that no page documents."""
    root = root.resolve()
    found = []
    package = load(root)
    for folder in LANGUAGES:
        pages = {path: Page.read(path) for path in page_files(root / folder)}
        documented = {name for page in pages.values() for name in api_directives(page)}
        titles = promises.titles(pages)
        anchors = {anchor for page in pages.values() for anchor in page.anchors}
        for path, page in pages.items():
            checks = (
                *relative_links(page, path, root, root / folder),
                *references(page, package, documented, anchors),
                *figures(page, root),
                *promises.broken(page, path, titles),
            )
            found += [Problem(path.relative_to(root), *check) for check in checks]
        found += public_names(package, pages, root / folder / API, root)
    for file in ROOT_PAGES:
        if (root / file).exists():
            page = Page.read(root / file)
            found += [Problem(file, *f) for f in relative_links(page, root / file, root, root)]
    return sorted(set(found))


def relative_links(page: Page, path: Path, root: Path, home: Path) -> Found:
    """Links whose file or anchor is missing, or that leave the folder they should stay in."""
    for item in page.links:
        parts = urlsplit(item.text)
        if parts.scheme or parts.netloc:
            continue
        if parts.path.startswith("/"):
            yield item.line, f"{item.text} starts with /; write it relative to this page"
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.is_relative_to(home):
            where = home.relative_to(root).as_posix()
            yield item.line, f"{item.text} leaves {where}; link to the page of the same language"
            continue
        if home != root and target.relative_to(home).parts[:1] == ("assets",):
            target = root / ASSETS / target.relative_to(home / "assets")  # the build adds them
        if not (target.is_file() or (home == root and target.is_dir())):
            yield item.line, f"there is no file {item.text} from here; mend the path"
        elif "=" in parts.fragment:
            if wrong := unknown_choices(parts.fragment, root):
                yield item.line, f"{item.text}: the playground knows no {wrong}; mend the address"
        elif parts.fragment and not has_anchor(target, unquote(parts.fragment), home == root):
            yield item.line, f"{item.text}: no heading of that page has this anchor; mend one"


def unknown_choices(fragment: str, root: Path) -> str:
    """Names in an address of the playground that its script does not know."""
    script = (root / ASSETS / "scripts" / "playground" / "state.js").read_text("utf-8")
    found = re.search(r"FIRST = \{(.*?)\n\}", script, re.DOTALL)
    known = set(re.findall(r"(\w+):", found[1] if found else ""))
    return ", ".join(name for name, _ in parse_qsl(fragment) if name not in known)


def has_anchor(path: Path, anchor: str, on_github: bool) -> bool:
    """Whether a page has an explicit anchor, or one that GitHub makes or an API page generates."""
    if path.suffix not in PAGE_SUFFIXES:
        return False
    page = Page.read(path)
    slugs = {slug(heading.title) for heading in page.headings} if on_github else set()
    return anchor in {*page.anchors, *slugs} or covered(anchor, set(api_directives(page)))


def slug(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def figures(page: Page, root: Path) -> Found:
    """Figures without a drawing, and drawings without a text for those who cannot see them."""
    for item in page.directives:
        kind, _, name = item.text.partition(": ")
        if kind == "options":
            above: list[Heading] = []
            for heading in page.headings:
                if heading.line < item.line:
                    above = [outer for outer in above if outer.level < heading.level] + [heading]
            if name not in [heading.anchor for heading in above]:
                yield (
                    item.line,
                    f"the options of {name} stand under #{above[-1].anchor}; move or rename them",
                )
        if kind != "figure":
            continue
        file = FIGURES / f"{name}.py"
        if not (root / file).is_file():
            yield item.line, f"there is no {file.as_posix()}; write it or mend the name"
        elif "ALT" not in assigned((root / file).read_text(encoding="utf-8")):
            yield item.line, f"{file.as_posix()} has no ALT; say there what the picture shows"


def assigned(source: str) -> set[str]:
    """Names that a module assigns a text at its top level."""
    names: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if not (isinstance(node.value, ast.Constant) and not node.value.value):
                names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names
