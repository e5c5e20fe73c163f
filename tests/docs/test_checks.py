"""The sources have no problem, and each check names what is planted in a copy of them."""

import re
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from subprocess import run
from types import ModuleType

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
PAGE = "components/masks.md"
ENGLISH, CHINESE = f"docs/en/{PAGE}", f"docs/zh-TW/{PAGE}"
COPIED = ("docs/en", "docs/zh-TW", "docs/locales", "docs/assets/scripts/playground", "transformer")

MASKS = "transformer/model/masks.py"

Check = Callable[..., Iterable[Problem]]
Plant = Callable[[str, str, str], None]


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
def plant(clean: Path) -> Iterable[Plant]:
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


SENTENCES = [  # that the check finds where they stand below a page's title
    (pairs, CHINESE, "共 98765 個。", "98765 is nowhere in the English section"),
    (pairs, CHINESE, "共 `pad_di` 個。", "`pad_di` is nowhere in the English section"),
    (pairs, CHINESE, "共 $x_{77}$ 個。", "the formula '$x_{77}$' is not in the English"),
    (pairs, CHINESE, "見[這裡](nowhere.md)。", "the link to 'nowhere.md' is not in"),
    (pairs, CHINESE, "一段。", "paragraphs, the English one"),
    (pairs, CHINESE, "<!-- figure: heat -->", "'figure: heat' should be"),
    (pairs, CHINESE, "有 <!-- value: race.weights --> 個。", "one language prints the value"),
    (chinese, CHINESE, "一个詞。", "write 個, not 个"),
    (chinese, CHINESE, "這是數據。", "write 資料, not 數據"),
    (chinese, CHINESE, "這裡有打印的默認值。", "write 預設, not 默認"),
    (chinese, CHINESE, "這裡有符元和補白。", "write 詞元, not 符元"),
    (chinese, CHINESE, "先看,再想。", "use full-width punctuation beside Chinese"),
    (chinese, CHINESE, "共3 個。", "put a space between Chinese and Latin"),
    (chinese, CHINESE, "共 3， 個。", "take out the space beside the punctuation"),
    (chinese, CHINESE, "A sentence that stayed English.", "this is not Chinese"),
    (chinese, CHINESE, "這裡用到教師強制。", "first use of 教師強制"),
    (reading_order, ENGLISH, "Beam search finds it.", "beam search is explained in"),
    (reading_order, CHINESE, "這裡用到集束搜尋。", "集束搜尋 is explained in"),
    (links, ENGLISH, "See [Decoding](masks.md).", "is the title of decoding.md, but"),
    (links, ENGLISH, "[It](../start/playground.md#gohst=1)", "knows no gohst"),
    (links, "README.md", "[It](docs/gone.md)", "there is no file docs/gone.md"),
    (commands, ENGLISH, "`transformer train --stpes 3`", "no option --stpes; write --steps"),
    (commands, ENGLISH, "`transformer tarin runs/a`", "no command tarin; write train"),
    (commands, ENGLISH, "`make srve`", "there is no target of make srve; write serve"),
    (commands, ENGLISH, "`docs/gone.py`", "there is no docs/gone.py"),
    (papers, ENGLISH, "Label smoothing (§5.3).", "§5.3 is about"),
    (papers, ENGLISH, "Dropout (§5.5).", "the paper has no §5.5"),
    (papers, ENGLISH, "(Bahdanau et al., 2015)", "Bahdanau 2015 should be 2014"),
    (papers, ENGLISH, "[Adam](https://arxiv.org/abs/1706.03762)", "1706.03762 is Atten"),
    (papers, ENGLISH, "[Attention](https://arxiv.org/abs/1706.03762), §6.1.", "nothing above"),
]
EDITS = [  # of which the last group of the pattern becomes something else
    (pairs, CHINESE, r"^ *>>> (\w+) = ", "renamed", "renamed = "),
    (pairs, CHINESE, r"^(##) .*\{ #", "###", "the English page has ## … { #"),
    (pairs, ENGLISH, r"^## .*( \{ #[\w-]+ \})", "", "has no explicit anchor"),
    (docstrings, "transformer/model/embedding.py", r"max_len: int = (\d+)", "77", "max_len"),
    (docstrings, MASKS, r"`\(batch(, k_len)\)`", ", k_len, batch", "(batch, k_len, batch)"),
    (catalogue, "docs/locales/zh-TW.po", r'^msgstr ".*`(\w+)`', "other", "adds `other`"),
    (glossary, "docs/glossary.csv", r"^attention,(注意力),", "", "zh_tw is empty"),
    (glossary, "docs/glossary.csv", r"#(market)$", "gone", "there is no docs/en"),
]
EDITS += [
    (check, file, r"^# .*\n()", f"\n{text}\n", message) for check, file, text, message in SENTENCES
]


@pytest.mark.parametrize(("check", "file", "pattern", "new", "message"), EDITS)
def test_what_is_planted_is_named(
    clean: Path, plant: Plant, check: ModuleType, file: str, pattern: str, new: str, message: str
) -> None:
    plant(file, pattern, new)
    of_a_page = check.problems in PAGES and file != "README.md"
    found = [*check.problems(clean, *[PAGE] * of_a_page)]
    named = [problem for problem in found if message in problem.message]
    assert named, found
    assert all(problem.line < 60 for problem in named if new.startswith("\n"))


def test_an_english_sentence_alone_is_no_problem(clean: Path, plant: Plant) -> None:
    """Whoever writes no Chinese may change a sentence, a code block or a section."""
    plant(ENGLISH, r"^# .*\n()", "\nOne more paragraph with 98,765 words.\n\n## New { #new }\n")
    assert main(["components/masks"], clean) == 0


def test_an_unknown_page_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["components/maks"]) == 2
    assert "there is no page components/maks" in capsys.readouterr().err
