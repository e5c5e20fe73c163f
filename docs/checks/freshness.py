"""List what is to be translated anew, and record what was: nothing here fails a run.

`python -m docs.checks.freshness` prints the sections of Chinese pages whose English changed, with
the change where git remembers it, and what the catalogue lacks. `… reviewed PAGE[#ANCHOR] …`
records in the front matter of a Chinese page that it says the same as the English page now.
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
from docs.checks.pages import page_files

ENGLISH, CHINESE = Path("docs/en"), Path("docs/zh-TW")


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


def reviewed(root: Path, targets: list[str]) -> int:
    """Record the English of today for these pages or sections."""
    for target in targets:
        name, _, anchor = target.partition("#")
        for folder in (ENGLISH, CHINESE):
            name = name.removeprefix(f"{folder.as_posix()}/")
        found = [name] if Path(name).suffix else [f"{name}.md", f"{name}.py"]
        page = next((p for p in found if (root / CHINESE / p).is_file()), None)
        if page is None:
            print(f"no such page in {CHINESE}: {target}", file=sys.stderr)
            return 2
        path = root / CHINESE / page
        text = path.read_text("utf-8")
        now, then = present((root / ENGLISH / page).read_text("utf-8")), recorded(text)
        if anchor and anchor not in now | then:
            print(f"no such section: {target}", file=sys.stderr)
            return 2
        chosen = {anchor} if anchor else {*now, *then}
        kept = {key: value for key, value in then.items() if key not in chosen}
        record = kept | {key: now[key] for key in chosen if key in now}
        ordered = [*filter(record.get, now), *(key for key in kept if key not in now)]
        path.write_text(with_record(text, {key: record[key] for key in ordered}), "utf-8")
    return 0


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Print what is stale, or record what is not."""
    if arguments[:1] == ["reviewed"] and len(arguments) > 1:
        return reviewed(root, arguments[1:])
    if arguments:
        print("usage: python -m docs.checks.freshness [reviewed PAGE …]", file=sys.stderr)
        return 2
    show(root)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
