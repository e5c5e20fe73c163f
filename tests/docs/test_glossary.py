"""A gap, a dead end or bad Chinese in the glossary's explanations is found."""

import csv
from pathlib import Path

import pytest

from docs.checks.glossary import AHEAD, problems, stems

ROOT = Path(__file__).parents[2]

HEAD = "en,zh_tw,first_use,avoid,not_in_this_sense,note,sentence_en,sentence_zh,page"
GOOD = {
    "sentence_en": "It hides keys.",
    "sentence_zh": "遮住鍵的 `mask`，共 2 種（見圖）。",
    "page": "part/masks.md#hidden",
}


def site(root: Path, **columns: str) -> Path:
    """A glossary with one explained term, on line 4, and the page that explains it."""
    for folder in ("docs/en/part", "docs/zh-TW/part"):
        (root / folder).mkdir(parents=True)
        page = (
            "# Masks { #masks }\n\n## Hidden keys, no mean { #hidden }\n\n::: transformer.masks\n"
        )
        (root / folder / "masks.md").write_text(page, encoding="utf-8")
    with (root / "docs/glossary.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.DictWriter(file, HEAD.split(","), restval="")
        rows.writeheader()
        rows.writerow({"en": "mean", "zh_tw": "平均值", "avoid": "均值"})
        rows.writerow({"en": "key", "zh_tw": "鍵"})
        rows.writerow({"en": "mask", "zh_tw": "遮罩"} | GOOD | columns)
    return root


@pytest.mark.parametrize(
    "columns",
    [
        GOOD,
        dict.fromkeys(GOOD, ""),
        {"page": "part/masks.md#transformer.masks.causal_mask"},
    ],
)
def test_a_whole_explanation_passes_and_so_does_none(
    tmp_path: Path, columns: dict[str, str]
) -> None:
    assert problems(site(tmp_path, **columns)) == []


@pytest.mark.parametrize(
    ("columns", "messages"),
    [
        ({"zh_tw": ""}, ["en or zh_tw empty; fill both"]),
        ({"en": "mazk"}, ["mazk stands on no English page; write the term as the pages do"]),
        ({"sentence_en": ""}, ["sentence_en empty; fill sentence_en, sentence_zh, page"]),
        ({"sentence_zh": ""}, ["sentence_zh empty; fill"]),
        ({"page": ""}, ["page empty; fill"]),
        ({"sentence_zh": "", "page": ""}, ["sentence_zh and page empty; fill"]),
        ({"sentence_zh": "在里面。"}, ["write 裡, not 里"]),
        ({"sentence_zh": "取均值。"}, ["write 平均值, not 均值"]),
        ({"sentence_zh": "遮住,不看。"}, ["half-width ','"]),
        ({"sentence_zh": "遮住key。"}, ["put a space between Chinese and Latin"]),
        (
            {"page": "masks.md#hidden"},
            ["there is no docs/en/masks.md", "there is no docs/zh-TW/masks.md"],
        ),
        (
            {"page": "part/masks.md#hiden"},
            [
                "docs/en/part/masks.md has no anchor 'hiden'",
                "docs/zh-TW/part/masks.md has no anchor 'hiden'",
            ],
        ),
        (
            {"page": "part/masks.md"},
            [
                "docs/en/part/masks.md has no anchor ''",
                "docs/zh-TW/part/masks.md has no anchor ''",
            ],
        ),
    ],
)
def test_a_flaw_is_named_at_its_line(
    tmp_path: Path, columns: dict[str, str], messages: list[str]
) -> None:
    found = [str(problem) for problem in problems(site(tmp_path, **columns))]
    assert len(found) == len(messages), found
    for text, message in zip(found, messages, strict=True):
        term = columns.get("en", "mask")
        assert text.startswith(f"docs/glossary.csv:4: {term}: {message}"), text


def test_an_anchor_in_one_language_alone_is_not_enough(tmp_path: Path) -> None:
    site(tmp_path)
    (tmp_path / "docs/zh-TW/part/masks.md").write_text("# 遮罩 { #masks }\n", encoding="utf-8")
    (found,) = problems(tmp_path)
    assert "docs/zh-TW/part/masks.md has no anchor 'hidden'" in found.message


def test_the_glossary_of_the_repository_is_whole() -> None:
    found = problems(ROOT)
    assert not found, "\n".join(map(str, found))


def test_a_term_may_be_inflected_hyphenated_or_settled_ahead(tmp_path: Path) -> None:
    for term in ("Hidden key (of a query)", "masking", "numerical stability"):
        assert problems(site(tmp_path / term, en=term)) == []


def test_no_term_is_called_settled_ahead_that_pages_have_by_now() -> None:
    english = stems(path.read_text("utf-8") for path in (ROOT / "docs/en").rglob("*.md"))
    known = [term for term in AHEAD if all(word in english for word in stems([term]))]
    assert not known, f"docs/checks/glossary.py: take {', '.join(known)} out of AHEAD"
