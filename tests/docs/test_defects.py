"""The checks bite: what is planted in a copy of this repository is named where it stands."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from docs.checks import Problem, catalogue, chinese, glossary, links, pairs, raises, sections

ROOT = Path(__file__).parents[2]
ENGLISH, CHINESE = "docs/en/components/*.md", "docs/zh-TW/components/*.md"
PO = "docs/locales/zh-TW.po"
FIGURE = r"^<!-- figure: (\w+) -->$"
PACKAGE_ENTRY = r'^msgctxt "transformer"\nmsgid ".+"\nmsgstr "(.+)"$'

Check = Callable[[Path], list[Problem]]


class Place(NamedTuple):
    """Where something stands, seen from the root, and what was found there."""

    file: Path
    line: int
    match: re.Match[str]


def find(root: Path, files: str, pattern: str) -> Place:
    """Where the pattern's last group first matches in the files."""
    for path in sorted(root.glob(files)):
        if match := re.search(pattern, path.read_text("utf-8"), re.M):
            start = match.start(match.lastindex or 0)
            return Place(path.relative_to(root), match.string.count("\n", 0, start) + 1, match)
    pytest.fail(f"nothing in {files} is like {pattern!r}: change the pattern of this test")


def plant(root: Path, files: str, pattern: str, new: str) -> Place:
    """Replace the pattern's last group where it first matches in the files."""
    place = find(root, files, pattern)
    start, end = place.match.span(place.match.lastindex or 0)
    text = place.match.string
    (root / place.file).write_text(text[:start] + new + text[end:], "utf-8")
    return place


def expect(found: list[Problem], file: Path, line: int, message: str) -> None:
    """Fail unless a problem stands there and says this."""
    hit = any((p.file, p.line) == (file, line) and message in p.message for p in found)
    assert hit, "\n".join(map(str, [Problem(file, line, f"…{message}…"), "is not in", *found]))


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository, with its Chinese recorded as up to date."""
    root = tmp_path_factory.mktemp("defects")
    for folder in ("docs", "tests", "transformer"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy(path, root)
    assert sections.main(["reviewed", "--all"], root) == 0
    return root


@pytest.fixture(scope="module")
def known(clean: Path) -> Callable[[Check], set[Problem]]:
    """What a check finds before anything is planted."""
    return cache(lambda check: set(check(clean)))


@pytest.fixture
def root(clean: Path, tmp_path: Path) -> Path:
    """A copy to plant defects in."""
    return shutil.copytree(clean, tmp_path / "repository")


@pytest.fixture
def fresh(root: Path, known: Callable[[Check], set[Problem]]) -> Callable[[Check], list[Problem]]:
    """What a check finds in the copy since something was planted there."""
    return lambda check: sorted(set(check(root)) - known(check))


DEFECTS: dict[str, tuple[Check, str, str, str, str]] = {
    "a Chinese code line edited": (
        *(pairs.problems, CHINESE, r"^>>> (\w+) = torch", "renamed"),
        "this code differs from the English page's by more than comments and text; there it is: ",
    ),
    "a cell of a Chinese notebook edited": (
        *(pairs.problems, "docs/zh-TW/practice/*.py", r"^# %%\n()\w+ = ", "import math\n"),
        "this code differs from the English page's by more than comments and text; there it is: ",
    ),
    "a description that is not YAML": (
        *(pairs.problems, CHINESE, r"^description: (.+)$", "a colon: as in code"),
        "YAML cannot read this: put the text into quotes",
    ),
    "a heading level changed": (
        *(pairs.problems, CHINESE, r"^(##) .*\{ #", "###"),
        "the English page has ## … { #",
    ),
    "an anchor renamed in one language": (
        *(pairs.problems, CHINESE, r"^## .*\{ #([\w-]+) \}", "renamed"),
        "the English page has ## … { #",
    ),
    "a formula changed in one language": (
        *(pairs.problems, CHINESE, r"^\$\$(.+)\$\$$", "x = y"),
        "the formula '$$x = y$$' is not in the English section, line ",
    ),
    "a Simplified character": (
        *(chinese.problems, CHINESE, "(個)", "个"),
        "write 個, not 个",
    ),
    "a Mainland term": (
        *(chinese.problems, CHINESE, "[一-鿿](，)", "與數據，"),
        "write 資料, not 數據",
    ),
    "half-width punctuation": (
        *(chinese.problems, CHINESE, "[一-鿿](，)[一-鿿]", ","),
        "half-width ',' beside Chinese",
    ),
    "a space left out": (
        *(chinese.problems, CHINESE, "[一-鿿]( )[A-Za-z]", ""),
        "put a space between Chinese and Latin letters",
    ),
    "a broken anchor": (
        *(links.problems, ENGLISH, r"\]\([\w./-]+\.md#([\w-]+)\)", "nowhere"),
        "#nowhere: no heading of that page has this anchor; mend one",
    ),
    "a link to no object": (
        *(links.problems, ENGLISH, r"\]\[transformer\.model\.\w+\.(\w+)\]", "nowhere"),
        ".nowhere does not exist; name a public object of the package",
    ),
    "a docstring edited": (
        *(catalogue.problems, "transformer/*.py", r'^class [A-Z].*:\n    """(\w+)', "New"),
        f"is not in {PO}: run `make translations`, then fill in its msgstr",
    ),
    "a term misspelt": (
        *(glossary.problems, "docs/glossary.csv", r"^(attention),", "atention"),
        "atention stands on no English page; write the term as the pages do",
    ),
    "a term without its sentence": (
        *(glossary.problems, "docs/glossary.csv", r'^attention,注意力,,,,,("[^"]+"),', ""),
        "sentence_en empty; fill it",
    ),
    "an error that is never raised": (
        *(raises.problems, "transformer/arguments.py", r"^ +(ValueError): ", "KeyError"),
        "nothing that it calls raises KeyError; mend the docstring",
    ),
    "a figure label without translation": (
        *(catalogue.problems, "docs/figures/*.py", r'\bt\("([^"{}]+)"\)', "a new label"),
        f"“a new label”: is not in {PO}: run `make translations`, then fill in its msgstr",
    ),
}


