"""Every page, on a laptop and a phone, by day and by night: nothing sticks out, all can read it."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize

from tests.built_site import NAMES

pytestmark = pytest.mark.browser

LAPTOP, PHONE = ViewportSize(width=1280, height=800), ViewportSize(width=390, height=844)
# What reaches beyond the window's edge when the page is wider than the window.
STICKS_OUT = """() => {
  const room = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth <= room) return []
  return [...document.querySelectorAll("body *")]
    .filter(e => e.getBoundingClientRect().right > room + 1)
    .map(e => `${e.tagName} ${e.id} ${e.className}: ${e.textContent.slice(0, 60)}`)
}"""
OPEN_ALL = "document.querySelectorAll('details').forEach(details => { details.open = true })"
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["", "zh-TW/"], ids=["en", "zh-TW"])
@pytest.mark.parametrize("name", NAMES)
def test_page(page: Page, base_url: str, name: str, language: str, scheme: str) -> None:
    light = scheme == "light"
    page.emulate_media(color_scheme="light" if light else "dark")
    for size in (LAPTOP, PHONE) if light else (PHONE, LAPTOP):
        page.set_viewport_size(size)
        if page.url == "about:blank":
            page.goto(language + name)
            page.evaluate(OPEN_ALL)
        sticking_out = page.evaluate(STICKS_OUT)
        assert not sticking_out, "\n".join(sticking_out[:8])
        if size == LAPTOP:  # only the colours are not the same at night
            violations = Axe().run(page, options={} if light else CONTRAST).response["violations"]
            serious = [v for v in violations if v["impact"] in ("serious", "critical")]
            assert not serious, "\n".join(
                f"{v['id']}: {v['help']}: {node['html'][:200]} ({node['failureSummary']})"
                for v in serious
                for node in v["nodes"][:4]
            )
