"""Every Python block of a page runs, top to bottom, and prints what the page says.

A page is one namespace. A block with `>>>` is compared as doctest does, numbers to the digits
shown; a `{ .text .output }` block is compared with what the Python block before it printed; in a
`console` block every `$ transformer …` runs, and what it prints is compared.
Nothing is passed over: a block that cannot run, or might be Python in disguise, fails.
"""

import contextlib
import io
import random
import re
import shlex
import traceback
from collections.abc import Callable, Iterator
from difflib import unified_diff
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, SKIP, DocTestParser, OutputChecker
from doctest import Example as DocTestExample
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import jaxtyping
import pytest
import torch
from sybil import Document, Example, Region, Sybil
from sybil.evaluators.doctest import NUMBER, DocTest, DocTestRunner
from sybil.evaluators.doctest import OutputChecker as NumberChecker
from sybil.example import SybilFailure

from docs.checks.pages import Fence, Page

NOT_RUN = {"bash", "bibtex", "css", "csv", "diff", "html", "ini", "javascript", "js"}
NOT_RUN |= {"json", "latex", "make", "markdown", "md", "sh", "svg", "tex", "text", "toml", "yaml"}
PROMPT = re.compile(r"^[ \t]*>>> ", re.M)
LOST = re.compile(
    r"[ \t>]*(?:>>> |(?:(?:[-*+]|\d+[.)])[ \t]+)?(?P<fence>`{3,}|~{3,})(?!.*(?P=fence)))"
)
PRINTED = "__printed__"


class Differs(str):
    """What differs, with the lines that the page shows and those that were printed."""

    shown: list[str]
    printed: list[str]

    def __new__(cls, message: str, shown: list[str], printed: list[str]) -> "Differs":
        differs = super().__new__(cls, message)
        differs.shown, differs.printed = shown, printed
        return differs


class Recorder(NumberChecker):
    """Compares, and keeps what was printed."""

    printed = ""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        self.printed = got
        return bool(super().check_output(want, got, optionflags))


@cache
def outside() -> tuple[int, bool]:
    """What pages may change and must not leave changed: torch's threads, shape enforcement."""
    return torch.get_num_threads(), jaxtyping.config.jaxtyping_disable


def fresh(namespace: dict[str, Any]) -> None:
    """Start a page from the same state, whatever ran before it."""
    threads, _ = outside()
    torch.set_default_dtype(torch.float32)
    torch.set_grad_enabled(True)
    torch.use_deterministic_algorithms(False)
    torch.set_num_threads(threads)
    torch.set_printoptions(profile="default")  # type: ignore[no-untyped-call]
    # Readers run without the enforcement of our tests, and see the package's own errors.
    jaxtyping.config.update("jaxtyping_disable", True)
    torch.manual_seed(0)
    random.seed(0)  # last: what is imported on the way may draw numbers
    namespace.clear()
    namespace["__name__"] = "__main__"  # classes of a page print as in the reader's interpreter


def leave(namespace: dict[str, Any]) -> None:
    """Put back what other tests rely on."""
    fresh(namespace)
    jaxtyping.config.update("jaxtyping_disable", outside()[1])


def parse(document: Document) -> Iterator[Region]:
    """The blocks of a page, for Sybil."""
    starts = [match.start() for match in re.finditer("^", document.text, re.M)]
    starts.append(len(document.text))

    def region(first: int, last: int, parsed: object, run: Callable[[Example], Any]) -> Region:
        """Lines `first` to `last` of the page."""
        return Region(starts[first - 1], starts[min(last, len(starts) - 1)], parsed, run)

    page = Page(document.text)
    for fence in page.fences:
        yield from (region(*block) for block in blocks(fence))
    for number, line in page.outside:
        if LOST.match(line):
            yield region(number, number, "this stands in no block: put fences on their own", fail)


def blocks(fence: Fence) -> Iterator[tuple[int, int, object, Callable[[Example], Any]]]:
    """First line, last line, content and evaluator of what is in a fence."""
    whole = fence.line, fence.end
    is_python, has_prompt = fence.language.startswith("py"), PROMPT.search(fence.code)
    if not fence.closed:
        yield *whole, "this block has no end: close it where it begins, equally indented", fail
    elif is_python and (has_prompt or "con" in fence.language):
        yield from session(fence)
    elif is_python:
        yield *whole, "\n" * fence.line + fence.code, run_python
    elif fence.language == "console":
        yield from shell(fence)
    elif fence.language not in NOT_RUN:
        yield *whole, f"{fence.language!r} is not a language that pages know; name one", fail
    elif has_prompt and fence.language not in {"markdown", "md"}:
        yield *whole, f"this {fence.language} block has a >>> prompt: call it pycon", fail
    elif ".output" in fence.info:
        yield *whole, fence.code, compare_output


