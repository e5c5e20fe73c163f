"""The site's own scripts: plain ES modules, put with their texts on the page that asks for one."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from docs.builder.book import url_of
from docs.builder.directives import Page
from docs.builder.languages import link
from docs.builder.translations import Translate

FOLDER = Path(__file__).parents[1] / "assets" / "scripts"
COMMENT = re.compile(r"(?m)(?<=/\*\* ).+?(?= \*/$)|(?<=// ).+$")
IMPORT = re.compile(r'\b(?:from |import\()"(\.[^"]+)"')
STYLES = r'<link rel="stylesheet"[^>]*>'
LOADED = re.compile(rf'{STYLES}|<script type="(?:application/json|module)".*?</script>', re.DOTALL)
STRING = r'"(?:[^"\\\n]|\\.)*"'
LABEL = re.compile(rf"\bt\(\s*({STRING}(?:\s*\+\s*{STRING})*)")


def labels(code: str) -> Iterator[str]:
    """Yield what a script gives to its `t`; a long text is written in several parts.

    >>> list(labels('button.append(t("Translate"), t("It writes one token " + "at a time."))'))
    ['Translate', 'It writes one token at a time.']
    """
    for found in LABEL.finditer(code):
        yield "".join(json.loads(part) for part in re.findall(STRING, found[1]))


def loaded_by(path: Path) -> set[Path]:
    """Return a script and all that it imports, at once or later."""
    found, todo = set[Path](), [path]
    while todo:
        path = todo.pop()
        if path not in found:
            found.add(path)
            names = IMPORT.findall(path.read_text("utf-8"))
            todo += [(path.parent / name).resolve() for name in names]
    return found


def load(name: str, t: Translate, page: Page) -> str:
    """Return the elements that start a script on a page: its look, its texts, the script itself.

    Both languages run one copy of it, so that a reader who changes the language fetches nothing
    twice.
    """
    texts: dict[str, str] = {}
    if page.language != "en":
        for path in sorted(loaded_by(FOLDER / name / "main.js")):
            texts |= {english: t(english) for english in labels(path.read_text("utf-8"))}
    data = json.dumps(texts, ensure_ascii=False).replace("</", "<\\/")
    main = f"assets/scripts/{name}/main"
    address = link(url_of(page.path), page.language, main, to="en")
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