@pytest.mark.parametrize(
    ("check", "files", "pattern", "new", "message"), DEFECTS.values(), ids=DEFECTS
)
def test_a_defect_is_named_where_it_stands(
    root: Path,
    fresh: Callable[[Check], list[Problem]],
    check: Check,
    files: str,
    pattern: str,
    new: str,
    message: str,
) -> None:
    file, line, _ = plant(root, files, pattern, new)
    expect(fresh(check), file, line, message)


@pytest.mark.parametrize(
    ("files", "message"),
    [(CHINESE, "missing: translate {}"), (ENGLISH, "there is no {}: remove this file or write")],
    ids=["zh-TW", "en"],
)
def test_a_dropped_page(
    root: Path, fresh: Callable[[Check], list[Problem]], files: str, message: str
) -> None:
    path = min(root.glob(files))
    path.unlink()
    english, translation = (f"docs/{folder}/components/{path.name}" for folder in ("en", "zh-TW"))
    expect(fresh(pairs.problems), Path(translation), 1, message.format(english))


def test_an_english_sentence_edited(root: Path, fresh: Callable[[Check], list[Problem]]) -> None:
    file, _, match = plant(root, ENGLISH, r"^##+ .*\{ #([\w-]+) \}\n\n([A-Z]\w*) ", "Nobody")
    expect_stale(fresh(sections.problems), root, f"components/{file.name}", match[1])


def test_a_stale_section_record(root: Path, fresh: Callable[[Check], list[Problem]]) -> None:
    entry = r'"(components/.+\.md)": \{\n(?:.*,\n)*? +"([\w-]+)": "(\w+)"'
    _, _, match = plant(root, str(sections.RECORD), entry, "0123456789ab")
    expect_stale(fresh(sections.problems), root, match[1], match[2])


def expect_stale(found: list[Problem], root: Path, page: str, anchor: str) -> None:
    """Fail unless this section, and no other, is to be translated anew."""
    file, line, _ = find(root, f"docs/zh-TW/{page}", rf"^#.*\{{ #{anchor} \}}")
    assert len(found) == 1, found
    advice = f"or mend the English, then run: {sections.COMMAND}{page}#{anchor}"
    expect(found, file, line, advice)


