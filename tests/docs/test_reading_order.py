"""A term that a page uses before it is explained, without a link, is found; the rest passes."""

from pathlib import Path

import pytest

from docs.checks.reading_order import problems, reading_order

ROOT = Path(__file__).parents[2]

NAVIGATION = """\
site_url: !ENV [SITE_URL, http://127.0.0.1/]
nav:
  - Home: index.md
  - Part:
      - One: part/one.md
      - Two: part/two.md
      - Three: three.py
  - Reference:
      - Card: reference/card.md
"""

GLOSSARY = """\
en,zh_tw,first_use,avoid,not_in_this_sense,note,sentence_en,sentence_zh,page,first
mask,遮罩,mask,,,,a,一,part/two.md#mask,
causal mask,因果遮罩,,,,,a,一,part/two.md#mask,
value,值,,,,,a,一,part/two.md#value,
logits,logits,未正規化分數,,,,a,一,part/one.md#logits,
score (before softmax),分數,,,,,a,一,part/two.md#score,
dot product,點積,,,,,a,一,part/two.md#dot,part/one.md#dot
card,模型卡,,,,,a,一,reference/card.md#card,
run (of a model),執行,,,,,a,一,part/two.md#run,
"""

WORDS = """\
en,zh_tw,first_use,avoid,not_in_this_sense,note
run,執行,,,,
gas mask,防毒面具的遮罩,,,,
"""


def site(root: Path, one: str = "", chinese: str = "", two: str = "") -> Path:
    """Three pages; the second explains most terms."""
    (root / "mkdocs.yml").write_text(NAVIGATION, encoding="utf-8")
    for folder, text in {"en": one, "zh-TW": chinese}.items():
        (root / "docs" / folder / "part").mkdir(parents=True)
        (root / "docs" / folder / "index.md").write_text("The mask, 遮罩。\n", "utf-8")
        page = f"# One mask 遮罩 {{ #one }}\n\n{text}\n"
        (root / "docs" / folder / "part/one.md").write_text(page, "utf-8")
        (root / "docs" / folder / "part/two.md").write_text(f"The mask, 遮罩。\n\n{two}\n", "utf-8")
    (root / "docs/glossary.csv").write_text(GLOSSARY, "utf-8")
    (root / "docs/words.csv").write_text(WORDS, "utf-8")
    return root


def test_readers_go_through_the_chapters_and_not_through_the_reference(tmp_path: Path) -> None:
    order = reading_order(site(tmp_path) / "mkdocs.yml")
    assert order == ["index.md", "part/one.md", "part/two.md", "three.py"]


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Here a mask hides.", "mask"),
        ("Masks hide.", "mask"),
        ("A causal-mask hides.", "causal mask"),
        ("| a mask |\n|---|", "mask"),
        ("!!! note\n\n    A mask hides.", "mask"),
        ("A *value*.", "value"),
        ("A mask. See [two](two.md).", "mask"),
        ("A mask, as in [a paper](https://a.b/mask).", "mask"),
        ("A mask, as in [three](../three.py).", "mask"),
        ("The [mask](https://a.b).", "mask"),
        ("A mask, then the [mask](two.md).", None),
        ("A mask.\n\nThe [mask](two.md).", "mask"),
        ("The card.", "card"),
    ],
)
def test_a_use_ahead_of_the_explanation_is_named(
    tmp_path: Path, text: str, term: str | None
) -> None:
    found = problems(site(tmp_path, one=text))
    assert [p.message.split(" is explained")[0] for p in found] == [term] * (term is not None)
    assert all(p.file == Path("docs/en/part/one.md") and p.line in {3, 5} for p in found)


@pytest.mark.parametrize(
    "text",
    [
        "The [mask](two.md#mask) hides. A mask.",
        "The [causal mask](../three.py) hides.",
        "The mask ([Two](two.md#mask) explains it).",
        "The [mask][transformer.model.masks.causal_mask].",
        "The `mask`, $mask$, [it](mask.md), masked.",
        "```python\nmask = 1  # a mask\n```",
        "Dot products.",
        "The gas mask.",
        "A run.",
        "The [card](../reference/card.md).",
    ],
)
def test_a_link_or_another_word_passes(tmp_path: Path, text: str) -> None:
    assert problems(site(tmp_path, one=text)) == []


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("這是遮罩。", "遮罩"),
        ("這是因果遮罩。", "因果遮罩"),
        ("用分數（score）。見[二](two.md)。", "分數"),
        ("用[遮罩](two.md)。", None),
        ("用遮罩（見[二](two.md)）。", None),
        ("平均值、數值。", None),
        ("logits（未正規化分數）。", None),
        ("防毒面具的遮罩，執行。", None),
    ],
)
def test_chinese_has_no_word_boundaries(tmp_path: Path, text: str, term: str | None) -> None:
    found = problems(site(tmp_path, chinese=text))
    assert [p.message.split(" is explained")[0] for p in found] == [term] * (term is not None)


def test_the_message_says_where_the_term_is_explained(tmp_path: Path) -> None:
    (found,) = problems(site(tmp_path, one="\n\nA mask."))
    assert str(found) == (
        "docs/en/part/one.md:5: mask is explained in part/two.md: explain it here, or link to it"
    )


def test_what_only_the_reference_explains_is_linked_on_every_page(tmp_path: Path) -> None:
    (english, chinese) = problems(site(tmp_path, two="The card, 模型卡。"))
    assert english.message.startswith("card is explained in reference/card.md")
    assert chinese.message.startswith("模型卡 is explained in reference/card.md")


def test_every_term_is_explained_where_it_first_appears() -> None:
    found = problems(ROOT)
    assert not found, "\n".join(map(str, found))
