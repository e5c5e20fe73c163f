"""`<!-- ledger: 3.1 -->`: what a section of the paper says, and what is made of it here.

The rows are those of docs/paper_ledger.toml; `verdicts` says what each verdict means.
"""

import posixpath
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from docs.builder.directives import Page, nearest
from docs.builder.translations import Translate
from docs.builder.values import fill

DOCS = Path(__file__).parents[2]
HEADING = re.compile(r"^#+ (.+) \{ #([\w-]+) \}$", re.MULTILINE)
COLON = {"en": ": ", "zh-TW": "："}

Rows = list[dict[str, Any]]


def read() -> tuple[dict[str, dict[str, str]], dict[str, Rows]]:
    """Return the verdicts, and the rows of each section of the paper."""
    sections = tomllib.loads((DOCS / "paper_ledger.toml").read_text("utf-8"))
    return sections.pop("verdicts"), sections


def render(argument: str, t: Translate, page: Page) -> str:
    """Return the table as Markdown in a box that the style sheet knows."""
    verdicts, sections = read()
    if argument == "verdicts":
        counts = Counter(row["verdict"] for rows in sections.values() for row in rows)
        head = [t("verdict"), t("meaning"), t("rows")]
        lines = [
            [f"**{one[page.language]}**", one[f"note-{page.language}"], str(counts[name])]
            for name, one in verdicts.items()
        ]
    elif argument in sections:
        head = [t("the paper"), t("here"), t("verdict")]
        names = {name: one[page.language] for name, one in verdicts.items()}
        lines = [_line(row, names, page) for row in sections[argument]]
    else:
        raise LookupError(nearest(argument, ["verdicts", *sections]))
    table = "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * 3, *lines])
    problems: list[str] = []
    table = fill(table, page.language, problems.append)
    if problems:
        raise LookupError(problems[0])
    return f'<div class="ledger" data-search-exclude markdown>\n\n{table}\n\n</div>'


def _line(row: dict[str, Any], verdicts: dict[str, str], page: Page) -> list[str]:
    here = [_link(place, page) for place in row["here"]]
    here += [f"`{row[key]}`" for key in ("check", "test") if key in row]
    verdict = [f"**{verdicts[row['verdict']]}**", *filter(None, [row.get(f"note-{page.language}")])]
    return [row[page.language], "<br>".join(here), COLON[page.language].join(verdict)]


def _link(place: str, page: Page) -> str:
    """Link to an object by its name, or to a section by its heading."""
    path, _, anchor = place.partition("#")
    if not anchor:
        name = re.sub(r"^(?:[a-z_]+\.)+(?=[A-Z]|[a-z_]+$)", "", place)
        return f"[`{name}`][{place}]"
    text = (DOCS / page.language / path).read_text("utf-8")
    headings = {found[2]: found[1] for found in HEADING.finditer(text)}
    if anchor not in headings:
        raise LookupError(f"{path} has no heading with #{anchor}")
    words = COLON[page.language].join([next(iter(headings.values())), headings[anchor]])
    return f"[{words}]({posixpath.relpath(path, posixpath.dirname(page.path))}#{anchor})"
