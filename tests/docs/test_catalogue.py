"""The translation catalogue and its check, on a small project in a temporary folder."""

import logging
import re
from pathlib import Path
from textwrap import dedent

import griffe
import mkdocstrings_handlers.python
import polib
import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

from docs.builder.translations import ROOT, is_prose, path_of, translator
from docs.checks import Problem
from docs.checks import catalogue as check
from docs.checks.catalogue import update
from docs.checks.texts import texts

ATTENTION = '''
    """Attention, written out."""


    class Attention(dict):
        """Average the `value` vectors.

        Args:
            size: Width of the states.

        Attributes:
            width: Width in numbers.

        Raises:
            ValueError: If `size` is odd.

        Note:
            Rows sum to 1.

        Example:
            By hand:

            >>> Attention(4).width
            4
        """

        def __init__(self, size: int) -> None:
            self.width = size

        def forward(self, query: str) -> str:
            """Attend.

            Args:
                query: What is asked,
                    word by word.

            Returns:
                What was found.
            """
            scores = query  # (batch, q_len, k_len)
            # ask every key at once
            return scores  # type: ignore[return-value]

        def _secret(self) -> None:
            """Nobody reads this on a page."""
'''
FIGURE = """
    ALT = (
        "A heatmap of "
        "nine weights."
    )

    def draw(t):
        return t("keys"), t("queries")
"""
SITE = """
    site_name: Small site
    site_description: A small site
    site_url: !ENV [NAME, "http://localhost"]
    theme:
      name: material
      palette:
        - scheme: default
          toggle: {icon: moon, name: Switch to dark}
    markdown_extensions:
      - toc: {slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}}
    nav:
      - Home: index.md
      - Start: start.md
      - Parts:
          - Masks: masks.md
"""
SOURCES = {
    "transformer/__init__.py": '"""A small package."""\n',
    "transformer/attention.py": ATTENTION,
    "docs/figures/weights.py": FIGURE,
    "docs/builder/source.py": 'def show(t):\n    return t("Show the source")\n',
    "mkdocs.yml": SITE,
}
CLASS = "transformer.attention.Attention"
CATALOGUE = Path("docs/locales/zh-TW.po")


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(dedent(text).lstrip("\n"), "utf-8")


def edit(root: Path, name: str, old: str, new: str) -> None:
    text = (root / name).read_text("utf-8")
    assert old in text
    (root / name).write_text(text.replace(old, new), "utf-8")


def entries(root: Path) -> dict[tuple[str, str], polib.POEntry]:
    found = polib.pofile(str(path_of("zh-TW", root)))
    return {(entry.msgctxt, entry.msgid): entry for entry in found}