def test_a_translation_missing(root: Path, fresh: Callable[[Check], list[Problem]]) -> None:
    line = plant(root, PO, PACKAGE_ENTRY, "").line - 2  # the entry begins with its context
    message = f"has no translation: fill in its msgstr at {PO}:{line}"
    expect(fresh(catalogue.problems), Path("transformer/__init__.py"), 1, message)


def test_a_translation_of_what_was_said_before(
    root: Path, fresh: Callable[[Check], list[Problem]]
) -> None:
    file, line, _ = plant(root, "transformer/*.py", r'\A"""(\w+)', "New")
    catalogue.update(root)
    expect(fresh(catalogue.problems), file, line, f"changed: mend its translation at {PO}:")


def test_a_public_name_missing_from_the_api_pages(
    root: Path, fresh: Callable[[Check], list[Problem]]
) -> None:
    file, *_ = plant(
        root, "docs/en/reference/api/model/masks.md", r"^::: transformer\.model\.masks$", ""
    )
    message = "causal_mask is documented nowhere: add `::: transformer.model.masks` here"
    expect(fresh(links.problems), file, 1, message)


def test_a_figure_without_alternative_text(
    root: Path, fresh: Callable[[Check], list[Problem]]
) -> None:
    file, line, match = find(root, ENGLISH, FIGURE)
    drawing = plant(root, f"docs/figures/{match[1]}.py", "^(ALT) = ", "TITLE").file
    message = f"{drawing.as_posix()} has no ALT; say there what the picture shows"
    expect(fresh(links.problems), file, line, message)


@pytest.mark.process
def test_code_that_no_longer_does_what_is_shown(root: Path) -> None:
    """A parameter renamed, a default changed, a wrong output in a docstring and on a page."""
    house, tour = "docs/en/start/architecture.md", "docs/en/start/pytorch-in-ten-minutes.md"
    masks, normalization = "transformer/model/masks.py", "transformer/model/normalization.py"
    plant(root, "transformer/model/config.py", r"def base\(cls, (vocab_size)", "size")
    plant(root, normalization, "eps: float = (1e-5)", "0.5")
    plant(root, masks, r">>> padding_mask.*\n.*(True)", "Maybe")
    plant(root, tour, r"^>>> .*\ntorch\.Size\(\[(\d+)", "99")
    house_line = find(root, house, r"^>>> .*\.base\(vocab_size=").line
    tour_line = find(root, tour, r"^>>> .*\ntorch\.Size\(\[99").line
    masks_line = find(root, masks, ">>> padding_mask").line
    normalization_line = find(root, normalization, ">>> explicit_layer_norm").line
    expect_failure(
        root,
        ["pytest", "-p", "no:cacheprovider", house, tour, masks, normalization],
        rf"{house}, line {house_line}, column 1 did not evaluate as expected",
        "TypeError: .* unexpected keyword argument 'vocab_size'",
        rf"{tour}, line {tour_line}, column 1 did not evaluate as expected",
        rf"{masks}:{masks_line}: DocTestFailure",
        rf"{normalization}:{normalization_line}: DocTestFailure",
    )


