"""Search in Chinese: the glossary's words stay whole, and the index is written as UTF-8."""

import csv
import json
import logging
from pathlib import Path

import jieba
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority

ROOT = Path(__file__).parents[2]

jieba.setLogLevel(logging.WARNING)


@event_priority(50)
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Give Material's search the glossary as a dictionary, before it starts."""
    if config.theme["language"] == "zh-TW":
        with (ROOT / "docs" / "glossary.csv").open(encoding="utf-8") as file:
            terms = sorted({row["zh_tw"] for row in csv.DictReader(file)})
        # 縮放點積注意力 is found under 注意力, so only what holds no other term stays whole.
        terms = [
            term
            for term in terms
            if not any(len(part) > 1 and part in term and part != term for part in terms)
        ]
        dictionary = ROOT / ".cache" / "site" / "jieba.txt"
        dictionary.parent.mkdir(parents=True, exist_ok=True)
        dictionary.write_text("".join(f"{term} 100000\n" for term in terms), "utf-8")
        config.plugins["material/search"].config["jieba_dict_user"] = str(dictionary)
    return config


def on_post_build(config: MkDocsConfig) -> None:
    r"""Write the index with its characters instead of \u escapes: a third of the size."""
    path = Path(config.site_dir, "search", "search_index.json")
    index = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), "utf-8")
