"""Which Chinese sections were made from an English text that has changed since."""

import argparse
import difflib
import hashlib
import json
import subprocess
import sys
from pathlib import Path

from docs.checks import Problem
from docs.checks.pages import Page, page_files

RECORD = Path("docs/locales/sections.json")
ENGLISH, CHINESE = Path("docs/en"), Path("docs/zh-TW")
COMMAND = "make reviewed PAGE="
Hashes = dict[str, dict[str, str]]  # page -> anchor -> hash of the English text


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def present(root: Path) -> Hashes:
    """The hashes of the English pages as they are now."""
    return {
        path.relative_to(root / ENGLISH).as_posix(): {
            section.anchor: digest(section.text) for section in Page.read(path).sections
        }
        for path in page_files(root / ENGLISH)
    }


def recorded(root: Path) -> Hashes:
    """The hashes of the English texts that the Chinese was made from."""
    path = root / RECORD
    try:
        hashes: Hashes = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except json.JSONDecodeError as error:
        raise ValueError(f"{RECORD} is not JSON (a merge conflict?): {error}") from error
    return hashes


def stale(root: Path) -> list[tuple[str, str | None, str]]:
    """(page, anchor, what is wrong) for all there is to look at; no anchor is a whole page."""
    now, then = present(root), recorded(root)
    found: list[tuple[str, str | None, str]] = []
    for page in sorted(now | then):
        if page not in then:
            found.append((page, None, "is not recorded as translated: translate it"))
            continue
        for anchor in now.get(page, {}) | then[page]:
            new, old = now.get(page, {}).get(anchor), then[page].get(anchor)
            if old is None:
                found.append((page, anchor, "is not recorded as translated: translate it"))
            elif new is None:
                found.append((page, anchor, "is gone from the English: remove the Chinese too"))
            elif new != old:
                why = (
                    "changed in English after it was translated (`make translations` shows how): "
                    "bring the Chinese up to date, or mend the English"
                )
                found.append((page, anchor, why))
    return found


def target(page: str, anchor: str | None) -> str:
    """What names a section on the command line."""
    return page if anchor is None else f"{page}#{anchor}"


def problems(root: Path) -> list[Problem]:
    """Sections to translate anew, at their places on the Chinese page."""
    found = []
    for page, anchor, why in stale(root):
        path = root / CHINESE / page
        sections = Page.read(path).sections if path.exists() else []
        line = next((section.line for section in sections if section.anchor == anchor), 1)
        name = target(page, anchor)
        found.append(Problem(CHINESE / page, line, f"{name} {why}, then run: {COMMAND}{name}"))
    return found


def translated_text(root: Path, page: str, anchor: str | None) -> str | None:
    """The English text that the Chinese was made from, if git remembers it."""
    wanted = recorded(root).get(page, {}).get(anchor or "")
    path = ENGLISH / page
    for commit in git(root, "log", "--format=%H", "--", path.as_posix()).split():
        text = git(root, "show", f"{commit}:{path.as_posix()}")
        for section in Page.parse(path, text).sections:
            if section.anchor == anchor and digest(section.text) == wanted:
                return section.text
    return None


def git(root: Path, *arguments: str) -> str:
    """What git prints; nothing where there is no git or no history."""
    try:
        run = subprocess.run(["git", *arguments], cwd=root, capture_output=True, encoding="utf-8")
    except OSError:
        return ""
    return run.stdout if run.returncode == 0 else ""


def show(root: Path) -> int:
    """Print every section to look at, with what changed in its English."""
    found = stale(root)
    for page, anchor, why in found:
        print(target(page, anchor), why)
        old = translated_text(root, page, anchor)
        path = root / ENGLISH / page
        sections = Page.read(path).sections if path.exists() else []
        new = next((section.text for section in sections if section.anchor == anchor), "")
        if old is not None:
            lines = old.splitlines(), new.splitlines()
            names = "English that was translated", "English now"
            print(*difflib.unified_diff(*lines, *names, lineterm=""), sep="\n")
    return 1 if found else 0


def reviewed(root: Path, targets: list[str]) -> int:
    """Record the present hashes of pages or sections; every page's if no target is named."""
    now, record = present(root), recorded(root)
    for name in targets:
        page, _, anchor = name.partition("#")
        page = page.removeprefix("docs/").removeprefix("en/").removeprefix("zh-TW/")
        new, old = now.get(page, {}), record.get(page, {})
        if not new | old or ("#" in name and anchor not in new | old):
            message = f"no such page or section in {ENGLISH}: {name}; nothing was recorded"
            print(message, file=sys.stderr)
            return 2
        changed = {anchor} if "#" in name else {*new, *old}
        kept = {key: value for key, value in old.items() if key not in changed}
        record[page] = kept | {key: new[key] for key in changed if key in new}
    write(root, record if targets else now)
    return 0


def write(root: Path, record: Hashes) -> None:
    """Replace the record in one step; pages without sections left are dropped."""
    path = root / RECORD
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({k: v for k, v in record.items() if v}, indent=2, sort_keys=True)
    draft = path.with_suffix(".tmp")
    draft.write_text(text + "\n", encoding="utf-8")
    draft.replace(path)


def main(arguments: list[str], root: Path = Path(__file__).parents[2]) -> int:
    parser = argparse.ArgumentParser(prog="python -m docs.checks.sections", description=__doc__)
    commands = parser.add_subparsers(dest="command")
    record = commands.add_parser("reviewed", help="record that the Chinese is up to date")
    record.add_argument("targets", nargs="*", metavar="PAGE[#ANCHOR]")
    record.add_argument("--all", action="store_true", help="every section of every page")
    options = parser.parse_args(arguments)
    if options.command is None:
        return show(root)
    if options.all == bool(options.targets):
        record.error("name pages or sections, or give --all")
    return reviewed(root, options.targets)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
