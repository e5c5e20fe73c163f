"""What the search index knows of the pages, and besides their own words."""

from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from docs.builder.search import index
from docs.builder.search_sections import Section, sections_of
from docs.builder.search_words import names, names_of_sections, other_words, words_of
from docs.checks.pages import Page

ROOT = Path(__file__).parents[2]
PADDING = "components/masks/#why-padding"
ATTENTION = "reference/api/model/attention/"


def weights(found: dict[str, Any], word: str) -> dict[str, int]:
    """What a word counts for, by address."""
    pairs = found["words"].get(word, [])
    numbers = accumulate(pairs[::2])  # each says how many sections further on
    return {found["sections"][n][0]: weight for n, weight in zip(numbers, pairs[1::2])}


def indexed(language: str, *sections: tuple[str, str, str]) -> dict[str, Any]:
    return index([Section(url, "", heading, [text]) for url, heading, text in sections], language)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Look-ahead masks", ["look", "ahead", "mask", "lookahead"]),
        ("causal_mask(n), 0.5 of dₖ", ["causal_mask", "n", "0.5", "of", "dk"]),
        ("ＫＶ ｃａｃｈｅ", ["kv", "cache"]),
        ("多頭注意力", ["多頭", "注意", "注意力", "多頭注意力"]),
        ("損失函數會下降", ["損失", "函數", "損失函數", "會", "下降"]),
        ("編碼器的 d_model", ["編碼", "碼器", "編碼器", "的", "d_model"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert [*words_of(text, chinese=True)] == words


@pytest.mark.parametrize(
    ("html", "read"),
    [
        ("<p>before</p><h1>A<a class=headerlink>¶</a></h1><p>b</p>", [("", "A", "b")]),
        (
            "<h1>A</h1><h2 id=c>C</h2>d<h3>E</h3>f",
            [("", "A", ""), ("#c", "C", "d"), ("", "E", "f")],
        ),
        ("<h1>A</h1><div data-search-exclude><div>1</div>2</div>3", [("", "A", "3")]),
        ("<h1>A</h1><table><tr><td>a</td><td>b</td></tr></table>", [("", "A", "· a · b")]),
        ("<h1>A</h1>Is <math><msub><mi>d</mi><mi>k</mi></msub></math>?", [("", "A", "Is d_k?")]),
        ("<h1>A</h1><math><msqrt><mi>a</mi></msqrt></math>", [("", "A", "√a")]),
        ("<h1>Run <span class='doc doc-labels'>cached</span></h1>", [("", "Run", "")]),
        ("<h1>A</h1><svg><text>b</text></svg><script>c</script>", [("", "A", "")]),
    ],
)
def test_what_is_read_of_a_page(html: str, read: list[tuple[str, str, str]]) -> None:
    found = sections_of(f"<article>{html}</article>", "")
    assert [(section.url, section.heading, section.text) for section in found] == read


def test_a_name_begins_a_section_where_it_leads() -> None:
    html = "<article><h1>Masks</h1>a<p id=why-padding>b</p></article>"
    urls = [section.url for section in sections_of(html, "components/masks/")]
    assert urls == ["components/masks/", PADDING]


def test_names_lead_to_their_section_and_words_that_ask_to_none() -> None:
    found = indexed("en", (PADDING, "Why", "what is it"), ("a/", "A", "a mask of padding"))
    padding = weights(found, "padding")
    assert padding[PADDING] > 5 * padding["a/"]
    assert weights(found, "why") == weights(found, "what") == {}
    assert not weights(found, "填充詞元")
    assert weights(indexed("zh-TW", (PADDING, "", "")), "填充詞元")


def test_chapters_come_before_the_api_and_names_before_words() -> None:
    found = indexed("en", *((url, "mask", "") for url in ["a/", f"{ATTENTION}#b.C", ATTENTION]))
    assert [*weights(found, "mask")] == ["a/", f"{ATTENTION}#b.C", ATTENTION]
    chapter, thing, module = weights(found, "mask").values()
    assert chapter > thing > module


def test_words_of_elsewhere() -> None:
    other = other_words("自迴歸、編碼器")
    assert other.items() >= {"归": "歸", "编": "編", "码": "碼", "掩碼": "遮罩"}.items()
    assert "自" not in other  # the same in both


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_each_name_leads_to_a_page_or_a_section(language: str) -> None:
    lost = [
        section
        for section in names_of_sections()
        for name, _, anchor in [section.partition("#")]
        for path in [ROOT / "docs" / language / name]
        if not path.exists() or (anchor and anchor not in Page.read(path).anchors)
    ]
    assert lost == []


def test_a_name_stands_in_the_list_once() -> None:
    listed = [name for name, _ in names()]
    assert len(listed) == len({*listed})
