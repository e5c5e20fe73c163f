"""Commands on pages exist: of `transformer`, with their options, and of make; and so do files."""

import re
import shlex
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from itertools import takewhile
from pathlib import Path

from typer.core import TyperGroup
from typer.main import get_command

from docs.checks import Problem
from docs.checks.code import PLACEHOLDER
from docs.checks.pages import CODE, Page, page_files

PAGES = (Path("docs/en"), Path("docs/zh-TW"))
ROOT_PAGES = (Path("README.md"), Path("CONTRIBUTING.md"))
SHELL = {"bash", "console", "sh"}
FILE = re.compile(r"(?:benchmarks|docs|tests|transformer)/[\w./-]*")
EXAMPLE = re.compile(r"\b(?:PART|NAME|PAGE|NUMBER)\b")
TARGET = re.compile(r"^([\w-]+):", re.M)
END = {"|", ">", "<", "&&", ";"}  # of a command


def problems(root: Path) -> list[Problem]:
    """What readers are told to type, or to look at, and is not there."""
    targets = TARGET.findall((root / "Makefile").read_text("utf-8"))
    files = [path for folder in PAGES for path in page_files(root / folder)]
    files += [root / page for page in ROOT_PAGES if (root / page).exists()]
    found = []
    for path in files:
        for line, text in commands(Page.read(path)):
            for message in wrong(text, targets, root):
                found.append(Problem(path.relative_to(root), line, message))
    return sorted(set(found))


def commands(page: Page) -> Iterator[tuple[int, str]]:
    """Inline code, and the lines of shell blocks, those that go on joined."""
    for unit in page.units:
        yield from ((unit.line, span) for span in CODE.findall(unit.marked))
    for fence in page.fences:
        if fence.language in SHELL:
            joined = fence.code.replace("\\\n", "  ").splitlines()
            yield from ((fence.line + n, line) for n, line in enumerate(joined, 1))


def wrong(text: str, targets: list[str], root: Path) -> Iterator[str]:
    """What a command or a name of a file promises and does not keep."""
    if FILE.fullmatch(text) and not EXAMPLE.search(text) and not (root / text).exists():
        yield f"there is no {text}; mend the path"
    try:
        words = shlex.split(PLACEHOLDER.sub("PLACEHOLDER", text), comments=True)
    except ValueError:
        return  # code of another language
    words = [*takewhile(lambda word: word not in END, words)]
    program = next((n for n, word in enumerate(words) if "=" not in word and word != "$"), 0)
    if words[program : program + 1] == ["make"]:
        for word in words[program + 1 :]:
            if "=" not in word and word not in targets:
                yield f"make has no target {word}; write {nearest(word, targets)}"
    elif "transformer" in words and (text.startswith(("transformer ", "$ ")) or "-m" in words):
        yield from unknown(words[words.index("transformer") + 1 :])
    elif text.startswith("--") and words[0] not in set().union(*options().values()):
        known = sorted(set().union(*options().values()))
        yield f"no command has {words[0]}; write {nearest(words[0], known)}"


@cache
def options() -> dict[str, set[str]]:
    """The options of each command of `transformer`."""
    from transformer.cli import app

    group = get_command(app)
    assert isinstance(group, TyperGroup)
    own = {name for parameter in group.params for name in parameter.opts} | {"--help", "-h"}
    found = {"": own}
    for name, command in group.commands.items():
        parameters = command.params
        found[name] = own | {o for p in parameters for o in (*p.opts, *p.secondary_opts)}
    return found


def unknown(words: list[str]) -> Iterator[str]:
    """Commands and options of `transformer` that are not there."""
    command = next((word for word in words if not word.startswith("-")), "")
    if command not in options() and command != "…":
        yield f"transformer has no command {command}; write {nearest(command, options())}"
    for word in words if command in options() else ():
        name = word.partition("=")[0]
        if re.match(r"-+[a-z]", word) and name not in options()[command]:
            best = nearest(name, options()[command])
            yield f"transformer {command} has no option {name}; write {best}"


def nearest(name: str, known: object) -> str:
    """The one that was meant, or all there are."""
    names = sorted(filter(None, known)) if isinstance(known, set | dict | list) else []
    return (get_close_matches(name, names, n=1) or [", ".join(names)])[0]
