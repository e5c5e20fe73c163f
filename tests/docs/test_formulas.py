"""The formulas of the pages: MathML as browsers need it, defects refused, a font that fits."""

import re
from io import BytesIO
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest
from docs.hooks.formulas import FONT_URI
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

from docs.builder import math_font
from docs.builder import mathml as formulas

HOOK = Path(__file__).parents[2] / "docs" / "hooks" / "formulas.py"

PAPER = {  # each with the text a reader sees
    r"\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V": (
        "Attention(Q,K,V)=softmax(QK⊤dk)V"
    ),
    r"\mathrm{MultiHead}(Q, K, V) = \mathrm{Concat}(\mathrm{head}_1, \dots, \mathrm{head}_h)W^O": (
        "MultiHead(Q,K,V)=Concat(head1,…,headh)WO"
    ),
    r"\mathrm{head}_i = \mathrm{Attention}(QW_i^Q, KW_i^K, VW_i^V)": (
        "headi=Attention(QWiQ,KWiK,VWiV)"
    ),
    r"\mathrm{FFN}(x) = \max(0, xW_1 + b_1)W_2 + b_2": "FFN(x)=max(0,xW1+b1)W2+b2",
    r"\mathrm{PE}_{(pos, 2i)} = \sin(pos / 10000^{2i / d_\mathrm{model}})": (
        "PE(pos,2i)=sin(pos/100002i/dmodel)"
    ),
    r"\mathrm{PE}_{(pos, 2i+1)} = \cos(pos / 10000^{2i / d_{\text{model}}})": (
        "PE(pos,2i+1)=cos(pos/100002i/dmodel)"
    ),
    r"d_\mathrm{model}^{-0.5} \cdot \min(s^{-0.5}, s \cdot w^{-1.5})": (
        "dmodel−0.5·min(s−0.5,s·w−1.5)"
    ),
    r"\gamma \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta": "γ⊙x−μσ2+ϵ+β",
    r"""\begin{align*}
    \mu &= \frac{1}{d} \sum_{i=1}^{d} x_i \\
    \sigma^2 &= \frac{1}{d} \sum_{i=1}^{d} (x_i - \mu)^2
    \end{align*}""": "μ=1d∑i=1dxiσ2=1d∑i=1d(xi−μ)2",
    r"\begin{pmatrix} 0 & -\infty \\ 0 & 0 \end{pmatrix}": "(0−∞00)",
    r"x \in \mathbb{R}^{n \times d}": "x∈ℝn×d",
}

DEFECTS = [
    (r"x_{i", "unbalanced braces"),
    (r"x_i}", "unbalanced braces"),
    (r"}x{", "unbalanced braces"),
    (r"\atention{x}", r"\\atention left in the output"),
    (r"\text{d\_model}", r"\\_model left in the output"),
    (r"a & b", "& left in the output"),
    (r"\begin{aligned} a &= b \end{aligned}", "unknown environment"),
    (r"\frac{a}", "mfrac with 1 children, not 2"),
    (r"\boldsymbol{x}", "x as bold-italic"),
    (r"\sqrt", "NoAvailableTokensError"),
    (r"\left( x", "ExtraLeftOrMissingRightError"),
]


def mute(math: Element) -> str:
    return ""


def mathml(latex: str, display: bool = True) -> Element:
    return fromstring(formulas.to_mathml(latex, display, mute))


@pytest.mark.parametrize(("latex", "text"), PAPER.items())
@pytest.mark.parametrize("display", [True, False])
def test_formulas_of_the_paper(latex: str, text: str, display: bool) -> None:
    math = mathml(latex, display)
    assert math.tag == "math"
    assert math.get("display") == ("block" if display else "inline")
    assert "".join(math.itertext()) == text


