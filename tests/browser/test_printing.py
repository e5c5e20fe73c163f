"""On paper: a page whole and unfolded, and the page to print on its two sheets."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.built_site import LANGUAGES

pytestmark = pytest.mark.browser

A4 = ViewportSize(width=718, height=1046)  # in pixels of CSS, within margins of a centimetre
CHAPTERS = ["components/masks/", "zh-TW/practice/training/", "reference/calling-sequence/"]
PAPER = "a => getComputedStyle(a, '::after').content.replaceAll('\"', '')"
# What a reader of the paper does not see, because it is folded away.
FOLDED = """all => all.filter(e => !e.closest(".calltree > details") && !e.checkVisibility())
  .map(e => e.outerHTML.slice(0, 120))"""


@LANGUAGES
def test_the_hand_made_model_prints_on_two_sheets(first_visit: Page, language: str) -> None:
    page = first_visit  # what is printed afterwards from the same page may lack its style
    page.goto(f"{language}assembly/by-hand-sheet/")
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 2


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_on_paper_is_whole(plain: Page, name: str) -> None:
    """Without a script, since Material's own unfolds what is folded."""
    page = plain
    page.set_viewport_size(A4)
    page.emulate_media(media="print")
    page.goto(name)
    assert page.locator("article details").count()
    assert page.locator("article details > :not(summary)").evaluate_all(FOLDED) == []
    for figure in page.locator("article figure").all():
        box = figure.bounding_box()
        assert box
        assert box["height"] < A4["height"], figure.inner_html()[:200]
        assert figure.evaluate("e => getComputedStyle(e).breakInside") == "avoid"
    sticking_out = "all => all.filter(e => e.scrollWidth > e.clientWidth + 1).length"
    assert page.locator("article :is(pre > code, .calltree > ul)").evaluate_all(sticking_out) == 0
    expect(page.locator(".page-notebook, .page-links").locator("visible=true")).to_have_count(0)


def test_links_on_paper_say_where_they_lead(page: Page) -> None:
    page.goto("components/masks/")
    page.emulate_media(media="print")
    printed = [link.evaluate(PAPER) for link in page.locator("article p a[href]").all()]
    assert " (https://arxiv.org/abs/1706.03762)" in printed
    assert "none" in printed  # within the page


COLOURS = """() => ["body", "article p", "pre code", "h2", ".figure text"].map(name => {
  const { color, fill, backgroundColor } = getComputedStyle(document.querySelector(name))
  return [name, color, fill, backgroundColor].join()
})"""


def test_paper_has_the_colours_of_the_day_whatever_the_screen_shows(page: Page) -> None:
    page.goto("components/masks/")
    found = {}
    for media in ("print", "screen"):
        page.emulate_media(media=media, reduced_motion="reduce")
        for scheme in ("default", "slate"):
            page.evaluate("scheme => document.body.dataset.mdColorScheme = scheme", scheme)
            found[media, scheme] = page.evaluate(COLOURS)
    assert found["print", "slate"] == found["print", "default"]
    assert found["screen", "slate"] != found["screen", "default"]
