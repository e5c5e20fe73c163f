"""The site's own scripts: plain ES modules, put with their texts on the page that asks for one."""

import json
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from docs.directives import Page
from docs.rendering.translations import Translate

FOLDER = Path(__file__).parents[1] / "assets" / "scripts"
LABEL = re.compile(r'\bt\(\s*("(?:[^"\\\n]|\\.)*")')


def labels(code: str) -> Iterator[tuple[str, int]]:
    """Yield what a script gives to its `t`, with the line it stands on.

    >>> list(labels('button.append(t("Translate"))'))
    [('Translate', 1)]
    """
    for found in LABEL.finditer(code):
        yield json.loads(found[1]), code.count("\n", 0, found.start()) + 1


def load(name: str, t: Translate, page: Page) -> str:
    """Return the elements that start a script on a page: its look, its texts, the script itself.

    Both languages run one copy of it, so that a reader who changes the language fetches nothing
    twice.
    """
    texts: dict[str, str] = {}
    if page.language != "en":
        for path in sorted((FOLDER / name).glob("*.js")):
            texts |= {english: t(english) for english, _ in labels(path.read_text("utf-8"))}
    data = json.dumps(texts, ensure_ascii=False).replace("</", "<\\/")
    parts = [part for part in PurePosixPath(page.path).with_suffix("").parts if part != "index"]
    up = "../" * (len(parts) + (page.language != "en"))
    address = f"{up}assets/scripts/{name}/main"
    styles = ""
    if (FOLDER / name / "main.css").exists():  # on this page alone: site.css is on all
        styles = f'<link rel="stylesheet" href="{address}.css">'
    return (
        f'{styles}<script type="application/json" id="texts">{data}</script>'
        f'<script type="module" src="{address}.js"></script>'
    )
