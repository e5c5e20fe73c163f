"""The check of page pairs lets a good pair pass and names every planted difference."""

from pathlib import Path

import pytest

from docs.checks import Problem
from docs.checks.pairs import problems

ROOT = Path(__file__).parents[2]

ENGLISH = """\
---
description: A page.
---

# Weights { #weights }

Each row sums to $1$, see [masks](masks.md#top) and [`trace`][transformer.tracing.trace].

$$
a = b
$$

## Code { #code }

<!-- figure: heat -->

```pycon title="A session"
>>> words = ["tea", "cake"]  # what you ask for
>>> len(words)
2
>>> words
['tea', 'cake']
>>> device = "cpu"
>>> 6 * 7
42
```

!!! note "Well"
    1. In a list:

        ```python
        print(f"{len(words)} in {device}")  # all
        ```

        ``` { .text .output }
        2 in cpu
        ```

::: transformer.tracing
    options:
      members: [trace]

```bash
pip install . <your path>  # once
```
"""

CHINESE = """\
---
description: 一頁。
---

# 權重 { #weights }

見 [`trace`][transformer.tracing.trace] 與[遮罩](masks.md#top)：每列的和是 $1$。

$$
a = b
$$

## 程式碼 { #code }

<!-- figure: heat -->

```pycon title="互動"
>>> words = ["茶", "糕"]  # 你要的
>>> len(words)
2
>>> words
['茶', '糕']
>>> device = "cpu"
>>> 6 * 7
42
```

!!! note "嗯"
    1. 清單裡：

        ```python
        print(f"{device} 上有 {len(words)} 個")  # 全部
        ```

        ``` { .text .output }
        cpu 上有 2 個
        ```

::: transformer.tracing
    options:
      members: [trace]

```bash
pip install . <你的路徑>  # 一次就好
```
"""


def site(root: Path, english: str = ENGLISH, chinese: str = CHINESE) -> Path:
    for language, text in (("en", english), ("zh-TW", chinese)):
        folder = root / "docs" / language
        folder.mkdir(parents=True)
        (folder / "page.md").write_text(text, encoding="utf-8")
    return root


def test_a_good_pair_passes(tmp_path: Path) -> None:
    assert problems(site(tmp_path)) == []


