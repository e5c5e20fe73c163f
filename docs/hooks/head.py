"""What others read of the site: the head of each page, the sitemap, the page for what is not there.

The templates are in docs/theme.
"""

import re
from dataclasses import replace
from html import unescape
from typing import Any
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from docs.builder.head import Head
from docs.builder.not_found import told
from docs.builder.versions import NAMES, alternates, versions

TAG = re.compile("<[^>]*>")
ONCE = {"404.html", "robots.txt", "sitemap.xml"}  # for both languages, at the root


def on_page_context(
    context: dict[str, Any], *, page: Page, config: MkDocsConfig, nav: Navigation
) -> dict[str, Any]:
    """Say what the page looks like from outside."""
    home, title = nav.homepage, page.title or ""
    parts = [part.title or "" for part in list(page.ancestors)[-1:]]
    headings = [unescape(TAG.sub("", heading.title)) for heading in page.toc]
    head = Head(
        url=page.url,
        language=config.theme["language"],
        site_url=config.site_url or "/",
        site_name=config.site_name,
        heading=headings[0] if headings else title,
        description=page.meta.get("description", config.site_description),
        trail=((home and home.title) or "", *parts, title),
    )
    return context | {"head": head, "versions": head.versions}


def on_template_context(
    context: dict[str, Any], *, template_name: str, config: MkDocsConfig
) -> dict[str, Any]:
    """Name the homes in both languages, and every page with its translation."""
    language, site_url = config.theme["language"], config.site_url or "/"
    homes = versions("", language, site_url)
    pages = [versions(file.page.url, language, site_url) for file in context["pages"]]
    return context | {
        "versions": [replace(home, link=urlsplit(home.address).path) for home in homes],
        "entries": [(one.address, alternates(page)) for page in pages for one in page],
        "told": {code: told(code) for code in NAMES},
    }


def on_post_template(output: str, template_name: str, config: MkDocsConfig) -> str:
    """Leave out of the Chinese site what stands at the root for both languages."""
    return "" if config.theme["language"] == "zh-TW" and template_name in ONCE else output
