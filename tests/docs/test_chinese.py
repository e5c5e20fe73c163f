"""The check of the Chinese finds what a reader in Taiwan would, and nothing else."""

from pathlib import Path

import pytest

from docs.checks.chinese import avoided_terms, known_words, problems

ROOT = Path(__file__).parents[2]

GLOSSARY = """\
en,zh_tw,first_use,avoid,not_in_this_sense,note
mean,平均值,,均值,,
query,查詢,query,,,
memory,記憶,memory,,,
token,詞元,token,,,
padding token,填充詞元,,,,
causal mask,因果遮罩,,,,
look-ahead mask,因果遮罩,look-ahead mask,,,
value,值,value,,,
"""

WORDS = """\
en,zh_tw,first_use,avoid,not_in_this_sense,note
memory (RAM),記憶體,,內存,,
"""

GOOD = """\
---
description: 一頁。
---

# 台灣的 `mask` { #台灣mask }

平均值與**查詢**（`query`）的分布：見[`F`](a.md) 與 $x$，共 3 個[頁](b.md#里)。

- 填充詞元不算詞元（token）。`里,中(文)` 記憶體、改變量、內存在。「$y$」，100%；了解！

| 列,`a` | 記憶 |
|---|---|

```python
x = 1  # 第1列,不查
```
"""


def site(root: Path, page: str = GOOD) -> Path:
    (root / "docs/zh-TW").mkdir(parents=True)
    (root / "docs/glossary.csv").write_text(GLOSSARY, encoding="utf-8")
    (root / "docs/words.csv").write_text(WORDS, encoding="utf-8")
    (root / "docs/zh-TW/page.md").write_text(page, encoding="utf-8")
    return root


def test_good_chinese_passes(tmp_path: Path) -> None:
    page = GOOD.replace("| 列,`a` |", "| 列 `a` |").replace("見[`F`]", "見 [`F`]")
    assert problems(site(tmp_path, page)) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("在里面。", "write 裡, not 里"),
        ("爲何。", "write 為, not 爲"),
        ("数據。", "write 數, not 数"),
        ("取均值。", "write 平均值, not 均值"),
        ("主內存。", "write 記憶體, not 內存"),
        ("```python\n# 取均值\n```", "write 平均值, not 均值"),
        ("```python\n# 在里面\n```", "write 裡, not 里"),
        ("| 欄 |\n|---|\n| 取均值 |", "write 平均值, not 均值"),
        ("一,二。", "half-width ',' beside Chinese"),
        ("對嗎?", "half-width '?' beside Chinese"),
        ("**注意**: x", "half-width ':' beside Chinese"),
        ("[頁](a.md)(b)", "half-width '(' beside Chinese"),
        ("是a。", "put a space between Chinese and Latin letters, digits or code in '是a。'"),
        ("第3章。", "put a space"),
        ("**是**a。", "put a space"),
        ("是`x`。", "put a space between Chinese and Latin letters, digits or code in '是`…`。'"),
        ("是$x$。", "put a space"),
        ("是 [`F`][transformer.F]的。", "put a space"),
        ("見https://a.b/c。", "put a space"),
        ("是 `x` ，對。", "take out the space next to the full-width punctuation"),
        ("是。 對。", "take out the space"),
        ("這個查詢來了。查詢（query）。", "first use of 查詢 on this page: write 查詢（query）"),
        ("查詢（值）。", "first use of 查詢"),
        ("## The mask { #mask }", "this is not Chinese: 'The mask'; translate it"),
        ("- One more English sentence.", "this is not Chinese: 'One more English sentence'"),
        ("```python\n# add up all four\n```", "this comment is not Chinese: 'add up all four'"),
    ],
)
def test_a_flaw_is_named_at_its_line(tmp_path: Path, text: str, message: str) -> None:
    found = problems(site(tmp_path, f"# 頁 {{ #page }}\n\n{text}\n"))
    assert len({(p.line, p.message.split(" in ")[0]) for p in found}) == 1, found
    assert found[0].line in range(3, 6)
    assert message in found[0].message


@pytest.mark.parametrize(
    "text",
    [
        "查詢、鍵與值（query、key、value）。",
        "「查詢」（`Query`）。",
        "| 查詢 |\n|---|",
        "## 查詢 { #query }",
        "## Adam { #adam }",
        "## `f` and `g` { #f }",
        '<div lang="en" markdown>\n\nThe mask hides all.\n\n</div>',
        "```python\nx = y  # batch, q_len, k_len, d_v\n```",
        "`查詢` 與記憶體，填充詞元和因果遮罩。",
        "<!-- figure: 里,a -->",
        "1. **粗**、_斜_，見 <https://a.b/%20,c>。",
        "- [ ] 列[^1]，見 ++ctrl+c++。",
        "$a$、`b`（`c`）：$d$。",
    ],
)
def test_what_is_right_passes(tmp_path: Path, text: str) -> None:
    assert problems(site(tmp_path, text + "\n")) == []


def test_every_avoided_term_of_the_glossary_is_found_and_no_good_one() -> None:
    glossary = known_words(ROOT)
    assert {"注意力", "檔案"} <= {row["zh_tw"] for row in glossary}
    check = avoided_terms(glossary)
    for row in glossary:
        assert not list(check(f"這個{row['zh_tw']}的"))
        for term in filter(None, row["avoid"].split(";")):
            assert list(check(f"這個{term}的")), term


def test_the_catalogue_and_the_readme_are_read_too(tmp_path: Path) -> None:
    site(tmp_path)
    (tmp_path / "docs/zh-TW/page.md").unlink()
    (tmp_path / "docs/locales").mkdir()
    catalogue = 'msgid ""\nmsgstr ""\n\nmsgctxt "a.b"\nmsgid "Mean"\nmsgstr "取均值"\n'
    (tmp_path / "docs/locales/zh-TW.po").write_text(catalogue, encoding="utf-8")
    readme = "# Book\n\n里,here is English\n\n## 中文\n\n在里面。\n"
    (tmp_path / "README.md").write_text(readme, encoding="utf-8")
    found = [(str(p.file), p.line) for p in problems(tmp_path)]
    assert found == [("README.md", 7), ("docs/locales/zh-TW.po", 4)]


def test_the_repository_is_written_as_in_taiwan() -> None:
    found = problems(ROOT)
    assert not found, "\n".join(map(str, found))
