"""The site's own scripts: plain ES modules, put with their texts on the page that asks for one."""

import json
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Protocol

from docs.builder.translations import Translate

FOLDER = Path(__file__).parents[1] / "assets" / "scripts"
COMMENT = re.compile(r"(?m)(?<=/\*\* ).+?(?= \*/$)|(?<=// ).+$")
STYLES = r'<link rel="stylesheet"[^>]*>'
LOADED = re.compile(rf'{STYLES}|<script type="(?:application/json|module)".*?</script>', re.DOTALL)
STRING = r'"(?:[^"\\\n]|\\.)*"'
LABEL = re.compile(rf"\bt\(\s*({STRING}(?:\s*\+\s*{STRING})*)")


class Page(Protocol):
    """What a script must know of the page that asks, a docs.builder.directives.Page."""

    @property
    def path(self) -> str:
        """The page within its language."""

    @property
    def language(self) -> str:
        """Its language."""


def labels(code: str) -> Iterator[tuple[str, int]]:
    """Yield what a script gives to its `t`, with the line it stands on.

    >>> list(labels('button.append(t("Translate"))'))
    [('Translate', 1)]

    A long text is written in several parts:

    >>> list(labels('t("It writes one token " + "after the other.")'))
    [('It writes one token after the other.', 1)]
    """
    for found in LABEL.finditer(code):
        text = "".join(json.loads(part) for part in re.findall(STRING, found[1]))
        yield text, code.count("\n", 0, found.start()) + 1


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
    address = f"{_up(page)}assets/scripts/{name}/main"
    styles = ""
    if (FOLDER / name / "main.css").exists():  # on this page alone: site.css is on all
        styles = f'<link rel="stylesheet" href="{address}.css">'
    return (
        f'{styles}<script type="application/json" class="texts">{data}</script>'
        f'<script type="module" src="{address}.js"></script>'
    )


def once(html: str) -> str:
    """Leave what several directives of a page load alike only where it comes first.

    >>> once('a<script type="module" src="b.js"></script>' * 2)
    'a<script type="module" src="b.js"></script>a'
    """
    seen: set[str] = set()

    def first(found: re.Match[str]) -> str:
        new = found[0] not in seen
        seen.add(found[0])
        return found[0] if new else ""

    return LOADED.sub(first, html)


def _up(page: Page) -> str:
    """Return the way from a page to the root of both sites.

    >>> from docs.builder.directives import Page
    >>> _up(Page("start/setup.md", "zh-TW")), _up(Page("index.md", "en"))
    ('../../../', '')
    """
    parts = [part for part in PurePosixPath(page.path).with_suffix("").parts if part != "index"]
    return "../" * (len(parts) + (page.language != "en"))