def translate_all(root: Path) -> None:
    """Fill in what is empty, keeping code, and accept what is fuzzy."""
    catalogue = polib.pofile(str(path_of("zh-TW", root)), wrapwidth=100)
    for entry in catalogue:
        spans = "".join(f"`{span}`" for span in sorted(check.code(entry.msgid)))
        entry.msgstr = entry.msgstr or f"譯文{spans}"
        entry.flags.clear()
    catalogue.save()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project whose texts are all translated."""
    for name, text in SOURCES.items():
        write(tmp_path, name, text)
    (tmp_path / CATALOGUE).parent.mkdir()
    update(tmp_path)
    translate_all(tmp_path)
    return tmp_path


def only_problem(root: Path) -> Problem:
    (problem,) = check.problems(root)
    return problem


# What there is to translate


@pytest.mark.parametrize(
    ("context", "english"),
    [
        ("transformer", "A small package."),
        ("transformer.attention", "Attention, written out."),
        (CLASS, "Average the `value` vectors."),
        (CLASS, "Width of the states."),
        (CLASS, "Width in numbers."),
        (CLASS, "If `size` is odd."),
        (CLASS, "Note"),
        (CLASS, "Rows sum to 1."),
        (CLASS, "By hand:"),
        (f"{CLASS}.forward", "What is asked,\nword by word."),
        (f"{CLASS}.forward", "What was found."),
        ("comment:transformer/attention.py", "ask every key at once"),
        ("figure:weights", "A heatmap of nine weights."),
        ("figure:weights", "queries"),
        ("site", "Show the source"),
        ("nav", "Small site"),
        ("nav", "Parts"),
        ("nav", "Masks"),
        ("nav", "Switch to dark"),
    ],
)
def test_every_text_is_found(root: Path, context: str, english: str) -> None:
    assert (context, english) in texts(root)


def test_code_shapes_markers_and_private_names_are_not_translated(root: Path) -> None:
    english = "\n".join(english for _, english in texts(root))
    for text in (">>>", "k_len", "type: ignore", "Nobody"):
        assert text not in english


NO_PROSE = ["(batch, seq_len, num_heads * d_k)", "(1, n) -> (1, 1, n, n)", "(..., k_len)"]
NO_PROSE += ["type: ignore[arg-type]", "noqa: E501", "pragma: no cover", "-----"]
PROSE = ["(see the paper)", "(batch, d_model) in between", "type: of norm", "eq. 2"]


@pytest.mark.parametrize("comment", [*NO_PROSE, *PROSE])
def test_a_comment_with_prose(comment: str) -> None:
    assert is_prose(comment) == (comment in PROSE)


# What is wrong with it


def test_a_translated_project_has_no_problem(root: Path) -> None:
    assert [*check.problems(root)] == []


def test_a_label_that_is_computed(root: Path) -> None:
    edit(root, "docs/figures/weights.py", 't("keys")', 't("keys"), t(f"{1} key")')
    problem = only_problem(root)
    assert (problem.file, problem.line) == (Path("docs/figures/weights.py"), 7)
    assert problem.message == "t(f'{1} key'): write the label out, as in t(\"keys\")"


SCRIPT = "docs/assets/scripts/game/main.js"


def test_a_label_of_a_script(root: Path) -> None:
    write(root, SCRIPT, 'show(\n  t("{right} of {all}", { right, all }))\n')
    update(root)
    label = 'msgid "{right} of {all}"\nmsgstr "'
    edit(root, str(CATALOGUE), label, f"{label}{{all}}／{{rigth}}")
    assert "lacks `{right}`, adds `{rigth}`" in only_problem(root).message
    edit(root, str(CATALOGUE), "{rigth}", "{right}")
    assert [*check.problems(root)] == []


def test_a_label_of_a_script_that_is_computed(root: Path) -> None:
    write(root, SCRIPT, "export function t(english) {}\nat(1)\nshow(t(name))\n")
    problem = only_problem(root)
    assert (problem.file, problem.line) == (Path(SCRIPT), 3)
    assert problem.message == 't(name): write the label out, as in t("keys")'


def test_a_translation_with_another_number(root: Path) -> None:
    edit(root, "docs/figures/weights.py", "nine weights", "90 weights")
    update(root)
    translate_all(root)
    edit(root, CATALOGUE.as_posix(), '90 weights."\nmsgstr "譯文', '90 weights."\nmsgstr "譯文 91')
    message = only_problem(root).message
    assert "its translation says 91, the English does not: correct it" in message


def test_a_translation_left_in_english(root: Path) -> None:
    old = 'heatmap of nine weights."\nmsgstr "譯文'
    edit(root, CATALOGUE.as_posix(), old, old.replace("譯文", "A heatmap of nine weights."))
    assert "its translation is not Chinese: translate it" in only_problem(root).message


def test_code_is_the_same_whatever_the_order_and_the_line_breaks() -> None:
    text = "`a` and ``b`c``\n```python\nx\n```"
    assert check.code(text) == {"a", "b`c", "python x"}
    assert check.code("`a\nb`") == check.code("說 `a b`。")


def test_an_entry_that_is_there_twice(root: Path) -> None:
    text = (root / CATALOGUE).read_text("utf-8")
    double = 'msgctxt "nav"\nmsgid "Parts"\nmsgstr "部分"\n'
    (root / CATALOGUE).write_text(f"{text}\n{double}", "utf-8")
    problem = only_problem(root)
    assert (problem.file, problem.line) == (CATALOGUE, text.count("\n") + 2)
    assert "nav: “Parts”: it stands in line" in problem.message


# Bringing it up to date


def test_an_update_keeps_a_fresh_catalogue_byte_for_byte(root: Path) -> None:
    before = (root / CATALOGUE).read_bytes()
    assert update(root) == []
    assert list(entries(root)) == [*texts(root)]
    assert (root / CATALOGUE).read_bytes() == before


def test_an_update_drops_what_is_gone_and_adds_what_is_new(root: Path) -> None:
    edit(root, "docs/figures/weights.py", '"keys"', '"a quite different label"')
    assert len(update(root)) == 1
    assert ("figure:weights", "keys") not in entries(root)
    assert entries(root)["figure:weights", "a quite different label"].msgstr == ""
    assert "#~" not in (root / CATALOGUE).read_text("utf-8")


def test_changed_english_takes_its_translation_along(root: Path) -> None:
    old, new = "Average the `value` vectors.", "Average all `value` vectors."
    edit(root, "transformer/attention.py", old, new)
    update(root)
    entry = entries(root)[CLASS, new]
    assert (entry.msgstr, entry.flags, entry.previous_msgid) == ("譯文`value`", ["fuzzy"], old)

    newer = "Average all `value` vectors at once."
    edit(root, "transformer/attention.py", new, newer)
    update(root)
    assert entries(root)[CLASS, newer].previous_msgid == old

    edit(root, "transformer/attention.py", newer, old)
    assert update(root) == []
    assert [*check.problems(root)] == []


def test_a_translation_does_not_wander_to_another_object(root: Path) -> None:
    edit(root, "transformer/attention.py", "Average the `value` vectors.", "Quite another story.")
    edit(root, "transformer/attention.py", '"""Attend.', '"""Average the `value` vector.')
    update(root)
    assert entries(root)[f"{CLASS}.forward", "Average the `value` vector."].msgstr == ""


def test_the_command(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(root, "docs/builder/source.py", "Show the", "Reveal all of its")
    edit(root, "transformer/attention.py", "Width of the states.", "Width of all states.")
    check.main(root)
    output = capsys.readouterr().out
    assert f"{CLASS}: “Width of all states.” changed in English" in output
    assert "site: “Reveal all of its source” is not translated" in output
    assert output.endswith("2 texts of docs/locales/zh-TW.po to translate\n")


# What the hooks look up


def test_english_stays_as_it_is(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert translator("en", "site", root)("No such label") == "No such label"
    assert caplog.messages == []


def test_a_lookup(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert translator("zh-TW", "figure:weights", root)("keys") == "譯文"
    comment = translator("zh-TW", "comment:transformer/attention.py", root)
    assert comment("ask every key at once") == "譯文"
    assert comment("(batch, q_len, k_len)") == "(batch, q_len, k_len)"
    assert caplog.messages == []


def test_a_lookup_without_an_entry_says_so(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    assert translator("zh-TW", "site", root)("keys") == "keys"
    (record,) = caplog.records
    assert record.levelno == logging.INFO
    assert record.name.startswith("mkdocs.")
    assert "site: 'keys': it has no translation" in record.message


def test_a_fuzzy_lookup_says_so(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    edit(root, "docs/builder/source.py", "Show the source", "Show its source")
    update(root)
    assert translator("zh-TW", "site", root)("Show its source") == "Show its source"
    assert "its English changed" in caplog.text


def test_a_lookup_sees_a_saved_catalogue(root: Path) -> None:
    look_up = translator("zh-TW", "figure:weights", root)
    assert look_up("keys") == "譯文"
    edit(
        root, CATALOGUE.as_posix(), 'msgid "keys"\nmsgstr "譯文"', 'msgid "keys"\nmsgstr "鍵的位置"'
    )
    assert look_up("keys") == "鍵的位置"


# The API reference


def sections(root: Path, lang: str) -> list[griffe.DocstringSection]:
    extension = {"docs.builder.griffe_translate": {"lang": lang, "catalog": str(root / CATALOGUE)}}
    module = griffe.load(
        "transformer.attention",
        search_paths=[root],
        try_relative_path=False,
        docstring_parser="google",
        extensions=griffe.load_extensions(extension),
    )
    docstring = module["Attention"].docstring
    assert isinstance(docstring, griffe.Docstring)
    return docstring.parsed


def test_a_docstring_without_a_translation_stays_english(
    root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    edit(root, "transformer/attention.py", "Rows sum", "All rows sum")
    section = sections(root, "zh-TW")[4]
    assert (section.title, section.value.contents) == ("譯文", "All rows sum to 1.")
    (message,) = caplog.messages
    assert f"{CLASS}: 'All rows sum to 1.': it has no translation" in message


def test_an_example_is_laid_out_as_code_in_both_languages(root: Path) -> None:
    for lang, prose in (("en", "By hand:"), ("zh-TW", "譯文")):
        example = sections(root, lang)[-1]
        assert isinstance(example, griffe.DocstringSectionExamples)
        assert example.title is None
        assert [text.strip() for _, text in example.value] == [prose, ">>> Attention(4).width\n4"]


@pytest.mark.build
def test_an_api_page_is_chinese_throughout(root: Path) -> None:
    write(root, "pages/index.md", "# API\n\n::: transformer\n\n::: transformer.attention\n")
    write(
        root,
        "mkdocs.yml",
        f"""
        site_name: 小網站
        docs_dir: pages
        theme: {{name: material, font: false, language: zh-TW}}
        markdown_extensions: [pymdownx.highlight, pymdownx.superfences]
        plugins:
          - mkdocstrings:
              custom_templates: {ROOT / "docs/templates"}
              handlers:
                python:
                  paths: [.]
                  options:
                    summary: true
                    merge_init_into_class: true
                    show_source: false
                    extensions:
                      - docs.builder.griffe_translate:
                          lang: zh-TW
                          catalog: {root / CATALOGUE}
        """,
    )
    build(load_config(str(root / "mkdocs.yml"), strict=True))
    page = (root / "site" / "index.html").read_text("utf-8")
    article = page.partition("<article")[2].partition(">")[2].partition("</article>")[0]
    prose = re.sub(r"<(pre|code|h\d)\b.*?</\1>", "", article, flags=re.DOTALL)
    prose = re.sub(r"<[^>]*>|&\w+;", " ", prose)
    assert re.findall(r"[A-Za-z]{2,}", prose) == []
    for title in ("基底類別：", "參數：", "屬性：", "引發：", "範例：", "回傳：", "必填", "類別："):
        assert title in prose


def test_every_word_of_mkdocstrings_has_its_chinese() -> None:
    installed = Path(mkdocstrings_handlers.python.__path__[0]) / "templates" / "material"
    english = (installed / "_base/languages/en.html.jinja").read_text("utf-8")
    chinese = (ROOT / "docs/templates/python/material/languages/zh-TW.html.jinja").read_text(
        "utf-8"
    )
    keys = r'^  "(.+?)"\s*:'
    assert set(re.findall(keys, chinese, re.M)) == {
        "Bases:",
        *re.findall(keys, english, re.M),
    }
