"""The last touches on a page change nothing that a reader reads."""

from pathlib import Path

import markdown
import material

from docs.builder.finishing import BY_SCRIPT, INSTEAD, light, tidy_code

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
