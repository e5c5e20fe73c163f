"""A section whose English changed since it was translated says so and is listed; nothing fails."""

from pathlib import Path

import pytest

from docs.builder.freshness import NOTE, TOP, mark, recorded, stale_sections
from docs.checks.freshness import main

ENGLISH = "---\ndescription: d\n---\n\n# One { #one }\n\nFirst.\n\n## Two { #two }\n\nSecond.\n"
CHINESE = ENGLISH.replace("First", "第一").replace("Second", "第二")
NOTEBOOK = "# ---\n# description: d\n# ---\n\n# %% [markdown]\n# # One { #one }\n#\n# First.\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for language, text in (("en", ENGLISH), ("zh-TW", CHINESE)):
        (tmp_path / "docs" / language).mkdir(parents=True)
        (tmp_path / "docs" / language / "page.md").write_text(text, "utf-8")
        (tmp_path / "docs" / language / "notebook.py").write_text(NOTEBOOK, "utf-8")
    main(["reviewed", "page", "docs/zh-TW/notebook.py"], tmp_path)
    return tmp_path


def read(site: Path, page: str = "page.md") -> str:
    return (site / "docs/zh-TW" / page).read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "stale", "marked"),
    [
        ("First", "1st", ["one"], ["one"]),
        ("description: d", "description: e", [TOP], []),
        ("First.\n", "First.\n\n", [], []),
        ("Second.", "Second.\n\n### Three { #three }", ["three"], ["two"]),
        ("## Two { #two }\n\nSecond.\n", "", ["two"], ["two"]),
        ("Second.", "```markdown\n## No { #no }\n```", ["two"], ["two"]),
    ],
)
def test_a_stale_section_says_so(
    site: Path, old: str, new: str, stale: list[str], marked: list[str]
) -> None:
    chinese, english = read(site), ENGLISH.replace(old, new)
    assert mark(chinese, ENGLISH) == chinese
    assert stale_sections(english, chinese) == stale
    expected = chinese
    for anchor in marked:
        heading = f"{{ #{anchor} }}\n"
        expected = expected.replace(heading, f'{heading}\n!!! note "{NOTE}"\n')
    assert mark(chinese, english) == expected


def test_a_notebook_is_marked_in_its_comments(site: Path) -> None:
    marked = mark(read(site, "notebook.py"), NOTEBOOK.replace("First", "1st"))
    assert f'# # One {{ #one }}\n#\n# !!! note "{NOTE}"\n#\n# First.' in marked


def test_a_page_that_records_nothing_is_only_listed() -> None:
    assert mark(CHINESE, ENGLISH) == CHINESE
    assert stale_sections(ENGLISH, CHINESE) == [TOP, "one", "two"]


def test_what_is_stale_is_listed_until_it_is_reviewed(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    english = ENGLISH.replace("First", "1st").replace("Second", "2nd")
    (site / "docs/en/page.md").write_text(english, "utf-8")
    main([], site)
    assert "page.md#one\npage.md#two\n2 sections" in capsys.readouterr().out
    main(["reviewed", "page.md#two"], site)
    assert stale_sections(english, read(site)) == ["one"]
    main(["reviewed", "page"], site)
    assert stale_sections(english, read(site)) == []
    assert list(recorded(read(site))) == [TOP, "one", "two"]
    assert read(site).endswith(CHINESE.split("---\n")[2])


@pytest.mark.parametrize("target", ["pgae", "page.md#tow"])
def test_an_unknown_target_changes_nothing(site: Path, target: str) -> None:
    before = read(site)
    with pytest.raises(SystemExit, match=target):
        main(["reviewed", target], site)
    assert read(site) == before
