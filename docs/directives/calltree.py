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
# Lines that carry the number of a box in a drawing: a call, and one that it is made inside of.
MARKS = {
    "model_forward": {  # the numbers of docs/figures/calls_map.py
        ("Transformer.encode", "TokenEmbedding(src_embedding).forward"): "①",
        ("Transformer.encode", "MultiHeadAttention(self_attention).forward"): "②",
        ("Transformer.encode", "PositionwiseFeedForward(feed_forward).forward"): "③",
        ("Transformer.decode", "TokenEmbedding(src_embedding).forward"): "①",
        ("Transformer.decode", "MultiHeadAttention(self_attention).forward"): "④",
        ("Transformer.decode", "MultiHeadAttention(cross_attention).forward"): "⑤",
        ("Transformer.project", "Linear(output_layer)"): "⑥",
    }
}


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
    tree, text = record["tree"], escape(record["text"])
    for (outer, label), number in MARKS.get(argument, {}).items():
        if not _mark(tree, outer, label, number):
            raise LookupError(f"{argument} calls no {label} inside {outer}")
    return (
        f'<div class="calltree" data-search-exclude><ul>{_item(tree, 1)}</ul>'
        f"<details><summary>{t('The same tree as text')}</summary>"
        f'<div class="highlight"><pre><code>{text}</code></pre></div></details></div>'
    )


def _mark(node: dict[str, Any], outer: str, label: str, number: str) -> bool:
    """Number the calls of this label inside the call `outer`, and open the way to them."""
    found = False
    for child in node["children"]:
        if child["label"] == label and not outer:
            child["mark"], found = number, True
        inside = "" if child["label"] == outer else outer
        found |= _mark(child, inside, label, number)
    node["open"] = found or node.get("open", False)
    return found


def _item(node: dict[str, Any], level: int, outer: str = "") -> str:
    public = outer if "._" in node["name"] else node["name"]  # a private class is on no API page
    line = _line(node, public)
    if not node["children"]:
        return f"<li>{line}</li>"
    inner = "".join(_item(child, level + 1, public) for child in node["children"])
    state = " open" if level <= OPEN_LEVELS or node.get("open") else ""
    # The link stands beside the summary: inside it, a screen reader would not find it.
    summary = f'<summary aria-label="{escape(node["label"])}"></summary>'
    return f"<li>{line}<details{state}>{summary}<ul>{inner}</ul></details></li>"


def _line(node: dict[str, Any], name: str) -> str:
    mark = f"<em>{node['mark']}</em> " if "mark" in node else ""
    label = f"<code>{escape(node['label'])}</code>"
    if name.startswith("transformer."):
        label = f'<autoref identifier="{name}">{label}</autoref>'
    elif name.startswith("torch."):
        label = f'<a href="{TORCH.format(name)}">{label}</a>'
    else:  # a function of the page's own
        label = f"<span>{escape(node['label'])}</span>"
    arguments = ", ".join(
        f"{word}<b>{escape(value)}</b>" for word, value in node["arguments"].items()
    )
    count = f" <em>×{node['count']}</em>" if node["count"] > 1 else ""
    result = f" → <b>{escape(node['result'])}</b>" if node["result"] else ""
    return f"{mark}{label}{count} <span>{arguments}{result}</span>"
