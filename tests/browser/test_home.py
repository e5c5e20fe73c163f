"""The sentence on the home page: nothing is loaded until a reader touches it."""

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from tests.browser.test_every_page import STICKS_OUT, check_axe
from tests.built_site import LANGUAGES
from transformer import Tokenizer, Transformer
from transformer.inference.attention_table import bridge_attention
from transformer.inference.translation import translate

pytestmark = pytest.mark.browser

LAPTOP, PHONE = ViewportSize(width=1366, height=768), ViewportSize(width=390, height=844)
SENTENCE = "The cat that the farmer likes is sleeping."
SHARES = """steps => steps.map(step => [...step.querySelectorAll("line")].map(
  line => Number(line.style.getPropertyValue("--share"))))"""


def ask(page: Page, sentence: str) -> None:
    page.locator(".live input").fill(sentence)
    page.locator(".live button").click()


@LANGUAGES
def test_nothing_is_loaded_before_the_touch(first_visit: Page, language: str) -> None:
    asked: list[str] = []
    first_visit.on("request", lambda request: asked.append(request.url))
    first_visit.goto(language)
    first_visit.wait_for_load_state("networkidle")
    assert not [url for url in asked if "/models/" in url or "/playground/" in url]
    first_visit.locator(".live input").focus()
    expect(first_visit.locator(".live [role=status]")).to_contain_text("2.3 MB")
    first_visit.locator(".live input").press("Enter")
    output = first_visit.locator(".live output")
    expect(output).to_contain_text("那隻貓昨天吃了兩條魚。")
    assert ("that (measure) cat yesterday" in output.inner_text()) is (language == "")
    expect(first_visit.locator(".live figcaption")).to_contain_text("93%")  # as in the figure
    expect(first_visit.locator(".live [role=status]")).to_be_empty()
    ask(first_visit, SENTENCE)
    expect(output).to_contain_text("。")
    assert len([url for url in asked if "/models/" in url]) == 2
    output.locator("a").click()
    expect(first_visit.locator("#sentence")).to_have_value(SENTENCE)


def test_it_writes_and_looks_as_the_package_does(
    page: Page, shipped: tuple[Transformer, Tokenizer]
) -> None:
    [target] = translate(*shipped, [SENTENCE])
    _, written, weights = bridge_attention(*shipped, SENTENCE, target)
    page.goto("")
    ask(page, SENTENCE)
    steps = page.locator(".live g")
    expect(steps.first).to_be_visible()
    assert steps.count() < len(written) - 1  # one after the other
    expect(page.locator(".live output")).to_contain_text(target)
    for found, row in zip(steps.evaluate_all(SHARES), weights[:-1].tolist(), strict=True):
        assert found == pytest.approx([share for share in row if share >= 0.05], abs=1e-3)
    steps.first.locator("text").hover()
    expect(page.locator(".live figcaption")).to_contain_text(written[0])


def test_a_sentence_that_is_being_written_gives_way_to_the_next(page: Page) -> None:
    page.goto("")
    ask(page, SENTENCE)
    expect(page.locator(".live g").first).to_be_visible()
    ask(page, "birds like tea")
    expect(page.locator(".live output")).to_contain_text("鳥都喜歡茶。")
    assert page.locator(".live g").count() == len("鳥都喜歡茶。")


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("我愛你", "The model reads English"),
        ("The dinosaur sleeps.", "never showed the model “dinosaur”"),
        (" ", "Type a sentence first."),
        ("cat " * 60, "at most 200"),
    ],
)
def test_what_it_cannot_know_is_said(page: Page, sentence: str, said: str) -> None:
    page.goto("")
    ask(page, sentence)
    expect(page.locator(".live [role=status]")).to_contain_text(said)


def test_who_has_no_connection_is_told_and_may_try_again(browser: Browser, base_url: str) -> None:
    page = browser.new_page(base_url=base_url)

    def refuse(route: Route) -> None:
        route.fulfill(status=503)

    page.route("**/models/*", refuse)
    page.goto("zh-TW/")
    ask(page, SENTENCE)
    expect(page.locator(".live [role=status]")).to_contain_text("模型載入失敗")
    expect(page.locator(".live figure [role=img]")).to_be_visible()
    page.unroute("**/models/*", refuse)
    page.locator(".live button").click()
    expect(page.locator(".live output")).to_contain_text("貓")
    page.close()


@LANGUAGES
def test_without_a_script_the_picture_stands_there(plain: Page, language: str) -> None:
    plain.goto(language)
    expect(plain.locator(".live figure [role=img]")).to_be_visible()
    expect(plain.locator(".live form")).to_be_hidden()


@LANGUAGES
@pytest.mark.parametrize("window", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_first_screen_has_a_sentence_and_a_door(
    page: Page, language: str, window: ViewportSize
) -> None:
    page.set_viewport_size(window)
    page.emulate_media(reduced_motion="reduce")
    page.goto(language)
    for part in ("h1", ".facts", ".live button", ".live figure", ".doors li:first-child a"):
        expect(page.locator(part)).to_be_in_viewport(ratio=0.99)
    is_laptop = window == LAPTOP
    expect(page.locator(".map")).to_be_visible(visible=is_laptop)  # folded on a phone
    for sentence in (SENTENCE, "The dinosaur sleeps."):
        ask(page, sentence)
        expect(page.locator(".live output")).to_contain_text("。")
        assert not page.evaluate(STICKS_OUT)
        check_axe(page, {}, ".live")
