"""The sources have no problem, and each check names what is planted in a copy of them."""

import re
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from subprocess import run

import pytest

from docs.checks import (
    Problem,
    catalogue,
    chinese,
    commands,
    docstrings,
    glossary,
    links,
    pairs,
    papers,
    reading_order,
)
from docs.checks.__main__ import OTHERS, PAGES, main

ROOT = Path(__file__).parents[2]
PAGE = "components/masks"
ENGLISH, CHINESE = f"docs/en/{PAGE}.md", f"docs/zh-TW/{PAGE}.md"
COPIED = ("docs/en", "docs/zh-TW", "docs/locales", "docs/assets/scripts/playground", "transformer")

Check = Callable[..., Iterable[Problem]]


def check_name(check: Check) -> str:
    return check.__module__.rpartition(".")[2]


@pytest.mark.parametrize("check", [*PAGES, *OTHERS], ids=check_name)
def test_the_sources_have_no_problem(check: Check) -> None:
    found = sorted(check(ROOT))
    assert not found, "\n".join(map(str, found))


def test_no_check_imports_torch() -> None:
    code = "import sys, docs.checks.__main__; sys.exit('torch' in sys.modules)"
    assert run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources."""
    root = tmp_path_factory.mktemp("sources")
    for folder in COPIED:
        ignored = shutil.ignore_patterns("__pycache__", "*.safetensors")
        shutil.copytree(ROOT / folder, root / folder, ignore=ignored)
    for name in ("Makefile", "README.md", "mkdocs.yml", "docs/glossary.csv", "docs/words.csv"):
        shutil.copy(ROOT / name, root / name)
    for name in ("tests", "benchmarks", "docs/builder", "docs/figures", "docs/checks"):
        (root / name).symlink_to(ROOT / name)
    return root


@pytest.fixture
def plant(clean: Path) -> Iterable[Callable[[str, str, str], None]]:
    """Return what replaces the last group of a pattern in a file, until the test ends."""
    before: dict[Path, str] = {}

    def replace(file: str, pattern: str, new: str) -> None:
        path = clean / file
        text = before[path] = path.read_text("utf-8")
        match = re.search(pattern, text, re.M)
        assert match, f"nothing in {file} is like {pattern!r}: change the pattern of this test"
        start, end = match.span(match.lastindex or 0)
        path.write_text(text[:start] + new + text[end:], "utf-8")

    yield replace
    for path, text in before.items():
        path.write_text(text, "utf-8")


AFTER_TITLE = r"^# .*\n()"  # where a sentence of its own can be added
SENTENCES: list[tuple[Check, str, str, str]] = [
    (pairs.problems, CHINESE, "共 98765 個。", "98765 is nowhere in the English section"),
    (pairs.problems, CHINESE, "共 $x_{77}$ 個。", "the formula '$x_{77}$' is not in the English"),
    (pairs.problems, CHINESE, "見[這裡](nowhere.md)。", "the link to 'nowhere.md' is not in"),
    (pairs.problems, CHINESE, "一段。", "paragraphs, the English one"),
    (pairs.problems, CHINESE, "<!-- figure: heat -->", "'figure: heat' should be"),
    (chinese.problems, CHINESE, "一个詞。", "write 個, not 个"),
    (chinese.problems, CHINESE, "這是數據。", "write 資料, not 數據"),
    (chinese.problems, CHINESE, "這裡有打印的默認值。", "write 預設, not 默認"),
    (chinese.problems, CHINESE, "這裡有符元和補白。", "write 詞元, not 符元"),
    (chinese.problems, CHINESE, "先看,再想。", "half-width ',' beside Chinese"),
    (chinese.problems, CHINESE, "共3 個。", "put a space between Chinese and Latin"),
    (chinese.problems, CHINESE, "A sentence that stayed English.", "this is not Chinese"),
    (
        chinese.problems,
        CHINESE,
        "這裡用到教師強制。",
        "first use of 教師強制 on this page",
    ),
    (reading_order.problems, ENGLISH, "Beam search finds it.", "beam search is explained in"),
    (reading_order.problems, CHINESE, "這裡用到集束搜尋。", "集束搜尋 is explained in"),
    (links.problems, ENGLISH, "See [Decoding](masks.md).", "is the title of decoding.md, but"),
    (links.problems, ENGLISH, "[It](../practice/playground.md#gohst=1)", "knows no gohst"),
    (links.problems, "README.md", "[It](docs/gone.md)", "there is no file docs/gone.md"),
    (commands.problems, ENGLISH, "`transformer train --stpes 3`", "no command has the option --st"),
    (commands.problems, ENGLISH, "`transformer tarin runs/a`", "no command tarin; write train"),
    (commands.problems, ENGLISH, "`make srve`", "make has no target srve; write serve"),
    (commands.problems, ENGLISH, "`docs/gone.py`", "there is no docs/gone.py"),
    (papers.problems, ENGLISH, "Label smoothing (§5.3).", "§5.3 is about"),
    (papers.problems, ENGLISH, "Dropout (§5.5).", "the paper has no §5.5"),
    (papers.problems, ENGLISH, "(Bahdanau et al., 2015)", "Bahdanau 2015 should be 2014"),
    (papers.problems, ENGLISH, "[Adam](https://arxiv.org/abs/1706.03762)", "1706.03762 is Atten"),
    (
        papers.problems,
        ENGLISH,
        "[Attention Is All You Need](https://arxiv.org/abs/1706.03762), §6.1.",
        "nothing above cites",
    ),
]


@pytest.mark.parametrize(("check", "file", "text", "message"), SENTENCES)
def test_a_planted_sentence_is_named(
    clean: Path,
    plant: Callable[[str, str, str], None],
    check: Check,
    file: str,
    text: str,
    message: str,
) -> None:
    plant(file, AFTER_TITLE, f"\n{text}\n")
    found = [*check(clean, None if file == "README.md" else PAGE)]
    assert any(p.file == Path(file) and message in p.message for p in found), found
    assert all(p.line in range(1, 60) for p in found if message in p.message)


# Edits that are not a sentence of their own: the last group of the pattern becomes something else.
EDITS: list[tuple[Check, str, str, str, str]] = [
    (pairs.problems, CHINESE, r"^ *>>> (\w+) = ", "renamed", "renamed should be "),
    (pairs.problems, CHINESE, r"^(##) .*\{ #", "###", "the English page has ## … { #"),
    (pairs.problems, ENGLISH, r"^## .*( \{ #[\w-]+ \})", "", "has no explicit anchor"),
    (
        docstrings.problems,
        "transformer/model/embedding.py",
        r"max_len: int = (\d+)",
        "77",
        "max_len",
    ),
    (
        docstrings.problems,
        "transformer/model/masks.py",
        r"`\(batch(, k_len)\)`",
        ", k_len, batch",
        "no signature here has the shape (batch, k_len, batch)",
    ),
    (catalogue.problems, "docs/locales/zh-TW.po", r'^msgstr ".*`(\w+)`', "other", "adds `other`"),
    (glossary.problems, "docs/glossary.csv", r"^attention,(注意力),", "", "zh_tw is empty"),
    (glossary.problems, "docs/glossary.csv", r"#(word-before)$", "gone", "there is no docs/en"),
]


@pytest.mark.parametrize(("check", "file", "pattern", "new", "message"), EDITS)
def test_a_planted_edit_is_named(
    clean: Path,
    plant: Callable[[str, str, str], None],
    check: Check,
    file: str,
    pattern: str,
    new: str,
    message: str,
) -> None:
    plant(file, pattern, new)
    found = [*check(clean, PAGE)] if check in PAGES else [*check(clean)]
    assert any(message in p.message for p in found), found


def test_an_english_sentence_alone_is_no_problem(
    clean: Path, plant: Callable[[str, str, str], None]
) -> None:
    """Whoever writes no Chinese may change a sentence, a code block or a section."""
    plant(ENGLISH, AFTER_TITLE, "\nOne more paragraph with 98,765 words.\n\n## New { #new }\n")
    assert main([PAGE], clean) == 0


def test_an_unknown_page_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["components/maks"]) == 2
    assert "there is no page components/maks" in capsys.readouterr().err
