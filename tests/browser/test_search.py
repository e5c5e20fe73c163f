"""What readers type into the search, and what they find first."""

import re
from collections.abc import Iterator
from itertools import chain
from posixpath import normpath

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from docs.builder.search_words import place_of
from tests.built_pages import BuiltPage
from tests.built_site import LANGUAGES, ROOT

pytestmark = pytest.mark.browser

# A section, or a page whose section is meant, and what finds it first in each language: terms,
# names of the code, and what learners typed in vain.
SECTIONS = """
assembly/decoder/: what does the decoder do | 解碼器
assembly/decoder/#definition: decoder |
assembly/encoder/: | 編碼器 / 编码器
assembly/encoder/#definition: encoder |
assembly/encoder/#source-eos: | 為什麼一切都看 eos
assembly/output-layer/#definition: generator / perplexity | 困惑度
assembly/output-layer/#logits: logits |
components/feed-forward/#definition: FFN | 前饋神經網絡 / 前饋網路
components/masks/: mask / masks | 掩碼 / 遮罩
components/masks/#definition: | 為什麼要遮罩
components/masks/#empty-rows: nan loss |
components/masks/#why-causal: look-ahead mask / causal mask | 因果遮罩
components/masks/#why-padding: padding token / padding mask | 填充詞元 / padding token
components/multi-head-attention/: attention heads / multi-head attention |
components/multi-head-attention/: | 多頭注意力 / 為什麼要用多頭
components/multi-head-attention/#today: grouped-query attention / GQA | GQA
components/positional-encoding/: why do we need positional encoding | 位置編碼
components/positional-encoding/#definition: | 位置編碼是什麼
components/positional-encoding/#rotary: RoPE |
components/residual-and-layer-norm/: layer norm | 殘差 / 層歸一化
components/residual-and-layer-norm/#definition: layer normalization / LayerNorm | 層正規化
components/residual-and-layer-norm/#intuition: skip connection / residual connection | 跳躍連接
components/scaled-dot-product-attention/#by-hand: Softmax |
components/scaled-dot-product-attention/#gradients: vanishing gradient | 梯度消失
components/scaled-dot-product-attention/#intuition: what is attention / query key value |
components/scaled-dot-product-attention/#intuition: self-attention / attention |
components/scaled-dot-product-attention/#intuition: | 注意力 / 注意力機制 / 注意力机制
components/scaled-dot-product-attention/#intuition: | 自注意力 / 什麼是注意力 / 查詢
components/scaled-dot-product-attention/#scaling: why divide by sqrt(d_k)? |
components/scaled-dot-product-attention/#scaling: | 為什麼要除以根號 dk / 變異數
components/tokens-and-embeddings/#bpe: BPE |
components/tokens-and-embeddings/#intuition: embedding | 詞嵌入 / 嵌入 / embedding
components/tokens-and-embeddings/#pieces: subword |
components/tokens-and-embeddings/#three-matrices: weight tying |
practice/batches/: tokenizer | 分詞
practice/cache/#cache: KV cache | KV cache / ＫＶ ｃａｃｈｅ
practice/data/: train on my own data |
practice/data/#own-pairs: | 怎麼訓練自己的資料
practice/decoding/: | 解碼
practice/decoding/#beam-search: how does beam search work | 束搜索 / 束搜尋 / 集束搜尋
practice/decoding/#definition: greedy decoding |
practice/decoding/#temperature-by-hand: softmax temperature | 溫度
practice/errors-and-attention/: attention map | 注意力圖
practice/long-runs/#fine-tuning: finetune / fine-tune the model | 微調
practice/evaluation/#bleu: BLEU |
practice/larger-machines/#mixed-precision: mixed precision |
practice/larger-machines/#out-of-memory: OOM / out of memory | OOM / 内存不足
practice/larger-machines/#several-processes: | 分散式訓練 / 多卡訓練
start/playground/: mobile | 手機
practice/serving/#deploy: deploy / ONNX | 部署 / 如何部署模型
practice/serving/#definition: quantization |
practice/training/#batch-step-epoch: | 批量大小
practice/training/#clipping: exploding gradients / gradient clipping |
practice/training/#label-smoothing: label smoothing | 標籤平滑
practice/training/#loss: | 損失函數 / 交叉熵
practice/training/#schedule: warm-up / why warm up / Noam |
practice/training/#schedule: | 學習率 / 暖身 / learning rate / 為什麼要暖身
practice/training/#sick-curves: overfitting | 過拟合
practice/training/#teacher-forcing: teacher forcing | 什麼是教師強制
practice/training/#what-goes-wrong: | 常見錯誤
practice/translate/: colab |
reference/api/inference/decoding/#transformer.inference.decoding.beam_search: beam_search |
reference/api/model/attention/#transformer.model.attention.MultiHeadAttention: MultiHeadAttention |
reference/api/model/attention/#transformer.model.attention.MultiHeadAttention: | MultiHeadAttention
reference/api/model/masks/#transformer.model.masks.causal_mask: causal_mask(n) | causal_mask
reference/attention-cost/#cost: quadratic / O(n^2) |
reference/command-line/#scores: --json |
reference/comparison/#from-fairseq: fairseq | fairseq
reference/comparison/: encoder_attention_heads / nn.Transformer |
reference/faq/: FAQ | FAQ / 常見問題
reference/faq/#oov: OOV | OOV
reference/faq/#rlhf: RLHF | RLHF
reference/hyper-parameters/#count-by-hand: number of parameters | 參數數量 / 参数量
reference/paper-ledger/: paper / the paper line by line | 論文
start/architecture/#bridge: encoder-decoder attention / cross-attention |
start/architecture/#bridge: cross attention / what is cross-attention? |
start/architecture/#bridge: | 交叉注意力
start/architecture/#ids: token / what is a token | 詞元 / token / 令牌
start/architecture/#intuition: tranformer |
start/architecture/#memory: memory | 記憶
start/gradients/: | 梯度
start/pytorch/#broadcasting: | 廣播
start/pytorch/#train-and-eval: dropout |
start/setup/#gpu: cuda | 顯卡
start/why-attention/#history: Bahdanau attention |
start/why-attention/#keyhole: RNN |
"""
MASKS = "components/masks/"
INDEX = "**/search/index.json"
QUESTION = re.compile(r"^### (.+) \{ (#.+) \}\n\n(.+)", re.MULTILINE)
LINK = re.compile(r"\]\(((?!https:)[^)#]+)")


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