@pytest.mark.parametrize(("latex", "reason"), DEFECTS)
def test_defects_are_refused_by_name(latex: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        formulas.to_mathml(latex, display=True, say=mute)
    assert str(caught.value).endswith(f"in the formula {latex}")


@pytest.mark.parametrize(("tag", "wanted"), formulas.CHILDREN.items())
@pytest.mark.parametrize("difference", [-1, 1])
def test_each_layout_counts_its_children(tag: str, wanted: int, difference: int) -> None:
    math = Element("math")
    layout = Element(tag)
    layout.extend(Element("mi") for _ in range(wanted + difference))
    math.append(layout)
    assert list(formulas.defects("", math)) == [
        f"{tag} with {wanted + difference} children, not {wanted},"
    ]


@pytest.mark.parametrize("symbol", [*"{}&<>", "\\"])
def test_escaped_symbols_are_no_defects(symbol: str) -> None:
    latex = {"\\": r"\backslash", "<": "<", ">": ">"}.get(symbol, f"\\{symbol}")
    assert "".join(mathml(f"a {latex} b").itertext()) == f"a{symbol}b"


def test_upright_letters_are_one_word() -> None:
    words = [(mi.text, mi.get("mathvariant")) for mi in mathml(r"\mathrm{rate}\,x").iter("mi")]
    assert words == [("rate", "normal"), ("x", None)]
    (letter,) = mathml(r"\mathrm{d}").iter("mi")
    assert letter.get("mathvariant") == "normal"
    assert [mi.text for mi in mathml(r"\mathrm{W_O}").iter("mi")] == ["W", "O"]


def test_digits_are_one_number() -> None:
    assert [mn.text for mn in mathml("3{,}072 + 1{,}000{,}000").iter("mn")] == [
        "3,072",
        "1,000,000",
    ]
    assert [mn.text for mn in mathml("(3, 4)").iter("mn")] == ["3", "4"]


@pytest.mark.parametrize(
    ("latex", "spaces"),
    [
        (r"\log p", ("0", "0.167em")),
        (r"\max(0, x)", ("0", "0")),
        (r"2 \log_2 x", ("0.167em", "0.167em")),
        (r"= \sin x", ("0", "0.167em")),
    ],
)
def test_names_of_functions_are_spaced_as_in_tex(latex: str, spaces: tuple[str, str]) -> None:
    (name,) = (mo for mo in mathml(latex).iter("mo") if (mo.text or "").isalpha())
    assert (name.get("lspace"), name.get("rspace")) == spaces


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("故 $x$。完", "$x$。"),
        ("（$x$）、", "（$x$）、"),
        ("so ($x$), and", "($x$),"),
        ("a $x$ b", "$x$"),
    ],
)
def test_marks_stay_on_the_line_of_their_formula(text: str, kept: str) -> None:
    math = formulas.to_mathml("x", display=False, say=mute)
    raw = text.replace("$x$", r'<span class="arithmatex">\(x\)</span>')
    held = kept if kept == "$x$" else f'<span class="unbroken">{kept}</span>'
    assert formulas.convert(raw, mute, pytest.fail) == text.replace(kept, held).replace("$x$", math)


def test_operators_are_spaced_as_in_tex() -> None:
    def forms(latex: str) -> list[str | None]:
        return [mo.get("form") for mo in mathml(latex).iter("mo") if mo.text == "−"]

    assert forms(r"L = -\sum_i x_i") == ["prefix"]
    assert forms("a - b") == forms("(a) - b") == [None]
    (equals,) = (mo for mo in mathml(r"\sum_{i=1} x").iter("mo") if mo.text == "=")
    (slash,) = mathml("a / b").iter("mo")
    for operator in (equals, slash):
        assert (operator.get("lspace"), operator.get("rspace")) == ("0", "0")
    assert [mi.text for mi in mathml(r"K^\top, \infty, \dots").iter("mi")] == ["K", "⊤", "∞", "…"]


