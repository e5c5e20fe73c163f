"""The pages of the API reference and their navigation, made from the package.

A module of which docs/en/reference/api has a page of its own gets none here, and nothing below it.
"""

import ast
import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from docs.builder.translations import ROOT, Translate, translator

FOLDER = "reference/api/"
PACKAGE = ROOT / "transformer"
# From the ground up: a floor knows those before it, never those after it.
FLOORS = ("", "model", "variants", "data", "model_file", "training", "inference", "cli")


def pages(language: str, written: set[str]) -> dict[str, str]:
    """Return the text of each page by its path, as if somebody had written it."""
    return {
        path_of(module): _page(module, language)
        for module in modules()
        if not _is_written(module, written)
    }


def nav(paths: Iterable[str], t: Translate) -> list[Any]:
    """Return the navigation of the reference, a section a floor."""
    titles = {
        "": t("API: ground floor"),
        "model": t("API: model"),
        "variants": t("API: variants"),
        "data": t("API: data"),
        "model_file": t("API: model_file"),
        "training": t("API: training"),
        "inference": t("API: inference"),
        "cli": t("API: cli"),
    }
    present = [path for path in paths if path.startswith(FOLDER)]
    # What lies deeper comes last, by name.
    direct = [module for module in modules() if module.count(".") < 3]
    order = {path_of(module): number for number, module in enumerate(direct)}
    items: list[Any] = []
    for floor in FLOORS:
        own = sorted(
            (path for path in present if _floor(path) == floor),
            key=lambda path: (order.get(path, len(order)), path),
        )
        if own == [f"{FOLDER}{floor}.md"]:
            items.append({titles[floor]: own[0]})
        elif own:
            items.append({titles[floor]: [{_short(path, floor): path} for path in own]})
    return items


def path_of(module: str) -> str:
    """Return where the page of a module lies.

    >>> path_of("transformer.model.masks")
    'reference/api/model/masks.md'
    """
    return FOLDER + "/".join(module.split(".")[1:]) + ".md"


def module_of(path: str) -> Path:
    """Return the file that a page of the reference is about.

    >>> module_of("reference/api/model/masks.md").relative_to(ROOT).as_posix()
    'transformer/model/masks.py'
    """
    file = PACKAGE / PurePosixPath(path).relative_to(FOLDER).with_suffix("")
    return file / "__init__.py" if file.is_dir() else file.with_suffix(".py")


@cache
def paths() -> frozenset[str]:
    """Return the paths of all pages of the reference, those that were written among them."""
    folder = ROOT / "docs" / "en"
    written = {path.relative_to(folder).as_posix() for path in (folder / FOLDER).rglob("*.md")}
    made = {path_of(module) for module in modules() if not _is_written(module, written)}
    return frozenset(written | made)


def page_of(name: str) -> str | None:
    """Return the page that has an object of the package, or None.

    >>> page_of("transformer.model.masks.causal_mask")
    'reference/api/model/masks.md'
    """
    parts = name.split(".")
    found = (path_of(".".join(parts[:length])) for length in range(len(parts), 1, -1))
    return next((path for path in found if path in paths()), None)


@cache
def modules() -> list[str]:
    """Return the modules: floor by floor, within one as `transformer/__init__.pyi` names them."""
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text("utf-8"))
    named = [node.module for node in stub.body if isinstance(node, ast.ImportFrom) and node.module]
    order = {f"transformer.{module}": number for number, module in reversed([*enumerate(named)])}
    files = [path for path in PACKAGE.rglob("*.py") if not path.stem.startswith("_")]
    found = [
        "transformer." + path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", ".")
        for path in files
    ]
    return sorted(
        found,
        key=lambda name: (FLOORS.index(_floor(path_of(name))), order.get(name, len(order)), name),
    )


def _floor(path: str) -> str:
    parts = PurePosixPath(path).relative_to(FOLDER).with_suffix("").parts
    return parts[0] if parts[0] in FLOORS else ""


def _short(path: str, floor: str) -> str:
    """Return what the navigation calls a page: `masks`, or `grammar: sentences`."""
    parts = PurePosixPath(path).relative_to(FOLDER).with_suffix("").parts
    return ": ".join(parts[1:] if floor and len(parts) > 1 else parts)


def _is_written(module: str, written: set[str]) -> bool:
    parts = module.split(".")
    return any(path_of(".".join(parts[:length])) in written for length in range(2, len(parts) + 1))


def _page(module: str, language: str) -> str:
    docstring = ast.get_docstring(ast.parse(module_of(path_of(module)).read_text("utf-8"))) or ""
    prose = re.split(r"\n\n\w+:\n", docstring)[0]  # an example is no prose
    text = " ".join(translator(language, module)(prose).split("\n\n")[0].split())
    anchor = module.rpartition(".")[2].replace("_", "-")
    description = json.dumps(text, ensure_ascii=False)
    return f"---\ndescription: {description}\n---\n\n# `{module}` {{ #{anchor} }}\n\n::: {module}\n"
