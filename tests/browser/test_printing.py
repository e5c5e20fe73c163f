"""The page to print: all its tables on two sheets of A4, and nothing else."""

import re

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("language", ["", "zh-TW/"], ids=["en", "zh-TW"])
def test_the_hand_made_model_prints_on_two_sheets(page: Page, language: str) -> None:
    page.goto(f"{language}start/by-hand-sheet/")
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 2
