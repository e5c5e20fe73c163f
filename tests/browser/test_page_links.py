"""What stands beside a page's text: its notebook, its source, an edit, a report."""

from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.built_site import LANGUAGES, REPOSITORY, SITE_URL

pytestmark = pytest.mark.browser

MASKS = "components/masks/"
API = "reference/api/model/masks/"
NOTEBOOK = {"": "Open as a notebook (.ipynb)", "zh-TW/": "以筆記本開啟（.ipynb）"}
LABELS = {
    "": ["View source", "Edit this page", "Report a problem"],
    "zh-TW/": ["檢視原始碼", "編輯本頁", "回報問題"],
}
FOR_ASSISTANTS = {
    "": ["This page as Markdown", "For assistants: llms.txt"],
    "zh-TW/": ["本頁的 Markdown", "給 AI 助理看的 llms.txt"],
}
FOOT = {"": "This page", "zh-TW/": "本頁"}
PHONE = ViewportSize(width=320, height=568)


def foot(page: Page, language: str) -> Locator:
    return page.get_by_role("navigation", name=FOOT[language], exact=True).get_by_role("link")


@LANGUAGES
def test_a_page_is_downloaded_as_a_notebook(page: Page, language: str) -> None:
    page.goto(language + MASKS)
    links = page.get_by_role("link", name=NOTEBOOK[language], exact=True)
    expect(links).to_have_count(2)
    for link in links.all():
        with page.expect_download() as download:
            link.click()
        assert download.value.suggested_filename == "components-masks.ipynb"
        notebook = nbformat.read(download.value.path(), 4)
        assert f"%pip install git+{REPOSITORY}" in notebook.cells[0].source
        assert notebook.cells[0].source.startswith(f"# {'取自' if language else 'From'}")


@LANGUAGES
def test_a_page_leads_to_its_source(page: Page, language: str, base_url: str) -> None:
    page.goto(language + MASKS)
    labels = [NOTEBOOK[language], *LABELS[language], *FOR_ASSISTANTS[language]]
    expect(foot(page, language)).to_have_text(labels)
    links = foot(page, language).all()[1:]
    source, edit, report, *_ = (link.get_attribute("href") for link in links)
    file = f"docs/{language or 'en/'}components/masks.md"
    assert source == f"{REPOSITORY}/blob/main/{file}?plain=1"
    assert edit == f"{REPOSITORY}/edit/main/{file}"
    words = parse_qs(urlsplit(report).query)
    assert report.startswith(f"{REPOSITORY}/issues/new?")
    assert words["title"] == [f"{'遮罩' if language else 'Masks'}: "]
    assert words["body"] == [f"{SITE_URL}{language}{MASKS}\n\n"]
    for link, start in zip(links[3:], ["---\ntitle: ", "# "], strict=True):
        address = link.evaluate("link => link.href").replace(SITE_URL, base_url)
        assert page.request.get(address).text().startswith(start)


@LANGUAGES
def test_an_api_page_leads_to_its_module(page: Page, language: str) -> None:
    page.goto(language + API)
    source, edit, *_ = (link.get_attribute("href") for link in foot(page, language).all())
    assert source == f"{REPOSITORY}/blob/main/transformer/model/masks.py"
    words = "docs/locales/zh-TW.po" if language else "transformer/model/masks.py"
    assert edit == f"{REPOSITORY}/edit/main/{words}"
    page.goto(f"{language}reference/api/data/grammar/")
    source = foot(page, language).first.get_attribute("href")
    assert source == f"{REPOSITORY}/blob/main/transformer/data/grammar/__init__.py"


@LANGUAGES
def test_a_finger_finds_each_link(page: Page, language: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(language + MASKS)
    head = page.get_by_role("link", name=NOTEBOOK[language], exact=True).first
    switch = page.locator(".language-switch a").bounding_box()
    boxes = [link.bounding_box() for link in [head, *foot(page, language).all()]]
    assert all(box["height"] >= 44 and box["width"] >= 44 for box in boxes), boxes
    room = page.evaluate("document.documentElement.clientWidth")
    assert all(box["x"] + box["width"] <= room for box in [*boxes, switch])
    lines = page.locator(".language-switch a").evaluate("link => link.getClientRects().length")
    assert lines == 1, "the words of the other language are broken in two"
    title = page.locator("h1").bounding_box()
    assert title["y"] < PHONE["height"] / 3
