"""A gap, a dead end or bad Chinese in the glossary's explanations is found."""

import csv
from pathlib import Path

import pytest

from docs.checks.glossary import AHEAD, problems, stems

ROOT = Path(__file__).parents[2]

HEAD = "en,zh_tw,first_use,avoid,not_in_this_sense,note,sentence_en,sentence_zh,page,first"
WORDS = "en,zh_tw,first_use,avoid,not_in_this_sense,note"
GOOD = {
    "sentence_en": "It hides keys.",
    "sentence_zh": "遮住鍵的 `mask`，共 2 種（見圖）。",
    "page": "part/masks.md#hidden",
}


def site(root: Path, **columns: str) -> Path:
    """A glossary with one term, on line 2, the pages that explain it, and two words."""
    for folder, said in {"docs/en/part": "A mask.", "docs/zh-TW/part": "遮罩。"}.items():
        (root / folder).mkdir(parents=True)
        page = (
            f"# Masks {{ #masks }}\n\n{said}\n\n"
            "## Hidden keys, no mean { #hidden }\n\n::: transformer.masks\n\n## Else { #else }\n"
        )
        (root / folder / "masks.md").write_text(page, encoding="utf-8")
    words = [{"en": "mean", "zh_tw": "平均值", "avoid": "均值"}, {"en": "key", "zh_tw": "鍵"}]
    write(root / "docs/glossary.csv", HEAD, [{"en": "mask", "zh_tw": "遮罩"} | GOOD | columns])
    write(root / "docs/words.csv", WORDS, words)
    return root


def write(path: Path, head: str, lines: list[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.DictWriter(file, head.split(","), restval="")
        rows.writeheader()
        rows.writerows(lines)


@pytest.mark.parametrize(
    "columns",
    [
        GOOD,
        {"page": "part/masks.md#transformer.masks.causal_mask"},
        {"first": "part/masks.md#masks"},
    ],
)
def test_a_whole_explanation_passes(tmp_path: Path, columns: dict[str, str]) -> None:
    assert problems(site(tmp_path, **columns)) == []


@pytest.mark.parametrize(
    ("columns", "messages"),
    [
        ({"zh_tw": ""}, ["zh_tw empty; fill it, or move the row to docs/words.csv"]),
        ({"en": "mazk"}, ["mazk stands on no English page; write the term as the pages do"]),
        ({"sentence_en": ""}, ["sentence_en empty; fill it, or move the row to docs/words.csv"]),
        ({"sentence_zh": ""}, ["sentence_zh empty; fill it"]),
        ({"page": ""}, ["page empty; fill it"]),
        ({"sentence_zh": "", "page": ""}, ["sentence_zh and page empty; fill them"]),
        (
            {"first": "part/masks.md#else"},
            [
                "docs/en/part/masks.md#else does not say it; name a section that explains it",
                "docs/zh-TW/part/masks.md#else does not say it",
            ],
        ),
        (
            {"first": "part/none.md#hidden"},
            ["there is no docs/en/part/none.md; mend first", "there is no docs/zh-TW/part/none.md"],
        ),
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
        assert text.startswith(f"docs/glossary.csv:2: {term}: {message}"), text


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ({"en": "mean"}, "docs/words.csv:2: mean: zh_tw empty; fill it"),
        ({"en": "mazk", "zh_tw": "面罩"}, "docs/words.csv:2: mazk: mazk stands on no English page"),
        ({"en": "mask", "zh_tw": "面罩"}, "docs/words.csv:2: mask: listed twice; keep one row"),
    ],
)
def test_a_flaw_among_the_words_is_named(
    tmp_path: Path, word: dict[str, str], message: str
) -> None:
    write(site(tmp_path) / "docs/words.csv", WORDS, [word])
    (found,) = problems(tmp_path)
    assert str(found).startswith(message)


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
