"""What a listener hears of a formula, in English and in Chinese."""

import re
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from docs.builder.mathml import to_mathml
from docs.builder.spoken import Speaker
from docs.builder.translations import translator
from docs.checks.pages import Page, page_files

ROOT = Path(__file__).parents[2]
LANGUAGES = {"en": "docs/en", "zh-TW": "docs/zh-TW"}
SPEAKERS = {language: Speaker(translator(language, "site")) for language in LANGUAGES}

# Formulas of the pages, as a teacher in each language reads them from the board.
TAUGHT = {
    r"\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\left(\frac{Q K^{\top}}{\sqrt{d_k}}\right) V": (
        "Attention of Q, K, V, equals softmax of the fraction Q K transposed over "
        "the square root of d k, end of fraction, times V",
        "Attention of Q，K，V，等於 softmax of 分式，根號 d k 分之 Q K 轉置，分式結束，乘以 V",
    ),
    r"\mathrm{FFN}(x) = \max(0,\, x W_1 + b_1)\, W_2 + b_2": (
        "FFN of x equals max of open parenthesis 0, x W 1 plus b 1 close parenthesis, "
        "times W 2 plus b 2",
        "FFN of x 等於 max 左括號 0，x W 1 加 b 1 右括號，乘以 W 2 加 b 2",
    ),
    r"PE_{(pos,\,2i)} = \sin\left(\frac{pos}{10000^{2i/d_{\mathrm{model}}}}\right)": (
        "P E sub pos, 2 i end sub, equals sine of the fraction pos, over 10000 to the power of "
        "2 i divided by d model, end of exponent, end of fraction",
        "P E 下標 pos，2 i，下標結束，等於 sine of 分式，"
        "10000 的 2 i 除以 d model 次方分之 pos，分式結束",
    ),
    r"p(v) = \frac{e^{z_v}}{\sum_u e^{z_u}}": (
        "p of v equals the fraction e to the power of z v, over "
        "the sum over u of e to the power of z u, end of fraction",
        "p of v 等於分式，分母是總和，對所有 u，e 的 z u 次方，分子是 e 的 z v 次方，分式結束",
    ),
    r"q(v) = \frac{\varepsilon}{V} \quad (v \ne y)": (
        "q of v equals epsilon over capital V, open parenthesis v is not equal to y "
        "close parenthesis",
        "q of v 等於大寫 V 分之 epsilon，左括號 v 不等於 y 右括號",
    ),
    r"\mu = \frac{1}{d}\sum_{i=1}^{d} x_i": (
        "mu equals 1 over d, times the sum for i from 1 to d of x i",
        "mu 等於 d 分之 1，乘以總和，i 從 1 到 d，x i",
    ),
    r"m_t = \beta_1 m_{t-1} + (1 - \beta_1) g_t": (
        "m t equals beta 1 m sub t minus 1 end sub, plus open parenthesis 1 minus beta 1 "
        "close parenthesis, times g t",
        "m t 等於 beta 1 m 下標 t 減 1，下標結束，加左括號 1 減 beta 1 右括號，乘以 g t",
    ),
    r"t_i = \mathrm{argmax}_v \; P(v \mid t_1, \ldots, t_{i-1}, s)": (
        "t i equals the argmax over v of P of open parenthesis v given t 1, dot dot dot, "
        "t sub i minus 1 end sub, s close parenthesis",
        "t i 等於 argmax，對所有 v，P 左括號 v 給定 t 1，點點點，t 下標 i 減 1，下標結束，s 右括號",
    ),
    r"\frac{\partial w_i}{\partial s_j} = -w_i w_j": (
        "the partial derivative of w i with respect to s j equals negative w i w j",
        "w i 對 s j 的偏微分等於負 w i w j",
    ),
    r"g' = g \cdot \min\left(1, \frac{c}{\lVert g \rVert}\right)": (
        "g prime equals g times min of open parenthesis 1, the fraction c over the norm of g, "
        "end of fraction, close parenthesis",
        "g prime 等於 g 乘以 min 左括號 1，分式，g 的範數分之 c，分式結束，右括號",
    ),
    r"\begin{pmatrix} \cos \omega k & \sin \omega k \\ -\sin \omega k & \cos \omega k "
    r"\end{pmatrix}": (
        "the matrix, row 1: cosine of omega k, sine of omega k; "
        "row 2: negative sine of omega k, cosine of omega k; end of matrix",
        "矩陣，第 1 列：cosine omega k，sine omega k；"
        "第 2 列：負 sine omega k，cosine omega k；矩陣結束",
    ),
    r"W_i^Q (W_i^K)^{\top} x^2 \bar L": (
        "W i Q W i K transposed x squared L bar",
        "W i Q W i K 轉置 x 平方 L bar",
    ),
    r"10^{-5} \cdot 3{,}072": (
        "10 to the power of negative 5, times 3,072",
        "10 的負 5 次方，乘以 3,072",
    ),
    r"|a - b| \le \lvert x \rvert": (
        "the absolute value of a minus b, end of absolute value, is less than or equal to "
        "the size of x",
        "絕對值 a 減 b，絕對值結束，小於等於 x 的大小",
    ),
}


