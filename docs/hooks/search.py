"""Search: Chinese words stay whole, a term's other names lead to its page, chapters come first."""

import logging
from pathlib import Path

import jieba
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from docs.rendering.search import API, BEHIND, whole_words, with_names

ROOT = Path(__file__).parents[2]

jieba.setLogLevel(logging.WARNING)


@event_priority(50)
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Give Material's search the dictionary before it starts."""
    if config.theme["language"] == "zh-TW":
        dictionary = ROOT / ".cache" / "site" / "jieba.txt"
        dictionary.parent.mkdir(parents=True, exist_ok=True)
        dictionary.write_text("".join(f"{word} 100000\n" for word in whole_words()), "utf-8")
        config.plugins["material/search"].config["jieba_dict_user"] = str(dictionary)
    return config


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> None:
    """Put API pages behind chapters."""
    if page.file.src_uri.startswith(API):
        page.meta["search"] = {"boost": BEHIND}


def on_post_build(config: MkDocsConfig) -> None:
    """Write the names into the index."""
    path = Path(config.site_dir, "search", "search_index.json")
    path.write_text(with_names(path.read_text("utf-8"), config.theme["language"]), "utf-8")
