"""What the search index knows besides the pages' own words."""

import json
from pathlib import Path
from typing import Any

import pytest

from docs.builder.search import OBJECT, WORD, completed, names, names_of_sections
from docs.builder.search_text import searchable
from docs.builder.search_words import whole_words, words_instead
from docs.checks.pages import Page

ROOT = Path(__file__).parents[2]
PADDING = "components/masks/#why-padding"
MASKS = "reference/api/model/masks/"


def documents(language: str, *locations: str) -> list[dict[str, Any]]:
    """What becomes of some sections in the index of a language."""
    texts = [{"location": location, "text": "\u906e"} for location in locations]
    index = json.dumps({"config": {}, "docs": texts})
    found: list[dict[str, Any]] = json.loads(completed(index, language))["docs"]
    return found


def test_names_are_tags_of_their_section() -> None:
    page, section = documents("en", "components/masks/", PADDING)
    assert "tags" not in page
    assert {"padding token", "padding mask", "key padding mask"} <= set(section["tags"])
    assert section["tags"] == [name for name in section["tags"] if name.isascii()]
    (chinese,) = documents("zh-TW", PADDING)
    assert {"padding token", "填充\u200b詞元"} <= {*chinese["tags"]}


@pytest.mark.parametrize(
    ("location", "boost"),
    [
        (PADDING, None),
        (MASKS, WORD),
        (f"{MASKS}#transformer.model.masks.causal_mask", OBJECT),
        ("reference/api/model/cache/#transformer.model.cache.DecoderCache", OBJECT),
        ("reference/api/model/cache/#transformer.model.cache.DecoderCache.select", WORD),
        ("reference/api/model/decoder/#transformer.model.decoder.Decoder.new_cache", OBJECT),
    ],
)
def test_what_has_a_name_of_its_own_comes_before_what_is_named_by_a_word(
    location: str, boost: float | None
) -> None:
    assert [found.get("boost") for found in documents("en", location)] == [boost]


def test_the_index_is_light() -> None:
    text = {"location": "", "text": "\u200b遮\u200b，<p>\u200b罩\u200b的\u200b</p>"}
    light = completed(json.dumps({"config": {}, "docs": [text]}), "en")
    assert "遮，<p>罩\u200b的</p>" in light


def test_the_chinese_index_knows_words_of_elsewhere() -> None:
    index = json.dumps({"config": {}, "docs": [{"location": "", "text": "自迴歸、編碼器"}]})
    config = json.loads(completed(index, "zh-TW"))["config"]
    assert config["simplified"].items() >= {"归": "歸", "编": "編", "码": "碼"}.items()
    assert "自" not in config["simplified"]
    assert (
        config["instead"].items() >= {"掩碼": "遮罩", "緩存": "快取", "歸一化": "層正規化"}.items()
    )


def test_a_word_of_the_pages_needs_no_other() -> None:
    instead = words_instead({"编": "編", "码": "碼"})
    assert "編碼器" not in instead
    assert {*instead.values()}.isdisjoint(instead)


@pytest.mark.parametrize(
    ("html", "read"),
    [
        ('<p data-search-exclude>in English</p>\n<h1 id="a">A</h1>', '<h1 id="a">A</h1>'),
        ('<h1>A</h1><div class="shapes" data-search-exclude><div>1</div>2</div>3', "<h1>A</h1>3"),
        ("<tr>\n<th>a</th>\n<th>b</th>\n</tr>", "<p><th>a</th> · <th>b</th></p>"),
        (
            '<p>Is <math display="inline"><msub><mi>d</mi><mi>k</mi></msub><mo>&lt;</mo><mn>9</mn>'
            "</math>?</p>",
            "<p>Is d_k &lt; 9?</p>",
        ),
        (
            '<div class="formula"><math display="block"><msqrt><mi>a</mi><mi>b</mi></msqrt></math>'
            "</div>",
            '<div class="formula"><p>√ab</p></div>',
        ),
        (
            '<pre><code><span class="kn">import</span> torch\n\nx = 1\ny = 2\n</code></pre>',
            "<pre><code>import torch</code></pre><pre><code>x = 1\ny = 2</code></pre>",
        ),
        ('<h2>Run <span class="doc doc-labels"><code>cached</code></span></h2>', "<h2>Run </h2>"),
    ],
)
def test_the_search_reads_what_it_can_show(html: str, read: str) -> None:
    assert searchable(html) == read


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


def test_words_of_the_dictionary_hold_no_other() -> None:
    words = whole_words(["暖身"])
    assert {"注意力", "填充", "暖身", "檔案"} <= {*words}
    assert "縮放點積注意力" not in words