def test_the_font_holds_what_formulas_need(own_cache: Path) -> None:
    used = set("Qzhμϵ()[]{}|∑ℶ")
    subset = TTFont(BytesIO(math_font.subset(used)))
    held = {chr(code) for code in subset.getBestCmap()}
    assert used | {"√"} <= held
    assert {"𝑄", "𝑧", "ℎ", "𝜇", "𝜖"} <= held  # what <mi>Q</mi>, z, h, μ and ϵ are drawn with
    assert "ℵ" not in held
    variants = subset["MATH"].table.MathVariants
    stretched = set(variants.VertGlyphCoverage.glyphs)
    glyphs = subset.getBestCmap()
    assert {glyphs[ord(symbol)] for symbol in "()[]{}|√∑"} <= stretched
    (scripts, *_) = subset["GSUB"].table.LookupList.Lookup
    shapes = scripts.SubTable[0].alternates[glyphs[ord("𝑄")]]
    assert len(shapes) == 2  # of scripts, and of their own scripts
    assert len(set(shapes)) == 1
    assert "Open Font License" in str(subset["name"].getDebugName(13))


def test_the_font_is_small_and_always_the_same(own_cache: Path) -> None:
    first = math_font.subset(set("Qx"))
    for kept in own_cache.rglob("*/*"):
        kept.unlink()
    assert math_font.subset(set("xQ")) == first
    assert len(first) < 10_000


def test_the_cache_answers_by_characters(own_cache: Path) -> None:
    math_font.subset(set("x"))
    (kept,) = own_cache.glob("font/*")
    kept.write_bytes(b"kept")
    assert math_font.subset(set("x")) == b"kept"
    assert math_font.subset(set("ℵ")) != b"kept"


def test_the_characters_are_those_of_formulas() -> None:
    html = "<p>words <math><mi>Q</mi><mo>&lt;</mo></math> more <math><mn>1</mn></math></p>"
    assert math_font.characters(html) == set("Q<1")


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("docs.builder.cache.FOLDER", tmp_path)
    return tmp_path


TWIN = """
from mkdocs.commands.build import build
from mkdocs.config import load_config

def on_post_build(config):
    if config.docs_dir.endswith("en"):
        root = config.config_file_path
        build(load_config(root, docs_dir=config.docs_dir[:-2] + "zh", strict=True,
                          site_dir=config.site_dir + "/zh"))
"""


def site(root: Path, english: str, chinese: str = "") -> Path:
    """Build a site of two languages, the second inside the first, as the book is built."""
    for language, text in (("en", english), ("zh", chinese)):
        (root / language).mkdir()
        (root / language / "index.md").write_text(text, encoding="utf-8")
    (root / "twin.py").write_text(TWIN)
    (root / "mkdocs.yml").write_text(
        f"""
site_name: Formulas
docs_dir: en
theme: {{name: null, custom_dir: theme, language: en}}
hooks: [twin.py, {HOOK}]
plugins: []
markdown_extensions:
  - pymdownx.arithmatex: {{generic: true}}
"""
    )
    (root / "theme").mkdir()
    (root / "theme" / "main.html").write_text("{{ page.content }}")
    build(load_config(str(root / "mkdocs.yml"), strict=True))
    return root / "site"


def test_both_languages_are_built_each_with_its_font(tmp_path: Path) -> None:
    built = site(tmp_path, "So $a < \\xi$.\n\n$$\na > \\text{<b>}\n$$\n", "故 $\\zeta$。\n")
    page = (built / "index.html").read_text(encoding="utf-8")
    assert re.search(
        r'So <span class="unbroken"><math display="inline" aria-label="a is less than xi">'
        r".*<mo>&lt;</mo>.*</math>\.</span>",
        page,
    )
    assert re.search(
        r'<div class="formula" tabindex="0"><math display="block" aria-label="a is greater than '
        r'&lt;b&gt;">.*</math></div>',
        page,
    )
    assert "&lt;b&gt;" in page
    assert "arithmatex" not in page
    for language, present, absent in (("", "ξ", "ζ"), ("zh", "ζ", "ξ")):
        held = TTFont(BytesIO((built / language / FONT_URI).read_bytes())).getBestCmap()
        assert ord(present) in held
        assert ord(absent) not in held


def test_a_bad_formula_fails_the_strict_build(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(Abort, match="1 warning"):
        site(tmp_path, "Good $x$, bad $\\frac{a}$.")
    assert "en/index.md: mfrac with 1 children, not 2, in the formula \\frac{a}" in caplog.messages
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert '<span class="arithmatex">\\(\\frac{a}\\)</span>' in page
