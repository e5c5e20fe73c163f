"""List what is to be translated anew, and record what was: nothing here fails a run.

`python -m docs.checks.freshness` prints the sections of Chinese pages whose English changed, with
the change where git remembers it. `… reviewed PAGE[#ANCHOR] …` records in the front matter of a
Chinese page that it says the same as the English page now.
"""

import difflib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from docs.builder.freshness import (
    digest,
    present,
    recorded,
    sections,
    stale_sections,
    with_record,
)
from docs.builder.translations import ROOT
from docs.checks.pages import CHINESE, ENGLISH, named, page_files


def stale(root: Path) -> Iterator[tuple[str, str]]:
    """Yield page and anchor of every section whose English changed since it was translated.

    A page that records nothing comes once, without an anchor.
    """
    for path in page_files(root / CHINESE):
        page = path.relative_to(root / CHINESE)
        english = root / ENGLISH / page
        if english.exists():
            both = english.read_text("utf-8"), path.read_text("utf-8")
            anchors = stale_sections(*both) if recorded(both[1]) else [""]
            yield from ((page.as_posix(), anchor) for anchor in anchors)


def translated_text(root: Path, page: str, anchor: str) -> str | None:
    """Return the English text that the Chinese was made from, if git remembers it."""
    wanted = recorded((root / CHINESE / page).read_text("utf-8")).get(anchor)
    path = (ENGLISH / page).as_posix()
    for commit in git(root, "log", "--format=%H", "--", path).split() if wanted else ():
        text = sections(git(root, "show", f"{commit}:{path}")).get(anchor)
        if text is not None and digest(text) == wanted:
            return text
    return None


def git(root: Path, *arguments: str) -> str:
    """Return what git prints; nothing where there is no git or no history."""
    try:
        run = subprocess.run(["git", *arguments], cwd=root, capture_output=True, encoding="utf-8")
    except OSError:
        return ""
    return run.stdout if run.returncode == 0 else ""


def show(root: Path) -> None:
    """Print every stale section with what changed in its English, then how many there are."""
    count = 0
    for page, anchor in stale(root):
        count += 1
        print(f"{page}#{anchor}" if anchor else f"{page} (nothing is recorded)")
        old = translated_text(root, page, anchor)
        new = sections((root / ENGLISH / page).read_text("utf-8")).get(anchor, "")
        if old is not None:
            lines = old.splitlines(), new.splitlines()
            names = "English that was translated", "English now"
            print(*difflib.unified_diff(*lines, *names, lineterm=""), sep="\n")
    print(f"{count} sections to translate anew")
    if count:
        print('when the Chinese says the same again: make reviewed PAGE="page.md#anchor …"')


def reviewed(root: Path, target: str) -> None:
    """Record the English of today for a page or a section."""
    words, _, anchor = target.partition("#")
    page = named(root, words)
    path = root / CHINESE / page
    if not path.is_file():
        sys.exit(f"there is no such page in {CHINESE}: {target}")
    text = path.read_text("utf-8")
    now, then = present((root / ENGLISH / page).read_text("utf-8")), recorded(text)
    if anchor and anchor not in now | then:
        sys.exit(f"there is no such section: {target}")
    hashes = {name: (then if anchor not in ("", name) else now).get(name) for name in now | then}
    path.write_text(with_record(text, {name: h for name, h in hashes.items() if h}), "utf-8")


def main(arguments: list[str], root: Path = ROOT) -> None:
    """Print what is stale, or record what is not."""
    if not arguments:
        show(root)
    for target in arguments[1:]:
        reviewed(root, target)


if __name__ == "__main__":
    main(sys.argv[1:])
