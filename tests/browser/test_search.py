"""What readers type into the search, and what they find first."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.built_pages import BuiltPage

pytestmark = pytest.mark.browser

LANGUAGES = pytest.mark.parametrize("language", ["", "zh-TW/"], ids=["en", "zh-TW"])
API = "reference/api/"
ATTENTION = f"{API}model/attention/#transformer.model.attention.MultiHeadAttention"
CAUSAL_MASK = f"{API}model/masks/#transformer.model.masks.causal_mask"
BEAM_SEARCH = f"{API}inference/decoding/#transformer.inference.decoding.beam_search"

# A query, and a page or a section that its first result shows, or one of the first three.
ENGLISH = {
    "skip connection": "components/residual-and-layer-norm/#intuition",
    "look-ahead mask": "components/masks/#why-causal",
    "encoder-decoder attention": "start/architecture/#bridge",
    "attention heads": "components/multi-head-attention/",
    "attention map": "practice/errors-and-attention/",
    "generator": "assembly/output-layer/#definition",
    "why divide by sqrt(d_k)?": "components/scaled-dot-product-attention/#scaling",
    "Softmax": "components/scaled-dot-product-attention/#by-hand",
    "softmax temperature": "practice/decoding/#temperature-by-hand",
    "padding token": "components/masks/#why-padding",
    "mask": "components/masks/",
    "masks": "components/masks/",
    "layer norm": "components/residual-and-layer-norm/",
    "FFN": "components/feed-forward/#definition",
    "number of parameters": "assembly/model/#count-by-hand",
    "KV cache": "practice/cache/#cache",
    "exploding gradients": "practice/training/#clipping",
    "nan loss": "components/masks/#empty-rows",
    "warm-up": "practice/training/#schedule",
    "train on my own data": "practice/data/",
    "tokenizer": "practice/batches/",
    "RNN": "start/why-attention/#keyhole",
    "cuda": "start/setup/#gpu",
    "colab": "practice/translate/",
    "--json": "reference/command-line/#scores",
    "tranformer": "",  # the home page
    "MultiHeadAttention": ATTENTION,
    "causal_mask(n)": CAUSAL_MASK,
    "beam_search": BEAM_SEARCH,
}
CHINESE = {
    "注意力": "components/multi-head-attention/",
    "注意力圖": "practice/errors-and-attention/",
    "注意力機制": "components/scaled-dot-product-attention/#intuition",
    "注意力机制": "components/scaled-dot-product-attention/#intuition",
    "自注意力": "components/scaled-dot-product-attention/#intuition",
    "為什麼要除以根號 dk": "components/scaled-dot-product-attention/#scaling",
    "變異數": "components/scaled-dot-product-attention/#scaling",
    "多頭注意力": "components/multi-head-attention/",
    "位置編碼": "components/positional-encoding/",
    "殘差": "components/residual-and-layer-norm/",
    "跳躍連接": "components/residual-and-layer-norm/#intuition",
    "層歸一化": "components/residual-and-layer-norm/",
    "前饋神經網絡": "components/feed-forward/#definition",
    "掩碼": "components/masks/",
    "遮罩": "components/masks/",
    "因果遮罩": "components/masks/#why-causal",
    "填充詞元": "components/masks/#why-padding",
    "詞嵌入": "components/tokens-and-embeddings/#intuition",
    "編碼器": "assembly/encoder/",
    "编码器": "assembly/encoder/",
    "解碼器": "assembly/decoder/",
    "梯度": "start/gradients/",
    "廣播": "start/pytorch-in-ten-minutes/#broadcasting",
    "分詞": "practice/batches/",
    "損失函數": "practice/training/#loss",
    "學習率": "practice/training/#schedule",
    "暖身": "practice/training/#schedule",
    "分散式訓練": "practice/larger-machines/#several-processes",
    "多卡訓練": "practice/larger-machines/#several-processes",
    "過拟合": "practice/training/#sick-curves",
    "解碼": "practice/decoding/",
    "束搜索": "practice/decoding/#beam-search",
    "padding token": "components/masks/#why-padding",
    "KV cache": "practice/cache/#cache",
    "ＫＶ ｃａｃｈｅ": "practice/cache/#cache",
    "參數數量": "assembly/model/#count-by-hand",
    "顯卡": "start/setup/#gpu",
    "learning rate": "practice/training/#schedule",
    "MultiHeadAttention": ATTENTION,
    "causal_mask": CAUSAL_MASK,
}
AMONG_THREE = {"變異數", "參數數量"}  # other pages have as good a claim to these
QUERIES = {"": ENGLISH, "zh-TW/": CHINESE}

BOX = "[data-md-component=search-query]"
# Another query's results are there until those of this one come.
FORGET = "document.querySelector('.md-search-result__list').innerHTML = '<li id=waiting>'"
# Of each page that is found: itself, and the sections that it shows.
READ = """results => results.map(result => [...result.querySelectorAll(":scope > a")].map(link => {
  const url = new URL(link.href)
  url.search = ""
  return url.href
}))"""


@LANGUAGES
def test_a_query_leads_to_its_place(
    page: Page, base_url: str, pages: dict[str, BuiltPage], language: str
) -> None:
    page.goto(f"{language}{API}model/masks/")
    home = base_url + language
    places = {home + place for place in places_of(pages, language)}
    wrong = []
    for query, place in QUERIES[language].items():
        results = search(page, query)
        shown = {link for result in results[: 3 if query in AMONG_THREE else 1] for link in result}
        links = [link.removeprefix(home) for result in results for link in result]
        if home + place not in shown:
            wrong.append(f"{query!r} should find {place}, not {links[:8]}")
        if lost := {link for result in results for link in result} - places:
            wrong.append(f"{query!r} finds {lost}, which is not there")
    assert not wrong, "\n".join(wrong)


def places_of(pages: dict[str, BuiltPage], language: str) -> Iterator[str]:
    """Addresses of pages and anchors, within their language."""
    for page in pages.values():
        if page.url == language + page.name:
            yield page.name
            yield from (f"{page.name}#{anchor}" for anchor in page.ids)


def search(page: Page, query: str) -> list[list[str]]:
    """The addresses that a query finds, page by page; no key is pressed, as in a dictation."""
    page.evaluate(FORGET)
    page.locator(BOX).fill(query)
    expect(page.locator("#waiting")).to_have_count(0, timeout=20_000)  # the index is on its way
    found: list[list[str]] = page.locator(".md-search-result__item").evaluate_all(READ)
    return found


def test_what_no_one_means_breaks_nothing(page: Page) -> None:
    page.goto("zh-TW/")
    for query in ["xyzzy", "機", "^", "~1", "-", '"', "*", "\\", "a:b", "+x", "x^y", "the", " "]:
        search(page, query)
    assert search(page, "xyzzy") == []


def test_names_that_readers_type_are_not_shown(page: Page) -> None:
    page.goto("zh-TW/")
    search(page, "跳躍連接")
    result = page.locator(".md-search-result__item").first
    assert "跳躍" in (result.text_content() or "")
    assert "跳躍" not in result.inner_text()


def test_a_slash_opens_the_search_on_a_chinese_keyboard_too(page: Page) -> None:
    page.goto(f"zh-TW/{API}model/masks/")
    box = page.locator(BOX)
    expect(box).to_have_attribute("title", "搜尋（按 / 鍵）")
    for key in ["/", "ㄥ", "、", "／", "Process"]:
        expect(box).not_to_be_focused()
        press(page, key)
        expect(box).to_be_focused()
        expect(box).to_have_value("")
        expect(page.locator("#__search")).to_be_checked()
        page.keyboard.press("Escape")
        page.evaluate("new Promise(done => setTimeout(done, 50))")  # Material waits a little, too


def test_who_types_elsewhere_is_not_disturbed(page: Page) -> None:
    page.goto("practice/playground/")
    sentence = page.locator("#sentence")
    sentence.fill("")
    for key in ["s", "f", "/", "ㄥ"]:
        press(page, key)
    expect(sentence).to_have_value("sf/ㄥ")
    expect(sentence).to_be_focused()
    page.goto("start/architecture/")
    slider = page.get_by_role("slider", name="d_model", exact=True)
    for key in ["s", "f", "/", "ㄥ"]:
        slider.press("Home")
        press(page, key)
        expect(slider).to_be_focused()


def press(page: Page, key: str) -> None:
    """Press the key of the slash while a keyboard or an input method makes it give a character."""
    devices = page.context.new_cdp_session(page)
    event = {"key": key, "code": "Slash", "text": "" if key == "Process" else key}
    devices.send("Input.dispatchKeyEvent", event | {"type": "keyDown"})
    devices.send("Input.dispatchKeyEvent", event | {"type": "keyUp"})
