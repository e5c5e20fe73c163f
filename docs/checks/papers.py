"""What is quoted of papers: sections by what they are about, years, addresses."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from docs.checks import Problem
from docs.checks.pages import CHINESE, read_pages

LISTED = Path(__file__).with_suffix(".toml")
TRANSFORMER = "1706.03762"
READING = f"{TRANSFORMER}), "  # what to read on: a link to the paper, then its sections
SECTION = re.compile(r"§(\d(?:\.\d)*)")
CITED = re.compile(r"(\w+)(?: et al\.| 等人)?,? [(（]?((?:19|20)\d\d)(?=[,.;)，；）、 ])")
LINK = re.compile(r"\[([^\[\]]+)\]\(https://(?:arxiv\.org/abs|aclanthology\.org)/([\w.-]+)")


@cache
def listed() -> dict[str, Any]:
    """The table of what is known of papers."""
    return tomllib.loads(LISTED.read_text("utf-8"))


def problems(root: Path, page: str | None = None) -> Iterator[Problem]:
    """Sections that are about something else, and years and addresses of another paper."""
    texts = {file: one.text for file, one in read_pages(root, page, others=("README.md",))}
    for path in (root / "transformer").rglob("*.py") if page is None else ():
        texts[path.relative_to(root)] = path.read_text("utf-8")
    for file, text in texts.items():
        # Whether the Chinese cites the same sections is asked by the check of pairs.
        checks = (
            [years, addresses] if file.is_relative_to(CHINESE) else [years, addresses, sections]
        )
        for start, message in (found for check in checks for found in check(text)):
            yield Problem(file, text.count("\n", 0, start) + 1, message)


def sections(text: str) -> Iterator[tuple[int, str]]:
    """Sections that the paper does not have, or that are not about what is written beside them.

    Further reading at a page's end may only name a section that the page cites above.
    """
    known, others = listed()["sections"], listed()["other_sections"]
    for match in SECTION.finditer(text):
        beside = text[max(match.start() - 150, 0) : match.end() + 60]
        if others.get(match[1], "nowhere") in beside:
            continue
        if match[1] not in known:
            yield match.start(), f"the paper has no {match[0]}; look it up"
        elif (start := text.rfind(READING, max(match.start() - 40, 0), match.start())) >= 0:
            if not re.search(rf"{re.escape(match[0])}(?!\d)", text[:start]):
                yield match.start(), f"nothing above cites {match[0]}; correct the number"
        elif not re.search(known[match[1]], beside, re.IGNORECASE):
            yield match.start(), f"{match[0]} is about {known[match[1]]}; correct the number"


def years(text: str) -> Iterator[tuple[int, str]]:
    """Years that are not those of the cited paper."""
    for match in CITED.finditer(text):
        year = listed()["years"].get(match[1])
        if year and str(year) != match[2]:
            yield match.start(), f"{match[1]} {match[2]} should be {year}"


def addresses(text: str) -> Iterator[tuple[int, str]]:
    """Links to papers whose words do not name the paper of that address."""
    for match in LINK.finditer(text):
        name = listed()["addresses"].get(match[2].rstrip("/"))
        if name is None:
            yield match.start(), f"{match[2]}: add this address to {LISTED.name}, with its title"
        elif name.lower() not in match[1].lower():
            yield match.start(), f"{match[2]} is {name}, not {match[1]}; correct one"
