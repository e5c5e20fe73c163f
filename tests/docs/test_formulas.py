"""The formulas of the pages: MathML as browsers need it, defects refused, a font that fits."""

from io import BytesIO
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from markdown import markdown as to_html

from docs.builder import formulas, math_font

PAPER = {  # each with the text a reader sees
    r"\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V": (
        "Attention(Q,K,V)=softmax(QK⊤dk)V"
    ),
    r"\mathrm{head}_i = \mathrm{Attention}(QW_i^Q, KW_i^K, VW_i^V)": (
        "headi=Attention(QWiQ,KWiK,VWiV)"
    ),
    r"\mathrm{FFN}(x) = \max(0, xW_1 + b_1)W_2 + b_2": "FFN(x)=max(0,xW1+b1)W2+b2",
    r"\mathrm{PE}_{(pos, 2i+1)} = \cos(pos / 10000^{2i / d_{\text{model}}})": (
        "PE(pos,2i+1)=cos(pos/100002i/dmodel)"
    ),
    r"d_\mathrm{model}^{-0.5} \cdot \min(s^{-0.5}, s \cdot w^{-1.5})": (
        "dmodel−0.5⋅min(s−0.5,s⋅w−1.5)"
    ),
    r"\gamma \odot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta": "γ⊙x−μσ2+ϵ+β",
    r"""\begin{align*}
    \mu &= \frac{1}{d} \sum_{i=1}^{d} x_i \\
    \sigma^2 &= \frac{1}{d} \sum_{i=1}^{d} (x_i - \mu)^2
    \end{align*}""": "μ=1d∑i=1dxiσ2=1d∑i=1d(xi−μ)2",
    r"\begin{pmatrix} 0 & -\infty \\ 0 & 0 \end{pmatrix}": "(0−∞00)",
    r"x \in \mathbb{R}^{n \times d}": "x∈ℝn×d",
    r"\{a\} \& b < \backslash": "{a}&b<\\",
}

DEFECTS = [
    (r"x_{i", 'Expected closing token "}"'),
    (r"}x{", "Unmatched closing token"),
    (r"\atention{x}", r'Unknown command "\\atention"'),
    (r"a & b", 'Found "&"'),
    (r"\begin{tabbing} a \end{tabbing}", 'Unknown environment "tabbing"'),
    (r"\frac{a}", "end of input"),
    (r"\left( x", r'Expected closing token "\\right"'),
]

X, BLOCK = (formulas.to_mathml("x", display) for display in (False, True))
UNBROKEN = '<span class="unbroken">{}</span>'
BLOCK = f'<span class="formula" tabindex="0">{BLOCK}</span>'
PAGES = [  # what a page says, and what is in its place
    ("a $x$ b", f"a {X} b"),
    ("$x$ is", f"{UNBROKEN.format(X)} is"),  # <math> at the start of a line would be a block
    ("so ($x$), and", f"so {UNBROKEN.format(f'({X}),')} and"),
    ("故 $x$。完", f"故 {UNBROKEN.format(f'{X}。')}完"),
    ("`$x$` and ``a $x$``, \\$5 to 6$", "`$x$` and ``a $x$``, \\$5 to 6$"),
    ("```\n$x$\n$$x$$\n```", "```\n$x$\n$$x$$\n```"),
    ("a\n\n$$\nx\n$$\n\nb", f"a\n\n\n{BLOCK}\n\n\nb"),
    ("- a\n\n    $$x$$", f"- a\n\n\n    {BLOCK}\n"),
]


def mathml(latex: str, display: bool = True) -> Element:
    return fromstring(formulas.to_mathml(latex, display).replace("&ApplyFunction;", ""))


@pytest.mark.parametrize(("latex", "text"), PAPER.items())
@pytest.mark.parametrize("display", [True, False])
def test_formulas_of_the_paper(latex: str, text: str, display: bool) -> None:
    math = mathml(latex, display)
    assert (math.tag, math.get("display") == "block") == ("math", display)
    assert "".join(math.itertext()) == text


@pytest.mark.parametrize(("latex", "reason"), DEFECTS)
def test_defects_are_refused_by_name(latex: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        formulas.to_mathml(latex, display=True)
    assert str(caught.value).startswith(f"the formula {latex}, at character ")


@pytest.mark.parametrize(("markdown", "expected"), PAGES)
def test_formulas_in_a_page(markdown: str, expected: str) -> None:
    assert formulas.fill(markdown, pytest.fail) == expected


def test_markdown_leaves_a_formula_alone() -> None:
    html = to_html(formulas.fill("$a_i * b_i < \\text{*c*}$ holds, $x$ too.", pytest.fail))
    assert html.count("<p>") == 1
    assert "".join(fromstring(html).itertext()) == "ai∗bi<*c* holds, x too."


@pytest.mark.parametrize("markdown", ["bad $\\frac{a}$.", "$$\n\\frac{a}\n$$"])
def test_a_bad_formula_is_named_and_stays(markdown: str) -> None:
    complaints: list[str] = []
    assert "\\frac{a}" in formulas.fill(markdown, complaints.append)
    (complaint,) = complaints
    assert complaint.startswith("the formula \\frac{a}, at character 8: ")


@pytest.mark.parametrize(
    ("latex", "tag", "texts"),
    [
        (r"\mathrm{rate}\,x", "mi", ["rate", "x"]),
        ("3{,}072 + 1{,}000{,}000", "mn", ["3,072", "1,000,000"]),
        ("(3, 4)", "mn", ["3", "4"]),
    ],
)
def test_words_and_numbers_are_whole(latex: str, tag: str, texts: list[str]) -> None:
    assert [element.text for element in mathml(latex).iter(tag)] == texts


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("docs.builder.cache.FOLDER", tmp_path)
    return tmp_path


def test_the_font_holds_what_formulas_need(own_cache: Path) -> None:
    used = set("Qzhμϵ()[]{}|∑ℶ")
    subset = TTFont(BytesIO(math_font.subset(used)))
    glyphs = subset.getBestCmap()
    held = {chr(code) for code in glyphs}
    assert used | {"√"} <= held
    assert {"𝑄", "𝑧", "ℎ", "𝜇", "𝜖"} <= held  # what <mi>Q</mi>, z, h, μ and ϵ are drawn with
    assert "ℵ" not in held
    stretched = set(subset["MATH"].table.MathVariants.VertGlyphCoverage.glyphs)
    assert {glyphs[ord(symbol)] for symbol in "()[]{}|√∑"} <= stretched
    (scripts, *_) = subset["GSUB"].table.LookupList.Lookup
    shapes = scripts.SubTable[0].alternates[glyphs[ord("𝑄")]]
    assert len(shapes) == 2  # of scripts, and of their own scripts
    assert "Open Font License" in str(subset["name"].getDebugName(13))


def test_the_font_is_small_and_kept_by_its_characters(own_cache: Path) -> None:
    assert math_font.characters("<p>no <math><mi>Q</mi><mo>&lt;</mo></math></p>") == set("Q<")
    first = math_font.subset(set("Qx"))
    assert len(first) < 10_000
    (kept,) = own_cache.glob("font/*")
    kept.unlink()
    assert math_font.subset(set("xQ")) == first  # the same bytes each time
    kept.write_bytes(b"kept")
    assert math_font.subset(set("Qx")) == b"kept"
    assert math_font.subset(set("ℵ")) != b"kept"