def spoken(latex: str, language: str) -> str:
    math = fromstring(to_mathml(latex, display=False, say=SPEAKERS[language].say))
    return math.get("aria-label", "")


@pytest.mark.parametrize(("latex", "sentences"), TAUGHT.items())
def test_formulas_are_said_as_teachers_say_them(latex: str, sentences: tuple[str, str]) -> None:
    assert tuple(spoken(latex, language) for language in LANGUAGES) == sentences


@pytest.mark.parametrize(
    ("latex", "sentence"),
    [
        ("p(v)", "p of v"),  # a function …
        ("p(1 - p)", "p times open parenthesis 1 minus p close parenthesis"),  # … and a product
        ("x - 1", "x minus 1"),
        ("x = -1", "x equals negative 1"),
        (r"q \cdot k", "q dot k"),
        (r"2 \cdot k", "2 times k"),
        (r"\sqrt{d_k} x", "the square root of d k, times x"),
        (r"\sqrt{d_k x}", "the square root of d k x, end of root"),
        (r"\frac{1}{d} + 1", "1 over d, plus 1"),
        (r"\frac{1}{d + 1}", "the fraction 1, over d plus 1, end of fraction"),
        ("e^z - 1", "e to the power of z, minus 1"),
        ("e^{z - 1}", "e to the power of z minus 1, end of exponent"),
        ("X_l - 1", "X l minus 1"),
        ("X_{l - 1}", "X sub l minus 1 end sub"),
        ("f(x) + y", "f of x, plus y"),
        (r"\ln(x + y)", "natural log of open parenthesis x plus y close parenthesis"),
        ("f(x)^2", "open parenthesis f of x close parenthesis squared"),
        ("f(x^2)", "f of x squared"),
        ("(-5)^2", "open parenthesis negative 5 close parenthesis squared"),
        (r"\sqrt{d}^2", "open parenthesis the square root of d close parenthesis squared"),
        ("[v = y]^2", "open square bracket v equals y close square bracket squared"),
        ("v + V", "v plus capital V"),
        ("V", "V"),
        (r"d_k k K", "d k k capital K"),
    ],
)
def test_what_looks_different_sounds_different(latex: str, sentence: str) -> None:
    assert spoken(latex, "en") == sentence


def formulas(language: str) -> set[str]:
    pages = map(Page.read, page_files(ROOT / LANGUAGES[language]))
    return {formula.text.strip("$").strip() for page in pages for formula in page.formulas}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_formula_of_the_pages_has_words(language: str) -> None:
    allowed = re.compile(r"[A-Za-z0-9 .,:;]+" if language == "en" else r"[\w .,，：；]+")
    said = {formula: spoken(formula, language) for formula in formulas(language)}
    assert len(said) > 300
    assert {f: words for f, words in said.items() if not allowed.fullmatch(words)} == {}


def test_different_formulas_sound_different() -> None:
    said: dict[str, set[str]] = {}
    for formula in formulas("en"):
        written = re.sub(r"[\s{}]|\\[,;]", "", formula).replace(r"\varepsilon", r"\epsilon")
        said.setdefault(spoken(formula, "en"), set()).add(written)
    assert {words: alike for words, alike in said.items() if len(alike) > 1} == {}


@pytest.mark.parametrize(
    ("latex", "symbol"),
    [
        (r"a \odot b", "⊙"),
        (r"x \cup X", "∪"),
        (r"\hat x", "\\^"),
        (r"\prod_i x", "∏"),
        (r"\sqrt[3]{x}", "<mroot>"),
        (r"\binom{n}{k}", "<mfrac>"),
        (r"\left. x \right|_0", "<mo>"),
        ("{}^2 x", "<mrow>"),
        ("f (_1 x)", r"marks beside \(1"),
        ("(x", "\\("),
        (r"\overset{*}{=}", "="),
    ],
)
def test_a_symbol_without_words_is_refused_by_name(latex: str, symbol: str) -> None:
    with pytest.raises(ValueError, match=f"no spoken form of {symbol}.* in the formula") as caught:
        spoken(latex, "en")
    assert str(caught.value).endswith(latex)
