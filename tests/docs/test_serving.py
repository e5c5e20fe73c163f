"""Under `mkdocs serve`: what is built again, and a site that stays whole when a build fails."""

from pathlib import Path

import pytest

from docs.builder.serving import Serving

BOTH = {"en", "zh-TW"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("docs/en/a.md", "docs/zh-TW/a.md", "docs/locales/zh-TW.po", "transformer/m.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text", "utf-8")
    (tmp_path / "mkdocs.yml").write_text("", "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("file", "languages"),
    [
        ("docs/en/a.md", {"en"}),
        ("docs/en/new.md", {"en"}),
        ("docs/zh-TW/a.md", {"zh-TW"}),
        ("docs/locales/zh-TW.po", {"zh-TW"}),
        ("transformer/m.py", BOTH),
        ("mkdocs.yml", BOTH),
    ],
)
def test_only_what_changed_is_built(root: Path, file: str, languages: set[str]) -> None:
    serving = Serving()
    assert serving.changed_languages(root) == BOTH  # the first time
    (root / file).write_text("other text", "utf-8")
    assert serving.changed_languages(root) == languages
    assert serving.changed_languages(root) == BOTH  # nothing changed: asked for by hand


def built(site: Path, text: str) -> None:
    """What a build of the Chinese site leaves."""
    (site / "zh-TW").mkdir(parents=True, exist_ok=True)
    (site / "zh-TW" / "index.html").write_text(text, "utf-8")


def test_the_chinese_site_outlives_an_english_build(tmp_path: Path) -> None:
    serving = Serving()
    built(tmp_path, "first")
    for _ in range(2):
        serving.set_chinese_aside(tmp_path)
        assert not (tmp_path / "zh-TW").exists()  # or MkDocs would clean it away
        serving.bring_chinese_back()
        assert (tmp_path / "zh-TW" / "index.html").read_text("utf-8") == "first"


def test_a_failed_english_build_leaves_the_chinese_site(root: Path, tmp_path: Path) -> None:
    serving, site = Serving(), tmp_path / "site"
    serving.changed_languages(root)
    built(site, "first")
    serving.set_chinese_aside(site)
    serving.failed()
    assert [path.name for path in site.iterdir()] == ["zh-TW"]
    assert serving.changed_languages(root) == BOTH
    built(site, "second")
    serving.set_chinese_aside(site)  # failed with "Directory not empty" before
    serving.bring_chinese_back()
    assert (site / "zh-TW" / "index.html").read_text("utf-8") == "second"


def test_a_folder_left_by_a_killed_server_is_no_obstacle(tmp_path: Path) -> None:
    built(tmp_path, "old")
    (tmp_path / "zh-TW").rename(tmp_path / ".zh-TW")
    built(tmp_path, "new")
    serving = Serving()
    serving.set_chinese_aside(tmp_path)
    serving.bring_chinese_back()
    assert (tmp_path / "zh-TW" / "index.html").read_text("utf-8") == "new"


def test_without_a_chinese_site_there_is_nothing_to_keep(tmp_path: Path) -> None:
    serving = Serving()
    serving.set_chinese_aside(tmp_path)
    serving.bring_chinese_back()
    assert list(tmp_path.iterdir()) == []
