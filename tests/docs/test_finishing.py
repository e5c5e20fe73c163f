"""The last touches on a page change nothing that a reader reads."""

from pathlib import Path

import markdown
import material
import pytest

from docs.builder.finishing import BY_SCRIPT, INSTEAD, light, name_search, own_search, tidy_code

SESSION = """
Doctest writes `<BLANKLINE>`, or &lt;BLANKLINE&gt;:

```pycon
>>> print("a\\n\\nb")
a
<BLANKLINE>
b
>>> mark = "<BLANKLINE>"
```
"""


def test_only_empty_lines_of_sessions_are_emptied() -> None:
    html = markdown.markdown(SESSION, extensions=["pymdownx.highlight", "pymdownx.superfences"])
    assert html.count("&lt;BLANKLINE&gt;") == 4
    shown = tidy_code(html)
    assert shown.count("&lt;BLANKLINE&gt;") == 3
    assert "Doctest writes <code>&lt;BLANKLINE&gt;</code>, or &lt;BLANKLINE&gt;:" in shown


def test_the_search_dialog_has_a_name() -> None:
    dialog = (
        '<div data-md-component="search" role="dialog"><input data-md-component="search-query">'
    )
    named = name_search(dialog, {"Search": "搜尋", "Search (press /)": "搜尋（按 /）"}.__getitem__)
    assert 'role="dialog" aria-label="搜尋">' in named
    assert named.endswith('aria-keyshortcuts="/" title="搜尋（按 /）">')


@pytest.mark.parametrize(
    ("language", "found", "ours", "folder"),
    [
        ("en", "", "", ""),
        ("en", "../../", "../../", ""),
        ("en", "/book/", "/book/", ""),
        ("zh-TW", "", "../", "zh-TW/"),
        ("zh-TW", "../", "../../", "zh-TW/"),
    ],
)
def test_both_languages_start_one_search(language: str, found: str, ours: str, folder: str) -> None:
    config = f'{{"search": "{found}assets/javascripts/workers/search.1.js"}}'
    told = f"index=../../../{folder}search/pages.json&worker=../../javascripts/workers/search.1.js"
    worker = f"{ours}assets/scripts/search/worker.js?{told}"
    assert own_search(config, language) == f'{{"search": "{worker}"}}'


def test_a_light_page_says_the_same() -> None:
    page = "<html><head></head><body><p>\n\n a  <b>x</b></p></body></html>"
    assert light(page) == "<html><head></head><body><p>a <b>x</b></p></body></html>"
    code = '<code><span class="n">x</span> <span class="k">in</span></code>'
    assert tidy_code(code) == '<code>x <span class="k">in</span></code>'


def test_the_theme_still_has_what_is_replaced() -> None:
    theme = Path(material.__file__).parent / "templates" / "assets"
    [script] = theme.glob("javascripts/bundle.*.js")
    assert all(theirs in script.read_text("utf-8") for theirs in INSTEAD)
    [styles] = theme.glob("stylesheets/main.*.css")
    assert BY_SCRIPT in styles.read_text("utf-8")