@pytest.mark.parametrize(
    ("good", "bad", "line", "message"),
    [
        ("## 程式碼 { #code }", "### 程式碼 { #code }", 13, "the English page has ## … { #code }"),
        ("## 程式碼 { #code }", "## 程式碼 { #kode }", 13, "the English page has ## … { #code }"),
        ("## 程式碼 { #code }", "## 程式碼", 13, "'程式碼' has no explicit anchor"),
        ("## 程式碼 { #code }", "程式碼\n---", 13, "'程式碼' has no explicit anchor"),
        ("## 程式碼 { #code }", "## 程式碼 { #weights }", 13, "#weights is here twice"),
        ("是 $1$", "是 $2$", 7, "the formula '$2$' is not in the English section"),
        ("是 $1$", "是 1", 5, "the formula '$1$' is in line 7 of the English page but not in"),
        ("a = b", "a = c", 9, "the formula '$$\\na = c\\n$$' is not in"),
        ("masks.md#top", "masks.md", 7, "the link to 'masks.md' is not in"),
        ("[遮罩](masks.md#top)", "遮罩", 5, "the link to 'masks.md#top' is in line 7 of"),
        ("tracing.trace]", "tracing.CallTree]", 7, "the link to 'transformer.tracing.CallTree'"),
        ("是 $1$", "是 $1$ ![圖](a.svg)", 7, "the link to 'a.svg' is not in"),
        ("是 $1$", "是 $1$ <!-- value: a -->", 5, "only one language prints the value a"),
        ("figure: heat", "figure: hot", 15, "'figure: hot' should be 'figure: heat'"),
        ("<!-- figure: heat -->", "", 28, "should be 'figure: heat'"),
        ("[trace]", "[CallTree]", 39, "should be '::: transformer.tracing"),
        ("!!! note", "!!! warning", 28, "'!!! warning' should be '!!! note'"),
        ("len(words)\n", "len(word)\n", 19, "more than comments and text; there it is: len(words)"),
        ("42\n", "43\n", 24, "this output differs from the English page's: '43'"),
        ('device = "cpu"', 'device = "gpu"', 23, "the string 'gpu' is 'cpu' on the English"),
        ("{len(words)} 個", "{words} 個", 32, "comments and text; there it is: print(f"),
        ('print(f"', 'assert print(f"', 32, "comments and text; there it is: print(f"),
        ("# 你要的", "# doctest: +SKIP", 18, "the doctest options differ"),
        ("```python", "```python hl_lines='1'", 31, "this fence says"),
        (
            "pip install .",
            "pip install",
            44,
            "'pip install <>' is 'pip install . <>' in the English",
        ),
        ("見 [`trace`]", "見 `x` 與 [`trace`]", 7, "`x` is nowhere in the English section, line 5"),
        ("每列的和", "每列 333 個的和", 7, "333 is nowhere in the English section, line 5"),
        ("每列的和", "每列 1.5 個的和", 7, "1.5 is nowhere in the English section"),
        (
            "\n## 程式碼",
            "\n再一段。\n\n## 程式碼",
            5,
            "section has 2 paragraphs, the English one 1",
        ),
        (
            "    1. 清單",
            "    1. 多\n    2. 清單",
            13,
            "section has 2 list items, the English one 1",
        ),
        (CHINESE[CHINESE.index("```bash") :], "", 13, "this section has 3 code blocks"),
    ],
)
def test_a_difference_is_named_at_its_line(
    tmp_path: Path, good: str, bad: str, line: int, message: str
) -> None:
    assert CHINESE.count(good) == 1
    found = problems(site(tmp_path, chinese=CHINESE.replace(good, bad)))
    assert [p.file for p in found] == [Path("docs/zh-TW/page.md")] * len(found)
    assert any(p.line == line and message in p.message for p in found), found


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("63.1 million", "6,310 萬"),
        ("163.9 million", "1 億 6,390 萬"),
        ("4,500,000 (4.5 million)", "450 萬"),
        ("1,500", "1500"),
        ("`1000` of them", "1,000 個"),
    ],
)
def test_the_same_number_may_be_written_as_the_language_does(
    tmp_path: Path, english: str, chinese: str
) -> None:
    assert problems(site(tmp_path, f"It has {english} numbers.\n", f"有 {chinese}。\n")) == []


def test_code_of_several_lines_is_compared_by_line(tmp_path: Path) -> None:
    english = "```python\nx = 1\n\nfor i in range(2):\n    # all\n    print(i)\n    print(x)\n```\n"
    site(tmp_path, english, english.replace("# all\n    print(i)", "print(1)"))
    (problem,) = problems(tmp_path)
    assert str(problem).startswith("docs/zh-TW/page.md:5: this code differs")
    assert problem.message.endswith("there it is: print(i)")


def test_output_made_without_translated_strings_is_compared(tmp_path: Path) -> None:
    english = "```python\nprint(1)\n```\n```{ .text .output }\n1\n```\n"
    site(tmp_path, english, english.replace("\n1\n", "\n2\n"))
    assert [str(p) for p in problems(tmp_path)] == [
        "docs/zh-TW/page.md:5: '2' is '1' in the English block, line 4; make them the same"
    ]


def test_a_page_in_one_language_only_is_named(tmp_path: Path) -> None:
    site(tmp_path)
    (tmp_path / "docs/en/new.md").write_text("Text.")
    (tmp_path / "docs/zh-TW/old.md").write_text("文。")
    assert [str(p) for p in problems(tmp_path)] == [
        "docs/zh-TW/new.md:1: missing: translate docs/en/new.md",
        "docs/zh-TW/old.md:1: there is no docs/en/old.md: remove this file or write that one",
    ]


def test_code_that_shows_markdown_is_not_taken_for_it(tmp_path: Path) -> None:
    shown = "````markdown\n# No heading\n```python\n1 $x$ [a](b)\n```\n````\n`$y$`\n"
    site(tmp_path, shown, shown)
    assert problems(tmp_path) == []


def test_the_repository_has_two_languages_in_step() -> None:
    found: list[Problem] = problems(ROOT)
    assert not found, "\n".join(map(str, found))
