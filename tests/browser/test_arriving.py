"""How readers come in by a wrong address, and what a page tells machines about the others."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.built_site import NOT_FOUND

pytestmark = pytest.mark.browser

MASKS = "components/masks/"
WRONG = "zh-TW/components/mask/"


@pytest.fixture
def lost(page: Page, site: Path) -> Page:
    """A reader at an address where nothing is: the host sends the page that is meant for this."""
    page.route(f"**/{WRONG}", lambda route: route.fulfill(path=site / NOT_FOUND))
    page.goto(WRONG)
    return page


@pytest.mark.parametrize(
    ("language", "home", "link"), [("en", "", "To the home page"), ("zh-TW", "zh-TW/", "回首頁")]
)
def test_a_lost_reader_finds_home(
    lost: Page, base_url: str, language: str, home: str, link: str
) -> None:
    half = lost.locator(f"section[lang={language}]")
    half.get_by_role("link", name=link).click()
    lost.wait_for_url(base_url + home)


@pytest.mark.parametrize(
    ("language", "home", "word"), [("en", "", "mask"), ("zh-TW", "zh-TW/", "遮罩")]
)
def test_a_lost_reader_searches(lost: Page, language: str, home: str, word: str) -> None:
    box = lost.locator(f"section[lang={language}]").get_by_role("searchbox")
    box.fill(word)
    box.press("Enter")
    found = lost.locator(f"dialog.search a[href*='/{home}{MASKS}']")
    expect(found.first).to_be_visible(timeout=20_000)  # the index may still be on its way


def test_what_is_pressed_is_large_enough(lost: Page) -> None:
    lost.set_viewport_size({"width": 390, "height": 844})
    for control in lost.locator("section :is(a, button, input)").all():
        box = control.bounding_box()
        assert box
        assert box["height"] >= 44
