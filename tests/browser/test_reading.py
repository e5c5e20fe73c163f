"""What readers do: change the language, copy code, unfold a tree, turn the lights off."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

ATTENTION = "components/scaled-dot-product-attention/"
CALLS = "assembly/calling-sequence/"
API = "reference/api/model/attention/"


@pytest.mark.parametrize("name", ["", ATTENTION, API])
def test_the_language_changes_on_the_same_page(page: Page, base_url: str, name: str) -> None:
    page.goto(name)
    page.locator("header .md-select button").click()
    page.get_by_role("link", name="繁體中文", exact=True).click()
    page.wait_for_url(f"{base_url}zh-TW/{name}")
    page.get_by_role("link", name="Read this page in English").click()
    page.wait_for_url(base_url + name)
    page.get_by_role("link", name="閱讀本頁的繁體中文版").click()
    page.wait_for_url(f"{base_url}zh-TW/{name}")
    page.locator("header .md-select button").click()
    page.get_by_role("link", name="English", exact=True).click()
    page.wait_for_url(base_url + name)


def test_copying_a_session_copies_its_code(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(ATTENTION)
    blocks = page.locator(".highlight:has(.gp):has(.go):visible")
    assert blocks.count()
    for block in blocks.all()[:4]:
        lines = block.locator("code").inner_text().splitlines()
        code = [line[4:] for line in lines if line.startswith((">>> ", "... "))]
        block.hover()
        block.locator("[data-md-type=copy]").click()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert [line for line in copied.splitlines() if line.strip()] == code


@pytest.mark.parametrize("language", ["", "zh-TW/"], ids=["en", "zh-TW"])
def test_a_tree_folds_by_keyboard_and_leads_to_the_api(
    page: Page, base_url: str, language: str
) -> None:
    page.goto(language + CALLS)
    folded = ".calltree ul details:not([open]) > summary"
    summary = page.locator(folded).locator("visible=true").first.element_handle()
    for is_open in (True, False):
        summary.focus()
        page.keyboard.press("Enter")
        assert summary.evaluate("e => e.parentElement.open") is is_open
    page.locator(".calltree ul a[href*='reference/api/']").last.click()
    page.wait_for_url(f"{base_url}{language}reference/api/**")
    expect(page.locator(":target")).to_be_in_viewport()


def test_figures_follow_the_theme_and_the_choice_stays(page: Page) -> None:
    page.goto(ATTENTION)
    label = "document.querySelector('.figure svg text')"
    ink = f"getComputedStyle({label}).fill"
    paper = "getComputedStyle(document.body).backgroundColor"
    by_day = [page.evaluate(ink), page.evaluate(paper)]
    for choice in (1, 2):  # light, then dark
        page.locator(f"label[for=__palette_{choice}]").click()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    by_night = [page.evaluate(ink), page.evaluate(paper)]
    assert all(day != night for day, night in zip(by_day, by_night)), by_day
    page.goto(f"zh-TW/{ATTENTION}")
    page.goto(API)
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")


def test_a_first_visit_by_night_is_dark(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(ATTENTION)
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")


@pytest.mark.parametrize("name", [ATTENTION, CALLS])
def test_the_keyboard_shows_where_it_is(page: Page, name: str) -> None:
    page.goto(name)
    page.locator("article h1").click()
    seen = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        focused = page.locator(":focus")
        what, outline = focused.evaluate("e => [e.outerHTML, getComputedStyle(e).outline]")
        seen.add(what)
        assert "none" not in outline, what
    assert len(seen) > 20
