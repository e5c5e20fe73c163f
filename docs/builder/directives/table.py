"""`<!-- table: NAME -->`: the table of docs/tables/NAME.py, in the page's language.

Such a file has `table(t)`, which returns Markdown. Where counting takes long it has `count()` too,
whose result is kept as JSON and handed to `table` as well.
"""

import json
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType

from docs.builder.cache import Artifact, code_of
from docs.builder.directives import Page, nearest
from docs.builder.translations import Translate

FOLDER = Path(__file__).parents[2] / "tables"


def artifact(argument: str, language: str) -> Artifact:
    """Return the counts behind a table, for the cache; they are the same in every language."""
    module = _module(argument)
    if not hasattr(module, "count"):
        raise LookupError("nothing is counted for this table")
    made = partial(_counted, argument)
    return Artifact("table", argument, code_of(FOLDER / f"{argument}.py"), made)


def render(argument: str, t: Translate, page: Page) -> str:
    """Return the table of this name."""
    module = _module(argument)
    counted = hasattr(module, "count")
    given = [json.loads(artifact(argument, page.language).text())] if counted else []
    return str(module.table(t, *given))


def _module(name: str) -> ModuleType:
    if name.startswith("_") or not (FOLDER / f"{name}.py").is_file():
        names = [path.stem for path in FOLDER.glob("[a-z]*.py")]
        raise LookupError(f"there is no docs/tables/{name}.py; {nearest(name, names)}")
    return import_module(f"docs.tables.{name}")


def _counted(name: str) -> str:
    return json.dumps(_module(name).count())
