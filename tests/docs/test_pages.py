"""Pages are read as the site reads them, where CommonMark and Python-Markdown part."""

from docs.checks.pages import Page


def test_a_box_holds_all_that_is_indented_whatever_the_empty_lines() -> None:
    code = "    ```python\n    x = 1\n\n\n    y = 2\n    ```\n"
    page = Page(f'1. One\n\n    ??? success "Two"\n\n{code.replace("    ", " " * 8)}\n## End\n')
    (fence,) = page.fences
    assert (fence.line, fence.end, fence.code, fence.closed) == (5, 10, "x = 1\n\n\ny = 2\n", True)
    assert [(unit.line, unit.kind, unit.text) for unit in page.units] == [
        (1, "text", "One"),
        (3, "title", "Two"),
        (12, "heading", "End"),
    ]


def test_bars_in_code_do_not_cut_a_cell() -> None:
    page = Page("| or | and |\n|---|---|\n| `|` | `&`, `a|b` |\n")
    cells = [unit.marked for unit in page.units if unit.line == 3]
    assert cells == ["\ue000|\ue001", "\ue000&\ue001, \ue000a|b\ue001"]


def test_lines_are_counted_through_what_is_written_over_several() -> None:
    page = Page("One $a -\nb$ and\n[two](x.md)\n<!-- figure:\nno -->\n\n::: a.b\n    options:\n")
    assert [(item.line, item.text) for item in page.links] == [(3, "x.md")]
    assert [(item.line, item.text) for item in page.formulas] == [(1, "$a -\nb$")]
    assert [(item.line, item.text) for item in page.directives] == [(7, "::: a.b\n    options:")]


def test_emphasis_between_chinese_words_is_no_text() -> None:
    (unit,) = Page("這是**「查詢」**和*鍵*。[`F`][a.F] 與 `a*b_c`\n").units
    assert unit.marked == "這是「查詢」和鍵。\ue000F\ue001 與 \ue000a*b_c\ue001"
