"""The README's picture."""

from pathlib import Path

from docs.checks.picture import PICTURE, problems

ROOT = Path(__file__).parents[2]


def test_the_committed_picture_is_what_the_figure_draws() -> None:
    found = problems(ROOT)
    assert not found, "\n".join(map(str, found))


def test_another_picture_is_noticed(tmp_path: Path) -> None:
    (tmp_path / PICTURE).parent.mkdir()
    (tmp_path / PICTURE).write_text("<svg></svg>", "utf-8")
    assert [problem.file for problem in problems(tmp_path)] == [PICTURE]
