"""Whether each section of a Chinese page was made from the English section as it is now.

The front matter of a Chinese page holds, for each section, a short hash of the English text that it
was made from. Only lines are read, so that the build can afford to ask at each page.
"""

import hashlib
import re

import yaml

from docs.builder.markdown import outside_fences

TOP = "(top)"  # names what comes before the first heading: the front matter
NOTE = "這一節的英文後來改過，中文還沒跟上；最新的內容請看英文版。"
KEY = "translated"
# `## Title { #anchor }`, after a comment sign in a notebook in the percent format.
HEADING = re.compile(r"(?P<comment># )?#{1,6} .*\{:? *#(?P<anchor>[\w-]+)[^}]*\}\s*")


def headings(lines: list[str]) -> dict[str, int]:
    """Return the index of the line of each heading, by anchor, in order."""
    found: dict[str, int] = {}
    for number, (line, is_code) in enumerate(outside_fences(lines)):
        if not is_code and (heading := HEADING.fullmatch(line)):
            found.setdefault(heading["anchor"], number)
    return found


def sections(text: str) -> dict[str, str]:
    """Return the text of each section by anchor, without empty lines around it."""
    lines = text.splitlines()
    starts = {TOP: 0, **headings(lines)}
    ends = [*starts.values(), len(lines)][1:]
    return {
        anchor: "\n".join(lines[start:end]).strip()
        for (anchor, start), end in zip(starts.items(), ends, strict=True)
    }


def digest(text: str) -> str:
    """Return a short hash of a section."""
    return hashlib.sha256(text.encode()).hexdigest()[:7]


def present(english: str) -> dict[str, str]:
    """Return the hashes of an English page's sections as they are now."""
    return {anchor: digest(text) for anchor, text in sections(english).items()}


def front_matter(text: str) -> tuple[list[str], int]:
    """Return the lines of a page's front matter, bare of comment signs, and where it ends."""
    lines = text.splitlines()
    bare = [line.removeprefix("# ") for line in lines]
    if bare[:1] == ["---"] and "---" in bare[1:]:
        end = bare.index("---", 1)
        return bare[1:end], end
    return [], 0


def recorded(chinese: str) -> dict[str, str]:
    """Return the hashes of the English sections that a Chinese page was made from."""
    lines, _ = front_matter(chinese)
    if not any(line.startswith(f"{KEY}:") for line in lines):
        return {}
    # The base loader reads no hash as a number.
    top = yaml.load("\n".join(lines), Loader=yaml.BaseLoader)
    return dict(top[KEY] or {})


def stale_sections(english: str, chinese: str) -> list[str]:
    """Return the anchors of sections that changed, came or went in English since translated."""
    now, then = present(english), recorded(chinese)
    return [anchor for anchor in now | then if now.get(anchor) != then.get(anchor)]


def mark(chinese: str, english: str) -> str:
    """Return the Chinese page with a note under the heading of each stale section.

    A section that only the English page has is told of in the section before it. A page that
    records nothing is taken for fresh: `make translations` lists it.
    """
    stale = {*stale_sections(english, chinese)} if recorded(chinese) else set()
    if not stale - {TOP}:
        return chinese
    lines = chinese.splitlines()
    starts = headings(lines)
    marked, before = set(), next(iter(starts), None)
    for anchor in [*sections(english), *starts]:
        before = anchor if anchor in starts else before
        if anchor in stale - {TOP} and before is not None:
            marked.add(starts[before])
    for number in sorted(marked, reverse=True):
        comment = "# " if lines[number].startswith("# #") else ""
        lines[number + 1 : number + 1] = [comment.strip(), f'{comment}!!! note "{NOTE}"']
    return "\n".join(lines) + "\n"


def with_record(chinese: str, hashes: dict[str, str]) -> str:
    """Return the page with these hashes in its front matter, in place of those it had."""
    lines = chinese.splitlines()
    kept, end = front_matter(chinese)
    if f"{KEY}:" in kept:
        start = kept.index(f"{KEY}:")
        stop = start + 1
        while stop < len(kept) and kept[stop].startswith(" "):
            stop += 1
        del kept[start:stop]
    kept += [f"{KEY}:", *(f"  {anchor}: {value}" for anchor, value in hashes.items())]
    comment = "# " if lines[:1] == ["# ---"] else ""
    rest = lines[end + 1 :] if end else lines
    front = [f"{comment}{line}" for line in ["---", *kept, "---"]]
    return "\n".join([*front, *rest]) + "\n"
