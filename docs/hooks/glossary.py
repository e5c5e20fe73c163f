"""`<!-- glossary: terms -->`: the table of docs/glossary.csv, in the page's language."""

import csv
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from docs.hooks.catalogue import translator

ROOT = Path(__file__).parents[2]
DIRECTIVE = re.compile(r"^<!-- glossary: terms -->$", re.M)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the table where the directive stands."""
    return DIRECTIVE.sub(partial(_table, config.theme["language"]), markdown)


def _table(language: str, directive: re.Match[str]) -> str:
    t = translator(language, "site")
    with (ROOT / "docs" / "glossary.csv").open(encoding="utf-8", newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: row["en"].lower())
    head = f"| {t('English')} | {t('Chinese')} | {t('In a sentence')} |\n|---|---|---|\n"
    body = "\n".join(_row(row, language, t) for row in rows)
    return f'<div class="glossary" markdown>\n\n{head}{body}\n\n</div>'


def _row(row: dict[str, str], language: str, t: Callable[[str], str]) -> str:
    sentence = row["sentence_en" if language == "en" else "sentence_zh"]
    if row["page"]:
        space = " " if language == "en" else ""  # 。 brings its own
        sentence += f"{space}[{t('Read more')}](../{row['page']})"
    return f"| {row['en']} | {row['zh_tw']} | {sentence} |"
