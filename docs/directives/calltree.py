"""`<!-- calltree: NAME -->`: a calling sequence recorded from a real run, with links to the API."""

import json
from html import escape
from typing import Any

from docs.directives import Page, nearest
from docs.rendering import recorded_runs
from docs.rendering.build_cache import Product
from docs.rendering.translations import Translate

HTML = True
OPEN_LEVELS = 3  # deeper calls are folded at first
TORCH = "https://docs.pytorch.org/docs/stable/generated/{}.html"


def product(argument: str, language: str) -> Product:
    """Return the recorded run, for the cache; it is the same in every language."""
    names = [*recorded_runs.TREES]
    if argument not in names:
        where = "docs/rendering/recorded_runs.py"
        raise LookupError(f"{where} has no such run; {nearest(argument, names)}")
    return recorded_runs.product(argument)


def render(argument: str, t: Translate, page: Page) -> str:
    """Return the tree as a list that unfolds, and as text."""
    record = json.loads(product(argument, page.language).text())
    text = escape(record["text"])
    return (
        f'<div class="calltree" data-search-exclude><ul>{_item(record["tree"], 1)}</ul>'
        f"<details><summary>{t('The same tree as text')}</summary>"
        f'<div class="highlight"><pre><code>{text}</code></pre></div></details></div>'
    )


def _item(node: dict[str, Any], level: int) -> str:
    line = _line(node)
    if not node["children"]:
        return f"<li>{line}</li>"
    inner = "".join(_item(child, level + 1) for child in node["children"])
    state = " open" if level <= OPEN_LEVELS else ""
    # The link stands beside the summary: inside it, a screen reader would not find it.
    summary = f'<summary aria-label="{escape(node["label"])}"></summary>'
    return f"<li>{line}<details{state}>{summary}<ul>{inner}</ul></details></li>"


def _line(node: dict[str, Any]) -> str:
    label = f"<code>{escape(node['label'])}</code>"
    if node["name"].startswith("transformer."):
        label = f'<autoref identifier="{node["name"]}">{label}</autoref>'
    elif node["name"].startswith("torch."):
        label = f'<a href="{TORCH.format(node["name"])}">{label}</a>'
    arguments = ", ".join(
        f"{name}<b>{escape(value)}</b>" for name, value in node["arguments"].items()
    )
    count = f" <em>×{node['count']}</em>" if node["count"] > 1 else ""
    result = f" → <b>{escape(node['result'])}</b>" if node["result"] else ""
    return f"{label}{count} <span>{arguments}{result}</span>"
