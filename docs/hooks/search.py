"""Search: Chinese words stay whole, a term's other names lead to its page, chapters come first."""

import logging
from pathlib import Path
from typing import Any

import jieba
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import CombinedEvent, event_priority
from mkdocs.structure.pages import Page

from docs.builder.search import completed, emptied, names
from docs.builder.search_text import searchable
from docs.builder.search_words import whole_words

ROOT = Path(__file__).parents[2]

jieba.setLogLevel(logging.WARNING)

shown: dict[str, str] = {}  # pages, while the search reads another version of them


@event_priority(50)
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Give Material's search the dictionary before it starts."""
    if config.theme["language"] == "zh-TW":
        dictionary = ROOT / ".cache" / "site" / "jieba.txt"
        dictionary.parent.mkdir(parents=True, exist_ok=True)
        words = whole_words([name for name, _ in names()])
        dictionary.write_text("".join(f"{word} 100000\n" for word in words), "utf-8")
        config.plugins["material/search"].config["jieba_dict_user"] = str(dictionary)
    return config


@event_priority(50)
def _before_search(context: Any, /, *, page: Page, **_: object) -> None:
    shown[page.file.src_uri] = page.content or ""
    page.content = searchable(page.content or "")


@event_priority(-50)
def _after_search(context: Any, /, *, page: Page, **_: object) -> None:
    page.content = shown.pop(page.file.src_uri)


on_page_context = CombinedEvent(_before_search, _after_search)


def on_post_build(config: MkDocsConfig) -> None:
    """Write what readers type into the index; what Material fetches with each page is empty."""
    path = Path(config.site_dir, "search", "search_index.json")
    index = path.read_text("utf-8")
    path.with_name("pages.json").write_text(completed(index, config.theme["language"]), "utf-8")
    path.write_text(emptied(index), "utf-8")