def queries(language: str) -> Iterator[tuple[str, set[str]]]:
    """Each query of a language, with what it may find first."""
    for line in SECTIONS.strip().splitlines():
        address, _, typed = line.partition(": ")
        english, _, chinese = typed.partition("|")
        for query in (chinese if language else english).split(" / "):
            if query.strip():
                yield query.strip(), {address}


def questions(language: str) -> Iterator[tuple[str, set[str]]]:
    """Each question of the FAQ: it finds its answer, or the page to which the answer links."""
    path = ROOT / "docs" / (language.strip("/") or "en") / "reference" / "faq.md"
    for question, anchor, answer in QUESTION.findall(path.read_text("utf-8")):
        (link,) = LINK.findall(answer)  # one place of the book explains more
        page = place_of(normpath(f"reference/{link}")).removeprefix("index/")
        yield question.replace("`", ""), {f"reference/faq/{anchor}", page}


@LANGUAGES
def test_a_query_leads_to_its_section(
    page: Page, base_url: str, pages: dict[str, BuiltPage], language: str
) -> None:
    field = open_search(page, f"{language}reference/api/model/masks/")
    expect(page.get_by_role("status")).to_be_empty()  # the index is there, and answers at once
    known = {*addresses(pages, language)}
    wrong = []
    for query, expected in chain(queries(language), questions(language)):
        field.fill(query)
        expect(page.get_by_role("status")).to_have_text(re.compile(r"\d$"))
        found = links(page, base_url + language)
        first = found[0] if found else "nothing"
        if not {first, first.partition("#")[0]} & expected:  # a page, or its section
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
    odd = ["機", "^", "-", '"', "*", "\\", "a:b", "x^y", "the", "constructor", "(", " ", "xyzzy"]
    for query in odd:
        field.fill(query)
    expect(page.get_by_role("status")).to_have_text("找到的小節：0")


def test_a_result_shows_its_page_and_marks_words(page: Page, dialog: Locator) -> None:
    field = open_search(page)
    field.fill("subsequent mask")
    first = dialog.get_by_role("link").first
    expect(first).to_contain_text("The causal mask hides later words")
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


@pytest.mark.parametrize("by_hand", [True, False])
def test_a_failed_fetch_is_told_and_tried_again(first_visit: Page, by_hand: bool) -> None:
    page = first_visit
    page.route(INDEX, lambda route: route.fulfill(status=204))
    open_search(page, f"zh-TW/{MASKS}").fill("KV cache")
    status = page.get_by_role("status")
    expect(status).to_contain_text("搜尋載入失敗。")
    page.unroute(INDEX)
    if by_hand:
        status.get_by_role("button", name="再試一次").click()
    else:
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
    page.goto(f"zh-TW/{MASKS}")
    expect(page.locator(".search-button")).to_have_attribute("title", "搜尋（按 / 鍵）")
    field = page.get_by_role("searchbox")
    for key in ["/", "ㄥ", "、", "／", "Process"]:
        press(page, key)
        expect(field).to_be_focused()
        expect(field).to_have_value("")
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()


def test_who_types_elsewhere_is_not_disturbed(page: Page) -> None:
    page.goto("start/playground/")
    sentence = page.locator("#sentence")
    sentence.fill("")
    for key in ["s", "f", "/", "ㄥ"]:
        press(page, key)
    expect(sentence).to_have_value("sf/ㄥ")
    expect(sentence).to_be_focused()
    page.goto("reference/hyper-parameters/")
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
