"""How long a chapter takes to read: 150 words, or 6 lines of code, a minute."""

import re

from docs.builder.directives import DIRECTIVE, Page
from docs.builder.directives import source as source_directive
from docs.builder.markdown import outside_fences
from docs.builder.translations import ROOT, translator

CHAPTERS = ("start/", "components/", "assembly/", "practice/")
WORDS, LINES = 150, 6  # a minute
NOT_READ = re.compile(r"<!--.*?-->|<[^>]*>|\]\([^)]*\)|\{[^}]*\}|^---$.*?^---$", re.DOTALL | re.M)
WORD = re.compile(r"\w[\w'-]*")
ASKED = re.compile(r"<!-- minutes: ([\w/-]+\.md) -->")
TITLE = re.compile(r"^# .*\n\n(?:(?!#|<!--).+\n)+", re.M)


def minutes(path: str) -> int:
    """Return the minutes that the English page takes; what is folded does not count."""
    text = (ROOT / "docs" / "en" / path).read_text("utf-8")
    prose, code, folded = [], 0, False
    for line, is_code in outside_fences(text.splitlines()):
        folded = line.startswith("???") or (folded and (not line or line.startswith("    ")))
        found = DIRECTIVE.fullmatch(line)
        if folded:
            continue
        if found and found[2] == "source":
            shown = source_directive.render(found[3], str, Page(path, "en"))
            code += shown.count("\n") - 1
        elif is_code:
            code += bool(line.strip() and not line.lstrip().startswith("```"))
        else:
            prose.append(line)
    words = len(WORD.findall(NOT_READ.sub(" ", "\n".join(prose))))
    return max(1, round(words / WORDS + code / LINES))


def with_time(text: str, path: str, language: str) -> str:
    """Return a chapter with its time at the end of its first paragraph.

    `<!-- minutes: components/masks.md -->` in a sentence of any page is the time of that chapter.
    """
    text = ASKED.sub(lambda found: str(minutes(found[1])), text)
    if not path.startswith(CHAPTERS) or not path.endswith(".md"):
        return text
    t = translator(language, "site")
    said = t("Reading time: {minutes} minutes.").format(minutes=minutes(path))
    space = " " if language == "en" else ""
    return TITLE.sub(lambda found: f"{found[0].rstrip()}{space}{said}\n", text, count=1)