@pytest.mark.process
def test_what_is_said_of_project_measurements_and_figures(root: Path) -> None:
    """A version, an extra, a dependency, a command; a ratio, a verdict, a score; a picture."""
    setup, listed = "docs/en/start/setup.md", "docs/en/reference/contributing.md"
    bench, figures = "docs/measured/bench.json", "docs/figures"
    version = plant(root, "README.md", r"^With Python 3\.(11)", "12")
    extra = plant(root, setup, r'^pip install .*-e "\.\[(\w+)\]"', "devel")
    plant(root, listed, r"^\| `(sacrebleu)` \|", "sacreblue")
    plant(root, "README.md", r"^make (serve)   # [一-鿿]", "server")
    plant(root, bench, r'"ratio": (\d[\d.]*)', "9.5")
    plant(root, bench, r'"at_least": \d[\d.]*, "ratio": [\d.]+, "met": (true)', "false")
    plant(root, "CHANGELOG.md", r"\((\d\.\d) million parameters", "1.9")
    colour = plant(root, f"{figures}/[a-z]*.py", r"color=(\w+)", '"#ff0000"')
    plant(root, f"{figures}/parameter_share.py", r"^SMALL = [^)]*d_model=(\d+)", "128")
    plant(root, f"{figures}/decoding_speed.py", r"\b(t\(\"[^\"]*\"\))", '"two words"')
    tests = [f"tests/docs/test_{name}.py" for name in ("project", "measured", "figures")]
    # The two that are wrong; to draw and to claim all others takes a minute.
    some = "parameter_share or decoding_speed or not (every_word or claims)"
    expect_failure(
        root,
        ["pytest", "-p", "no:cacheprovider", "-k", some, *tests],
        rf"README\.md:{version.line}: Python 3\.12 should be 3\.11, as in pyproject\.toml",
        rf"{setup}:{extra.line}: \.\[devel\]: write ",
        rf"{listed}:\d+: missing \{{'sacrebleu'\}}, needless \{{'sacreblue'\}}",
        r"README\.md:\d+: the English half has \['make serve",
        r"run `make bench`, never edit bench\.json\n.*9\.5 ==",
        r"run `make bench`, never edit bench\.json\n.*False is True",
        r"CHANGELOG\.md, the shipped model: write 1\.1 million parameters",
        rf"{colour.file}:{colour.line}: .*take a colour of docs/figures/_style\.py",
        rf"{figures}/parameter_share\.py says, but its data do not: 0\.7 million",
        rf"{figures}/decoding_speed\.py: write t\('two words'\), so that it is translated",
    )


@pytest.mark.build
@pytest.mark.usefixtures("built")  # what is not edited need not be drawn again
def test_the_strict_build_fails(root: Path) -> None:
    """Objects, trees and figures that are not there, and texts without translation."""
    ignored = shutil.ignore_patterns("*.partial")
    shutil.copytree(ROOT / ".cache/site", root / ".cache/site", ignore=ignored)
    section = find(root, "mkdocs.yml", r"^  - ([A-Z]\w*):$").match[1]
    drawn = find(root, CHINESE, FIGURE).match[1]
    label = '__import__("transformer").__file__'  # tells which package it draws from
    plant(root, f"docs/figures/{drawn}.py", r'\bt\(("[^"{}]+")\)', label)
    plant(root, ENGLISH, FIGURE, "no_figure")
    plant(root, "docs/*/assembly/*.md", r"^<!-- calltree: (\w+) -->$", "no_tree")
    plant(root, ENGLISH, r"^<!-- source: transformer\.[\w.]+\.(\w+) -->$", "no_code")
    plant(root, "docs/en/practice/translate.py", r"\]\((\.\./[\w/-]+)\.md\)", "nowhere")
    plant(root, PO, rf'^msgctxt "nav"\nmsgid "{section}"\nmsgstr "(.+)"$', "")
    plant(root, PO, PACKAGE_ENTRY, "")
    package = re.escape(str(root / "transformer/__init__.py"))
    warnings = [
        rf"zh-TW\.po: figure:{drawn}: '{package}': it has no translation",
        r"figure: no_figure -->: there is no docs/figures/no_figure\.py; ",
        r"calltree: no_tree -->: docs/builder/recorded_runs\.py has no such run; ",
        r"source: transformer\.[\w.]+\.no_code -->: the package has no such function or class",
        r"'practice/translate\.py' contains a link 'nowhere\.md', but the target",
        rf"zh-TW\.po: nav: '{section}': it has no translation",
        r"zh-TW\.po: transformer: '.+': it has no translation",
    ]
    messages = (f"WARNING .*{warning}" for warning in warnings)
    expect_failure(root, ["mkdocs", "build", "--strict"], *messages)


def expect_failure(root: Path, arguments: list[str], *messages: str) -> None:
    """Fail unless the copy's own docs and package make Python say all this, and fail."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root), "NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    missing = [message for message in messages if not re.search(message, done.stdout)]
    assert (done.returncode, missing) == (1, []), done.stdout
