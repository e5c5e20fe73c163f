"""A section whose English changed after it was translated is named, until it is reviewed."""

import json
import subprocess
from pathlib import Path

import pytest

from docs.checks.sections import RECORD, main, problems, recorded

ROOT = Path(__file__).parents[2]
PAGE = "---\ndescription: d\n---\n\n# One { #one }\n\nFirst.\n\n## Two { #two }\n\nSecond.\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for language in ("en", "zh-TW"):
        (tmp_path / "docs" / language / "part").mkdir(parents=True)
        (tmp_path / "docs" / language / "part/page.md").write_text(PAGE)
    assert main(["reviewed", "--all"], tmp_path) == 0
    return tmp_path


def edit(site: Path, old: str, new: str) -> None:
    page = site / "docs/en/part/page.md"
    page.write_text(page.read_text().replace(old, new))


def test_reviewed_sections_are_no_problem(site: Path) -> None:
    assert problems(site) == []
    text = (site / RECORD).read_text(encoding="utf-8")
    assert text.endswith("}\n")
    assert list(json.loads(text)["part/page.md"]) == ["", "one", "two"]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("Second", "2nd", 9, "part/page.md#two changed in English after it was translated"),
        ("First", "1st", 5, "part/page.md#one changed"),
        ("description: d", "description: e", 1, "part/page.md# changed"),
        ("Second.", "Second.\n\n### Three { #three }", 1, "part/page.md#three is not recorded"),
        ("## Two { #two }", "", 9, "part/page.md#two is gone from the English"),
    ],
)
def test_a_changed_section_is_named(
    site: Path, old: str, new: str, line: int, message: str
) -> None:
    edit(site, old, new)
    found = problems(site)
    assert any(p.line == line and message in p.message for p in found), found
    assert "make reviewed PAGE=part/page.md#" in found[0].message
    assert main([], site) == 1


def test_a_new_page_is_named_once(site: Path) -> None:
    (site / "docs/en/new.md").write_text(PAGE)
    assert [str(p) for p in problems(site)] == [
        "docs/zh-TW/new.md:1: new.md is not recorded as translated: translate it, "
        "then run: make reviewed PAGE=new.md"
    ]


def test_blank_lines_around_a_section_do_not_count(site: Path) -> None:
    edit(site, "First.\n", "First.\n\n")
    assert problems(site) == []


@pytest.mark.parametrize("target", ["part/page.md#two", "docs/zh-TW/part/page.md#two"])
def test_reviewing_one_section_leaves_the_others(site: Path, target: str) -> None:
    edit(site, "Second", "2nd")
    edit(site, "First", "1st")
    assert main(["reviewed", target], site) == 0
    assert [p.line for p in problems(site)] == [5]
    assert main(["reviewed", "part/page.md"], site) == 0
    assert problems(site) == []


def test_what_is_gone_is_dropped(site: Path) -> None:
    edit(site, "## Two { #two }\n\nSecond.\n", "")
    assert main(["reviewed", "part/page.md#two"], site) == 0
    assert list(recorded(site)["part/page.md"]) == ["", "one"]
    (site / "docs/en/part/page.md").unlink()
    assert main(["reviewed", "part/page.md"], site) == 0
    assert recorded(site) == {}


@pytest.mark.parametrize("target", ["part/pgae.md", "part/page.md#tow"])
def test_an_unknown_target_changes_nothing(
    site: Path, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(site, "Second", "2nd")
    before = (site / RECORD).read_text()
    assert main(["reviewed", "part/page.md#two", target], site) == 2
    assert f"no such page or section in docs/en: {target}" in capsys.readouterr().err
    assert (site / RECORD).read_text() == before


@pytest.mark.parametrize("arguments", [["reviewed"], ["reviewed", "--all", "part/page.md"]])
def test_reviewed_wants_targets_or_all(site: Path, arguments: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments, site)


def test_a_broken_record_is_named(site: Path) -> None:
    (site / RECORD).write_text("<<<<<<< HEAD")
    with pytest.raises(ValueError, match=r"docs/locales/sections\.json is not JSON"):
        problems(site)


def test_the_change_is_shown_from_history(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *identity, *arguments], cwd=site, check=True, capture_output=True)

    git("init")
    git("add", ".")
    git("commit", "-m", "translated")
    for word in ("2nd", "number two"):
        edit(site, "2nd" if word != "2nd" else "Second", word)
        git("commit", "-am", word)
    assert main([], site) == 1
    assert "-Second.\n+number two.\n" in capsys.readouterr().out


def test_without_history_the_section_is_named(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(site, "Second", "2nd")
    monkeypatch.setenv("PATH", "")
    assert main([], site) == 1
    assert capsys.readouterr().out.startswith("part/page.md#two changed in English")


def test_the_repository_has_no_stale_section() -> None:
    found = problems(ROOT)
    assert not found, "\n".join(map(str, found))
