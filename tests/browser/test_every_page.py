"""Every page, on a laptop and a phone, by day and by night: nothing sticks out, all can read it."""

from collections.abc import Iterator
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.built_site import LANGUAGES, NAMES, NOT_FOUND, check_quiet, watched

pytestmark = pytest.mark.browser

Options = dict[str, object]
LAPTOP, PHONE = ViewportSize(width=1280, height=800), ViewportSize(width=320, height=640)
# Material's search box slides when the window changes; axe knows no colour on a gradient, such as
# the shadow at the edge of what scrolls; and readers have fonts of many widths: this one is wide.
STILL = """* { transition: none !important } .md-typeset__scrollwrap { background: none !important }
:root { --sans: "DejaVu Sans", sans-serif !important }"""
# Before a page is laid out, which would else happen twice.
FROM_THE_START = f"""const sheet = new CSSStyleSheet()
sheet.replaceSync(`{STILL}`)
document.adoptedStyleSheets = [sheet]"""
FOLD = "open => document.querySelectorAll('details').forEach(e => e.toggleAttribute('open', open))"
# Leaves one element of each kind that no page before had: those with the same ancestors have the
# same colours. Seen or not, text or not, count too: axe passes over what is hidden, and over
# single letters. Forms stay: the theme turns dark by one.
NEW_KINDS = """() => {
  const kind = leaf => {
    const names = [leaf.checkVisibility(), /[\\p{L}\\p{N}]{2}/u.test(leaf.textContent)]
    for (let e = leaf; e; e = e.parentElement)
      names.push(e.tagName, e.getAttribute("class"), e.getAttribute("style"))
    return names.join()
  }
  const known = new Set(JSON.parse(sessionStorage.getItem("kinds") ?? "[]"))
  const found = new Map()
  for (let more = [0]; more.length;) {
    const leaves = [...document.querySelectorAll("body *:not(:has(*), form *)")]
    for (const leaf of leaves) if (!known.has(kind(leaf))) found.set(kind(leaf), leaf)
    const first = new Set(found.values())
    more = leaves.filter(leaf => !first.has(leaf))
    for (const leaf of more) leaf.remove()
  }
  sessionStorage.setItem("kinds", JSON.stringify([...known, ...found.keys()]))
}"""
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
# Two thirds of axe's time. Both languages have the same colours: it looks at one. Of the other
# rules the translation is asked those about words: its elements are those of the English page,
# docs/checks/pairs.py sees to that.
COLOURS = ["color-contrast", "link-in-text-block"]
ONLY_COLOURS: Options = {"runOnly": {"type": "rule", "values": COLOURS}}
BUT_COLOURS: Options = {"rules": {rule: {"enabled": False} for rule in COLOURS}}
ABOUT_WORDS = ["cat.language", "cat.name-role-value", "cat.text-alternatives"]
ONLY_WORDS: Options = {"runOnly": {"type": "tag", "values": ABOUT_WORDS}}


@pytest.fixture(scope="module")
def reader(browser: Browser, base_url: str) -> Iterator[tuple[Page, list[str]]]:
    """Goes from page to page: a first visit to each would run the theme's scripts anew."""
    with watched(browser, base_url) as opened:
        opened[0].add_init_script(FROM_THE_START)
        yield opened


@pytest.fixture
def page(reader: tuple[Page, list[str]]) -> Iterator[Page]:
    page, complaints = reader
    yield page
    page.evaluate("0")  # what the page said before is here by now
    check_quiet(complaints)


@LANGUAGES
@pytest.mark.parametrize("name", NAMES)
def test_a_page(page: Page, name: str, language: str) -> None:
    coloured = not (language or is_like_others(name))
    visit(page, language + name)
    if not (language and is_like_others(name)):
        check_axe(page, ONLY_WORDS if language else BUT_COLOURS)
    check_width(page)
    page.set_viewport_size(PHONE)
    check_width(page)
    turn(page, "dark", "slate")
    check_width(page)
    if coloured:
        page.set_viewport_size(LAPTOP)
        page.evaluate(NEW_KINDS)
        check_axe(page, ONLY_COLOURS)
        turn(page, "light", "default")
        check_axe(page, ONLY_COLOURS)


def test_the_page_for_what_is_not_there(page: Page) -> None:
    test_a_page(page, NOT_FOUND, "")


def is_like_others(name: str) -> bool:
    """Whether one template makes the page and its neighbours: axe then looks at one of them."""
    return name.startswith("reference/api/") and name != "reference/api/model/attention/"


def visit(page: Page, url: str) -> None:
    page.set_viewport_size(LAPTOP)
    page.emulate_media(color_scheme="light")
    page.goto(url)


def turn(page: Page, device: Literal["dark", "light"], scheme: str) -> None:
    page.emulate_media(color_scheme=device)
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", scheme)


def check_width(page: Page) -> None:
    page.evaluate(FOLD, True)
    sticking_out = page.evaluate(STICKS_OUT)
    page.evaluate(FOLD, False)
    assert not sticking_out, "\n".join(sticking_out[-8:])


def check_axe(page: Page, options: Options, part: str | None = None) -> None:
    """What axe finds in a part of ours, or of whole pages what it finds serious."""
    axe = Axe("0") if page.evaluate("'axe' in window") else Axe()  # it is sent to a page only once
    answer = axe.run(page, part, options | {"resultTypes": ["violations"]}).response
    found = [
        f"{violation['help']}: {node['html'][:200]}: {node['failureSummary']}"
        for violation in answer["violations"]
        if part or violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
        if TABLE not in node["html"]
    ]
    assert not found, "\n".join(found[:8])
