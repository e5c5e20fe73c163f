"""`<!-- glossary: terms -->`: the table of docs/glossary.csv, in the page's language."""

from docs.builder.directives import Page, nearest
from docs.builder.glossary import Row, terms
from docs.builder.translations import Translate


def render(argument: str, t: Translate, page: Page) -> str:
    """Return the table as Markdown in a box that the style sheet knows."""
    if argument != "terms":
        raise LookupError(nearest(argument, ["terms"]))
    rows = sorted(terms(), key=lambda row: row["en"].lower())
    head = f"| {t('English')} | {t('Chinese')} | {t('In a sentence')} |\n|---|---|---|\n"
    body = "\n".join(_row(row, page.language, t) for row in rows)
    return f'<div class="glossary" markdown>\n\n{head}{body}\n\n</div>'


def _row(row: Row, language: str, t: Translate) -> str:
    sentence = row["sentence_en" if language == "en" else "sentence_zh"]
    space = " " if language == "en" else ""  # 。 brings its own
    sentence += f"{space}[{t('Read more')}](../{row['page']}){{ data-search-exclude }}"
    return f"| {row['en']} | {row['zh_tw']} | {sentence} |"
