"""What readers do: change the language, copy code, unfold a tree, turn the lights off."""

import re
from urllib.parse import urldefrag

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

ATTENTION = "components/scaled-dot-product-attention/"
MASKS = "components/masks/"
COMMANDS = "reference/command-line/"
CALLS = "reference/calling-sequence/"
TRAINING = "practice/training/"
API = "reference/api/model/attention/"

# What Material's script puts into the clipboard for each block of code.
AS_COPIED = """blocks => blocks.map(block => {
  block.setAttribute("data-md-copying", "")
  const text = block.innerText.trimEnd()
  block.removeAttribute("data-md-copying")
  return text
})"""
# What has a transition or an animation, by itself or before and after it.
MOVING = """() => [...document.all].filter(e => [null, "::before", "::after"].some(part => {
  const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(e, part)
  return transitionDuration !== "0s" || animationName !== "none" || scrollBehavior !== "auto"
})).map(e => e.outerHTML.slice(0, 100))"""
# A heading below the header, unless the page ends before.
ARRIVED = """anchor => {
  const { top } = document.getElementById(anchor).getBoundingClientRect()
  const end = innerHeight + scrollY > document.documentElement.scrollHeight - 2
  return 0 <= top && (top < 160 || end)
}"""
# How far the place that is kept for code or a figure is from the one that it needs.
MISJUDGED = """all => {
  const height = block => block.getBoundingClientRect().height
  const kept = all.map(height)
  for (const block of all) block.style.contentVisibility = "visible"
  return all.map((block, i) => Math.abs(kept[i] - height(block)))
}"""
PROMPT = re.compile(r"(?:>>>|\.\.\.|\$) (.*)")


@pytest.mark.parametrize("name", ["", API])
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


# What arrives late above a heading moves it down, as on a slow device.
SLIDE = """heading => {
  document.documentElement.style.overflowAnchor = "none"
  document.querySelector(heading).style.marginTop = "300px"
}"""


def test_the_language_changes_in_the_same_section(page: Page, base_url: str) -> None:
    ready = "domcontentloaded"  # scripts have run; a busy machine may be late with the rest
    page.goto(f"{MASKS}#code")
    expect(page.locator("#code")).to_be_in_viewport()
    page.evaluate(SLIDE, "#code")
    page.locator("header .md-select button").click()
    page.get_by_role("link", name="繁體中文", exact=True).click()
    page.wait_for_url(f"{base_url}zh-TW/{MASKS}#code", wait_until=ready)
    expect(page.locator("#code")).to_be_in_viewport()
    page.locator("#why-padding").evaluate("heading => heading.scrollIntoView()")
    page.locator("header .md-select button").click()
    page.get_by_role("link", name="English", exact=True).press("Enter")
    page.wait_for_url(f"{base_url}{MASKS}#*", wait_until=ready)
    assert urldefrag(page.url).fragment == "why-padding"
    page.goto("start/playground/#step=4&layer=1")
    page.get_by_role("link", name="閱讀本頁的繁體中文版").click()
    page.wait_for_url(f"{base_url}zh-TW/start/playground/#*step=4&layer=1*", wait_until=ready)


@pytest.mark.parametrize(("name", "width"), [(TRAINING, 320), (CALLS, 1280)])
def test_an_anchor_leads_to_its_section(page: Page, name: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(name)
    anchors = page.locator("article :is(h2, h3)[id]").evaluate_all("all => all.map(e => e.id)")
    assert len(anchors) > 10
    for anchor in [*anchors[::-3], *anchors[1::3]]:  # up and down, none twice in a row
        page.evaluate("anchor => { location.hash = anchor }", anchor)
        page.wait_for_function(ARRIVED, arg=anchor)


@pytest.mark.parametrize(("name", "width"), [(f"zh-TW/{TRAINING}", 320), (ATTENTION, 1280)])
def test_what_is_laid_out_later_has_its_place(page: Page, name: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(name)
    blocks = page.locator("article figure, article pre").locator("visible=true")
    misjudged = blocks.evaluate_all(MISJUDGED)
    assert len(misjudged) > 10
    assert max(misjudged) < 12, "pixels"


@pytest.mark.parametrize("name", [MASKS, f"zh-TW/{COMMANDS}"])
def test_copying_a_session_copies_what_was_typed(page: Page, name: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(name)
    page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
    page.add_style_tag(content="pre { content-visibility: visible !important }")  # innerText asks
    blocks = page.locator(".highlight:has(.gp):has(.go)")
    sessions = blocks.locator("code")
    wanted = [typed(block.inner_text()) for block in sessions.all()]
    assert all(wanted)
    assert sessions.evaluate_all(AS_COPIED) == wanted
    assert name != MASKS or page.locator(".gt").count()  # where an error is shown
    for number in {0, len(wanted) - 1}:
        blocks.nth(number).hover()
        blocks.nth(number).locator("[data-md-type=copy]").click()
        assert page.evaluate("navigator.clipboard.readText()") == wanted[number]


def typed(session: str) -> str:
    """What somebody typed of a session, line by line."""
    return "\n".join(found[1] for line in session.splitlines() if (found := PROMPT.match(line)))


def test_figures_follow_the_theme_and_the_choice_stays(page: Page) -> None:
    page.goto(ATTENTION)
    label = "document.querySelector('.figure svg text')"
    ink = f"getComputedStyle({label}).fill"
    paper = "getComputedStyle(document.body).backgroundColor"
    scrollbar = "getComputedStyle(document.documentElement).colorScheme"
    by_day = [page.evaluate(seen) for seen in (ink, paper, scrollbar)]
    for choice in (1, 2):  # light, then dark
        page.locator(f"label[for=__palette_{choice}]").click()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    by_night = [page.evaluate(seen) for seen in (ink, paper, scrollbar)]
    assert all(day != night for day, night in zip(by_day, by_night)), by_day
    page.goto(f"zh-TW/{ATTENTION}")
    page.goto(API)
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")


def test_a_first_visit_by_night_is_dark(first_visit: Page) -> None:
    page = first_visit
    page.emulate_media(color_scheme="dark")
    page.goto(ATTENTION)
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")


def test_nothing_moves_for_who_does_not_want_it(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    for name in [CALLS, "start/playground/"]:
        page.goto(name)
        assert page.evaluate(MOVING) == []  # at once: an element that is taken away has no style


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
