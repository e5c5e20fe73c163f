"""What readers type into the search, and what they find first."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.built_pages import BuiltPage

pytestmark = pytest.mark.browser

LANGUAGES = pytest.mark.parametrize("language", ["", "zh-TW/"], ids=["en", "zh-TW"])
API = "reference/api/"
ATTENTION = f"{API}model/attention/#transformer.model.attention.MultiHeadAttention"
CAUSAL_MASK = f"{API}model/masks/#transformer.model.masks.causal_mask"
BEAM_SEARCH = f"{API}inference/decoding/#transformer.inference.decoding.beam_search"

# A query, and the section that it finds first, or the page whose section that is.
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
    "tranformer": "start/architecture/#intuition",
    "MultiHeadAttention": ATTENTION,
    "causal_mask(n)": CAUSAL_MASK,
    "beam_search": BEAM_SEARCH,
    # What learners typed in vain: questions, rare words beside *attention*, everyday words.
    "embedding": "components/tokens-and-embeddings/#intuition",
    "token": "start/architecture/#ids",
    "memory": "start/architecture/#memory",
    "cross-attention": "start/architecture/#bridge",
    "cross attention": "start/architecture/#bridge",
    "what is attention": "components/scaled-dot-product-attention/#intuition",
    "what is cross-attention?": "start/architecture/#bridge",
    "Bahdanau attention": "start/why-attention/#definition",
    "grouped-query attention": "components/multi-head-attention/#today",
    "GQA": "components/multi-head-attention/#today",
    "OOM": "practice/batches/#padding-by-strategy",
    "out of memory": "practice/batches/#padding-by-strategy",
    "OOV": "reference/command-line/#unfamiliar",
    "quadratic": "components/scaled-dot-product-attention/#cost",
    "O(n^2)": "components/scaled-dot-product-attention/#cost",
    "ONNX": "practice/serving/#export",
    "finetune": "reference/command-line/#train",
    "fine-tune the model": "reference/command-line/#train",
    "mobile": "practice/playground/",
    "deploy": "practice/serving/",
    "RLHF": "start/architecture/#chatgpt",
    "how does beam search work": "practice/decoding/#beam-search",
    "why warm up": "practice/training/#schedule",
    "what is a token": "start/architecture/#ids",
    "why do we need positional encoding": "components/positional-encoding/",
    "query key value": "components/scaled-dot-product-attention/#intuition",
    "label smoothing": "practice/training/#label-smoothing",
    "layer normalization": "components/residual-and-layer-norm/#definition",
    "residual connection": "components/residual-and-layer-norm/#intuition",
    "perplexity": "assembly/output-layer/#definition",
    "BLEU": "practice/evaluation/#bleu",
    "weight tying": "components/tokens-and-embeddings/#three-matrices",
    "teacher forcing": "practice/training/#teacher-forcing",
    "RoPE": "components/positional-encoding/#today",
    "padding mask": "components/masks/#why-padding",
    "causal mask": "components/masks/#why-causal",
    "quantization": "practice/serving/#definition",
    "multi-head attention": "components/multi-head-attention/",
    "self-attention": "components/scaled-dot-product-attention/#intuition",
    "attention": "components/scaled-dot-product-attention/#intuition",
    "encoder": "assembly/encoder/#definition",
    "decoder": "assembly/decoder/#definition",
    "dropout": "start/pytorch-in-ten-minutes/#train-and-eval",
    "BPE": "components/tokens-and-embeddings/#bpe",
    "subword": "components/tokens-and-embeddings/#pieces",
    "gradient clipping": "practice/training/#clipping",
    "overfitting": "practice/training/#sick-curves",
    "logits": "assembly/output-layer/#logits",
    "LayerNorm": "components/residual-and-layer-norm/#definition",
    "greedy decoding": "practice/decoding/#definition",
    "Noam": "practice/training/#schedule",
    "mixed precision": "practice/larger-machines/#mixed-precision",
    "vanishing gradient": "components/scaled-dot-product-attention/#gradients",
    "what does the decoder do": "assembly/decoder/",
}
CHINESE = {
    "注意力": "components/scaled-dot-product-attention/#intuition",
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
    # What learners typed in vain.
    "嵌入": "components/tokens-and-embeddings/#intuition",
    "詞元": "start/architecture/#ids",
    "記憶": "start/architecture/#memory",
    "交叉注意力": "start/architecture/#bridge",
    "什麼是注意力": "components/scaled-dot-product-attention/#intuition",
    "為什麼要暖身": "practice/training/#schedule",
    "為什麼要遮罩": "components/masks/#definition",
    "部署": "practice/serving/",
    "常見錯誤": "practice/training/#what-goes-wrong",
    "GQA": "components/multi-head-attention/#today",
    "OOM": "practice/batches/#padding-by-strategy",
    "embedding": "components/tokens-and-embeddings/#intuition",
    "token": "start/architecture/#ids",
    "微調": "reference/command-line/#train",
    "手機": "practice/playground/",
    "什麼是教師強制": "practice/training/#teacher-forcing",
    "層正規化": "components/residual-and-layer-norm/#definition",
    "怎麼訓練自己的資料": "practice/data/#own-pairs",
    "束搜尋": "practice/decoding/#beam-search",
    "集束搜尋": "practice/decoding/#beam-search",
    "困惑度": "assembly/output-layer/#definition",
    "為什麼要用多頭": "components/multi-head-attention/",
    "位置編碼是什麼": "components/positional-encoding/#definition",
    "令牌": "start/architecture/#ids",
    "批量大小": "practice/training/#batch-step-epoch",
    "溫度": "practice/decoding/#temperature-by-hand",
    "交叉熵": "practice/training/#loss",
    "如何部署模型": "practice/serving/",
    "内存不足": "practice/batches/#padding-by-strategy",
    "参数量": "assembly/model/#count-by-hand",
    "標籤平滑": "practice/training/#label-smoothing",
    "前饋網路": "components/feed-forward/#definition",
    "梯度消失": "components/scaled-dot-product-attention/#gradients",
    "查詢": "components/scaled-dot-product-attention/#intuition",
    "為什麼一切都看 eos": "assembly/encoder/#source-eos",
}
QUERIES = {"": ENGLISH, "zh-TW/": CHINESE}
MASKS = "components/masks/"
INDEX = "**/search/index.json"


@pytest.fixture
def dialog(page: Page) -> Locator:
    return page.locator("dialog.search")


def open_search(page: Page, address: str = MASKS) -> Locator:
    """The field of the search, opened on a page."""
    page.goto(address)
    page.locator(".search-button").click()
    field = page.get_by_role("searchbox")
    expect(field).to_be_focused()
    return field


def links(page: Page, home: str) -> list[str]:
    """The addresses that the search shows, within their language."""
    found = page.locator("dialog.search a").evaluate_all("links => links.map(link => link.href)")
    return [link.removeprefix(home) for link in found]


@LANGUAGES
def test_a_query_leads_to_its_section(
    page: Page, base_url: str, pages: dict[str, BuiltPage], language: str
) -> None:
    field = open_search(page, f"{language}{API}model/masks/")
    expect(page.get_by_role("status")).to_be_empty()  # the index is there, and answers at once
    known = {*addresses(pages, language)}
    wrong = []
    for query, expected in QUERIES[language].items():
        field.fill(query)
        expect(page.get_by_role("status")).to_have_text(re.compile(r"\d$"))
        found = links(page, base_url + language)
        first = found[0] if found else "nothing"
        if first != expected and ("#" in expected or first.partition("#")[0] != expected):
            wrong.append(f"{query!r} should find {expected}, not {found[:5]}")
        wrong += [f"{query!r} finds {link}, which is not there" for link in {*found} - known]
    assert not wrong, "\n".join(wrong)


def addresses(pages: dict[str, BuiltPage], language: str) -> Iterator[str]:
    """Addresses of pages and anchors, within their language."""
    for page in pages.values():
        if page.url == language + page.name:
            yield page.name
            yield from (f"{page.name}#{anchor}" for anchor in page.ids)


def test_what_no_one_means_breaks_nothing(page: Page) -> None:
    field = open_search(page, f"zh-TW/{MASKS}")
    queries = [
        "機",
        "^",
        "-",
        '"',
        "*",
        "\\",
        "a:b",
        "x^y",
        "the",
        "constructor",
        "(",
        " ",
        "xyzzy",
    ]
    for query in queries:
        field.fill(query)
    expect(page.get_by_role("status")).to_have_text("找到的小節：0")


def test_a_result_shows_its_page_and_marks_words(page: Page, dialog: Locator) -> None:
    field = open_search(page)
    field.fill("subsequent mask")
    first = dialog.get_by_role("link").first
    expect(first).to_contain_text("Why the future must be hidden")
    expect(first.locator("mark").first).to_have_text(re.compile("mask", re.IGNORECASE))
    expect(first).to_contain_text("Masks")
    expect(first).not_to_contain_text("subsequent")  # a name that readers type is not shown


def test_the_dialog_is_worked_by_keys(page: Page, dialog: Locator) -> None:
    field = open_search(page)
    expect(dialog).to_have_accessible_name("Search")
    field.press_sequentially("KV cache")  # one key after the other, without a pause
    expect(page.get_by_role("status")).to_have_text(re.compile("^Sections found: "))
    results = dialog.get_by_role("link")
    for key, focused in [
        ("ArrowDown", results.first),
        ("ArrowDown", results.nth(1)),
        ("ArrowUp", results.first),
        ("ArrowUp", field),
    ]:
        page.keyboard.press(key)
        expect(focused).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator(".search-button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(field).to_have_value("KV cache")
    field.press("Enter")
    page.wait_for_url("**/practice/cache/#cache")


def test_enter_before_the_index_is_there_opens_what_was_typed(page: Page, dialog: Locator) -> None:
    def late(route: Route) -> None:
        page.wait_for_timeout(500)
        route.continue_()

    page.route(INDEX, late)
    field = open_search(page)
    field.press_sequentially("KV cache")
    field.press("Enter")
    page.wait_for_url("**/practice/cache/#cache")


def test_an_enter_of_an_input_method_opens_nothing(page: Page, dialog: Locator) -> None:
    field = open_search(page, f"zh-TW/{MASKS}")
    status = page.get_by_role("status")
    expect(status).to_be_empty()
    devices = page.context.new_cdp_session(page)
    half = {"text": "ㄓㄜ", "selectionStart": 2, "selectionEnd": 2}
    devices.send("Input.imeSetComposition", half)
    page.wait_for_timeout(200)
    expect(status).to_be_empty()  # half a word is not looked up
    devices.send("Input.insertText", {"text": "遮罩"})
    expect(dialog.get_by_role("link").first).to_contain_text("遮罩")
    enter = {"key": "Enter", "code": "Enter", "text": "\r", "windowsVirtualKeyCode": 229}
    devices.send("Input.dispatchKeyEvent", enter | {"type": "keyDown"})  # as in Safari
    devices.send("Input.dispatchKeyEvent", enter | {"type": "keyUp"})
    page.wait_for_timeout(100)
    expect(dialog).to_be_visible()
    field.press("Enter")
    page.wait_for_url(re.compile(f"{MASKS}#"))


@pytest.mark.parametrize(
    ("language", "failed", "again"),
    [
        ("", "The search could not be loaded.", "Try again"),
        ("zh-TW/", "搜尋載入失敗。", "再試一次"),
    ],
)
def test_a_failed_fetch_is_told_and_tried_again(
    first_visit: Page, language: str, failed: str, again: str
) -> None:
    page = first_visit
    page.route(INDEX, lambda route: route.fulfill(status=204))
    field = open_search(page, language + MASKS)
    field.fill("KV cache")
    status = page.get_by_role("status")
    expect(status).to_contain_text(failed)
    page.unroute(INDEX)
    status.get_by_role("button", name=again).click()
    expect(page.locator("dialog.search a").first).to_be_visible()


def test_the_search_goes_on_when_the_network_is_back(first_visit: Page) -> None:
    page = first_visit
    page.route(INDEX, lambda route: route.fulfill(status=204))
    open_search(page).fill("KV cache")
    expect(page.get_by_role("status")).to_contain_text("could not be loaded")
    page.unroute(INDEX)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("dialog.search a").first).to_be_visible()


def test_nothing_of_the_search_is_loaded_before_it_opens(first_visit: Page) -> None:
    asked: list[str] = []
    first_visit.on("request", lambda request: asked.append(request.url))
    first_visit.goto(MASKS)
    expect(first_visit.locator(".search-button")).to_be_visible()  # the script has run
    first_visit.wait_for_load_state("networkidle")
    assert [url.rpartition("/")[2] for url in asked if "/search/" in url] == ["main.js"]


def test_a_slash_opens_the_search_on_a_chinese_keyboard_too(page: Page, dialog: Locator) -> None:
    page.goto(f"zh-TW/{API}model/masks/")
    expect(page.locator(".search-button")).to_have_attribute("title", "搜尋（按 / 鍵）")
    field = page.get_by_role("searchbox")
    for key in ["/", "ㄥ", "、", "／", "Process"]:
        press(page, key)
        expect(field).to_be_focused()
        expect(field).to_have_value("")
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()


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
