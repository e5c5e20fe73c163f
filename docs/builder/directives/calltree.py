"""`<!-- calltree: NAME -->`: a calling sequence recorded from a real run, with links to the API."""

import json
from html import escape
from typing import Any

from docs import call_trees
from docs.builder import scripts
from docs.builder.api_pages import page_of
from docs.builder.book import url_of
from docs.builder.cache import Artifact
from docs.builder.directives import Page, nearest
from docs.builder.languages import link
from docs.builder.markdown import fenced
from docs.builder.translations import Translate
from docs.call_parts import Part, forward_parts

HTML = True
OPEN_LEVELS = 3  # deeper calls are folded at first
TORCH = "https://docs.pytorch.org/docs/stable/generated/{}.html"
PARTS = {"model_forward": forward_parts}  # of a drawing on the same page


def artifact(argument: str, language: str) -> Artifact:
    """Return the recorded run, for the cache; it is the same in every language."""
    names = [*call_trees.TREES]
    if argument not in names:
        where = "docs/call_trees.py"
        raise LookupError(f"{where} has no such run; {nearest(argument, names)}")
    return call_trees.artifact(argument)


def render(argument: str, t: Translate, page: Page) -> str:
    """Return the tree as a list that unfolds, and as text."""
    record = json.loads(artifact(argument, page.language).text())
    tree, text = record["tree"], escape(record["text"])
    for part in PARTS[argument](t) if argument in PARTS else []:
        if not _place({"children": [tree]}, part, part.outer):
            raise LookupError(f"{argument} calls no {part.label} inside {part.outer}")
    return (
        f'<div class="calltree" data-search-exclude><ul>{_item(tree, page, 1)}</ul>'
        f"<details><summary>{t('The same tree as text')}</summary>"
        f'<div class="highlight"><pre><code>{text}</code></pre></div></details></div>'
        f"{scripts.load('call_tree', t, page)}"
    )


def in_words(argument: str, t: Translate, page: Page) -> str:
    """Return the tree as text."""
    return fenced(json.loads(artifact(argument, page.language).text())["text"].rstrip(), "text")


def _place(node: dict[str, Any], part: Part, outer: str) -> bool:
    """Tie the part to its calls inside the call `outer`, and open the way to a numbered one."""
    found = False
    for child in node["children"]:
        if part.label in child["label"] and not outer:
            child["part"], found = part, True
        found |= _place(child, part, "" if child["label"] == outer else outer)
    node["open"] = bool(found and part.number) or node.get("open", False)
    return found


def _item(node: dict[str, Any], page: Page, level: int, outer: str = "") -> str:
    public = outer if "._" in node["name"] else node["name"]  # a private class is on no API page
    line = _line(node, public, page)
    start = _start(node["part"]) if "part" in node else "<li>"
    if not node["children"]:
        return f"{start}{line}</li>"
    inner = "".join(_item(child, page, level + 1, public) for child in node["children"])
    state = " open" if level <= OPEN_LEVELS or node.get("open") else ""
    # The link stands beside the summary: inside it, a screen reader would not find it.
    summary = f'<summary aria-label="{escape(node["label"])}"></summary>'
    return f"{start}{line}<details{state}>{summary}<ul>{inner}</ul></details></li>"


def _start(part: Part) -> str:
    name = f"{part.number} {part.name}".strip()
    box = f' data-box="{part.box}"' if part.box else ""
    return f'<li data-name="{escape(name)}"{box}>'


def _address(name: str, page: Page) -> str:
    path = page_of(name)
    if not path:
        raise LookupError(f"the reference has no page for {name}")
    return f"{link(url_of(page.path), page.language, url_of(path), page.language)}#{name}"


def _line(node: dict[str, Any], name: str, page: Page) -> str:
    number = node["part"].number if "part" in node else ""
    label = escape(node["label"])
    if name.startswith("transformer."):
        label = f'<a href="{_address(name, page)}">{label}</a>'
    elif name.startswith("torch."):
        label = f'<a href="{TORCH.format(name)}">{label}</a>'
    arguments = ", ".join(
        f"{word}<b>{escape(value)}</b>" for word, value in node["arguments"].items()
    )
    count = f"<em>×{node['count']}</em>" if node["count"] > 1 else ""
    result = f"→ <b>{escape(node['result'])}</b>" if node["result"] else ""
    mark = f"<em>{number}</em>" if number else ""
    return " ".join(filter(None, [mark, label, count, arguments, result]))
