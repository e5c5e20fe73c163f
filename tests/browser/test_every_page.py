"""Every page, on a laptop and a phone, by day and by night: nothing sticks out, all can read it."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize, expect

from tests.built_site import NAMES, NOT_FOUND

pytestmark = pytest.mark.browser

Options = dict[str, object]
LAPTOP, PHONE = ViewportSize(width=1280, height=800), ViewportSize(width=320, height=640)
STILL = "* { transition: none !important }"  # Material's search box slides when the window changes
FOLD = "open => document.querySelectorAll('details').forEach(e => e.toggleAttribute('open', open))"
# Marks each leaf of the page that has the same ancestors as one before it, and so the same colours.
MARK_REPEATED = """() => {
  const seen = new Set()
  for (const leaf of document.querySelectorAll("body *:not(:has(*))")) {
    let path = ""
    for (let e = leaf; e; e = e.parentElement)
      path += `${e.tagName} ${e.getAttribute("class")} ${e.getAttribute("style")}, `
    leaf.toggleAttribute("data-repeated", seen.has(path))
    seen.add(path)
  }
}"""
REPEATED: Options = {"exclude": [["[data-repeated]"]]}
# What reaches beyond the window's edge, when the page is wider than the window.
STICKS_OUT = """() => {
  const room = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth <= room) return []
  return [...document.querySelectorAll("main *, header *, footer *")]
    .filter(e => e.getBoundingClientRect().right > room)
    .map(e => `${e.outerHTML.slice(0, 120)} ends at ${e.getBoundingClientRect().right}px`)
}"""
# The frame of a table has no tabindex, since most do not scroll: Chromium and Firefox let the
# keyboard into every box that does, but axe does not count on that.
TABLE = '<div class="md-typeset__scrollwrap">'
# Two thirds of axe's time. Both languages have the same colours: it looks at one.
COLOURS = ["color-contrast", "link-in-text-block"]
ONLY_COLOURS: Options = {"runOnly": {"type": "rule", "values": COLOURS}}
BUT_COLOURS: Options = {"rules": {rule: {"enabled": False} for rule in COLOURS}}


@pytest.mark.parametrize("language", ["", "zh-TW/"], ids=["en", "zh-TW"])
@pytest.mark.parametrize("name", NAMES)
def test_a_page(page: Page, name: str, language: str) -> None:
    coloured = not (language or is_like_others(name))
    visit(page, language + name)
    if not (language and is_like_others(name)):
        check_axe(page, BUT_COLOURS)
    if coloured:
        page.evaluate(MARK_REPEATED)
        check_axe(page, ONLY_COLOURS, REPEATED)
    check_width(page)
    page.set_viewport_size(PHONE)
    check_width(page)
    turn_dark(page)
    check_width(page)
    if coloured:
        page.set_viewport_size(LAPTOP)
        check_axe(page, ONLY_COLOURS, REPEATED)


def test_the_page_for_what_is_not_there(page: Page) -> None:
    test_a_page(page, NOT_FOUND, "")


def is_like_others(name: str) -> bool:
    """Whether one template makes the page and its neighbours: axe then looks at one of them."""
    return name.startswith("reference/api/") and name != "reference/api/model/attention/"


def visit(page: Page, url: str) -> None:
    page.set_viewport_size(LAPTOP)
    page.goto(url)
    page.add_style_tag(content=STILL)


def turn_dark(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")


def check_width(page: Page) -> None:
    page.evaluate(FOLD, True)
    sticking_out = page.evaluate(STICKS_OUT)
    page.evaluate(FOLD, False)
    assert not sticking_out, "\n".join(sticking_out[-8:])


def check_axe(page: Page, options: Options, context: Options | None = None) -> None:
    options = options | {"resultTypes": ["violations"]}
    violations = Axe().run(page, context, options).response["violations"]
    found = [
        f"{violation['help']}: {node['html'][:200]}: {node['failureSummary']}"
        for violation in violations
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
        if TABLE not in node["html"]
    ]
    assert not found, "\n".join(found[:8])