def session(fence: Fence) -> Iterator[tuple[int, int, object, Callable[[Example], Any]]]:
    """The inputs of a `>>>` block, each with its output."""
    try:
        examples = DocTestParser().get_examples(fence.code)
    except ValueError as error:
        yield fence.line, fence.end, f"doctest cannot read this block: {error}", fail
        return
    if not examples:
        yield fence.line, fence.end, "this block has no >>> prompt: call it python", fail
    for example in examples:
        first = fence.line + 1 + example.lineno
        last = first + (example.source + example.want).count("\n") - 1
        if example.options.get(SKIP):
            yield first, last, "this would be skipped: leave out the SKIP option", fail
        else:
            yield first, last, example, run_session


def shell(fence: Fence) -> Iterator[tuple[int, int, object, Callable[[Example], Any]]]:
    """The commands of a console block, each with what it prints."""
    lines = fence.code.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    if not starts or starts[0] > 0:
        yield fence.line, fence.end, "a console block starts with a command: $ transformer …", fail
        return
    for start, end in pairwise([*starts, len(lines)]):
        first, last = fence.line + 1 + start, fence.line + end
        _, program, *arguments = shlex.split(lines[start])
        if program == "transformer" and not {"|", "<", ">"} & set(arguments):
            yield first, last, (arguments, "\n".join(lines[start + 1 : end])), run_command
        else:
            yield first, last, "only transformer runs here: put other commands into bash", fail


def fail(example: Example) -> str:
    return str(example.parsed)


def run_session(example: Example) -> str:
    return compare_session(example.parsed, example.namespace)


def compare_session(example: DocTestExample, namespace: dict[str, Any]) -> str:
    """Run one input, and compare what it prints."""
    runner = DocTestRunner(ELLIPSIS | NORMALIZE_WHITESPACE | NUMBER)
    runner._checker = recorder = Recorder()  # type: ignore[attr-defined]
    said: list[str] = []
    test = DocTest([example], namespace, "", None, example.lineno, None)
    runner.run(test, clear_globs=False, out=said.append)
    message = "".join([example.source, *said])
    if not said or example.exc_msg or "Exception raised" in message:
        return message if said else ""
    printed = [line.rstrip() or "<BLANKLINE>" for line in recorder.printed.splitlines()]
    return Differs(message, example.want.splitlines(), printed)


def run_command(example: Example) -> str:
    """Run a command in a terminal 80 columns wide, and compare what it prints."""
    from transformer.cli import main

    arguments, shown = example.parsed
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(SystemExit):
        patch.setenv("COLUMNS", "80")
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            main(arguments)
    said = "\n".join(line.rstrip() for line in printed.getvalue().strip("\n").splitlines())
    if OutputChecker().check_output(shown + "\n", said + "\n", ELLIPSIS):
        return ""
    return difference(shown.splitlines(), said.splitlines())


def run_python(example: Example) -> str:
    """Run a block without prompts and keep what it prints."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            code = compile(example.parsed, example.path, "exec", dont_inherit=True)
            exec(code, example.namespace)
    except Exception as error:
        place = error.__traceback__.tb_next if error.__traceback__ else None
        return "".join(traceback.format_exception(type(error), error, place))
    finally:
        example.namespace[PRINTED] = printed.getvalue()
    return ""


def compare_output(example: Example) -> str:
    shown, printed = (
        [line.rstrip() for line in str(text).strip("\n").splitlines()]
        for text in (example.parsed, example.namespace.get(PRINTED))
    )
    if shown == printed:
        return ""
    if PRINTED not in example.namespace:
        return "there is no Python block before this output"
    return difference(shown, printed)


def difference(shown: list[str], printed: list[str]) -> str:
    """What the page says and what was printed, line against line."""
    lines = unified_diff(shown, printed, "the page says", "this was printed", lineterm="", n=1)
    return Differs("\n".join(["the output differs:", *lines]), shown, printed)


def sybil(folder: str, **options: Any) -> Sybil:
    """What a conftest collects pages with."""
    return Sybil([parse], path=folder, setup=fresh, teardown=leave, **options)


def failures(path: Path) -> Iterator[tuple[Example, str]]:
    """Run a page from top to bottom as its test does; yield what fails, and how."""
    document = Document.parse(str(path), parse)
    fresh(document.namespace)
    for example in document.examples():
        try:
            example.evaluate()
        except SybilFailure as failure:
            yield example, failure.result
    leave(document.namespace)
