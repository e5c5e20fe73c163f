"""Formulas: LaTeX becomes MathML, without a script in the reader's browser.

A formula that latex2mathml would print wrongly, in silence, is a ValueError here. The style sheet
aligns the columns of tables, which browsers no longer do by themselves.
"""

import re
from collections.abc import Callable, Iterator
from html import unescape
from itertools import pairwise
from xml.etree.ElementTree import Element, tostring

from latex2mathml.converter import convert_to_element

# What pymdownx.arithmatex leaves in a page with `generic: true`.
ARITHMATEX = re.compile(
    r'([(\[（「『]*)<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\2>'
    r"([)\].,:;!?）」』。，、：；！？]*)",
    re.DOTALL,
)
ENTITY = re.compile(r"&#x[0-9A-F]+;")  # how latex2mathml writes the symbols it knows

CHILDREN = {
    "mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "msubsup": 3,
    "munder": 2, "mover": 2, "munderover": 3,
}  # fmt: skip
SCRIPTED = CHILDREN.keys() - {"mfrac"}
ROWS = {"mrow", "mtd", "msqrt", "mstyle", "mpadded"}
CLOSING = set(")]}|‖⟩!")
ORDINARY = set("∀∂∃∅∇∞∠⊤⊥…")  # latex2mathml calls them operators, and browsers would space them so

Say = Callable[[Element], str]


def convert(html: str, say: Say, complain: Callable[[str], object]) -> str:
    """Convert the formulas of a page; one that cannot be converted stays, with a complaint."""

    def one(match: re.Match[str]) -> str:
        before, kind, latex, after = match.groups()
        display = kind == "div"
        try:
            mathml = to_mathml(unescape(latex).strip(), display, say)
        except ValueError as error:
            complain(str(error))
            return match[0]
        if display:  # wide formulas scroll inside their box, so the keyboard must reach it
            return f'{before}<div class="formula" tabindex="0">{mathml}</div>{after}'
        # Browsers break lines on both sides of a formula, even before a full stop.
        sticky = f'<span class="unbroken">{before}{mathml}{after}</span>'
        return sticky if before or after else mathml

    return ARITHMATEX.sub(one, html)


def written(html: str) -> list[str]:
    """Return the formulas that a page still has as they were written, in order.

    >>> written('<span class="arithmatex">\\\\(x &lt; y\\\\)</span>')
    ['x < y']
    """
    return [unescape(found[3]).strip() for found in ARITHMATEX.finditer(html)]


def to_mathml(latex: str, display: bool, say: Say) -> str:
    """A formula as MathML, named in words, or a ValueError that names formula and reason."""
    if not balanced(latex):
        raise ValueError(f"unbalanced braces in the formula {latex}")
    try:
        math = convert_to_element(latex, display="block" if display else "inline")
    except Exception as error:  # those of latex2mathml have no common class, and few have a message
        raise ValueError(f"{type(error).__name__} in the formula {latex}") from error
    for defect in defects(latex, math):
        raise ValueError(f"{defect} in the formula {latex}")
    del math.attrib["xmlns"]  # HTML knows the name
    tidy(math)
    try:
        math.set("aria-label", say(math))
    except ValueError as error:
        raise ValueError(f"{error} in the formula {latex}") from error
    return tostring(math, encoding="unicode", short_empty_elements=False)  # as HTML wants it


def balanced(latex: str) -> bool:
    """Whether each brace that is not escaped has its partner."""
    depth = 0
    for brace in re.findall("[{}]", re.sub(r"\\.", "", latex, flags=re.DOTALL)):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def defects(latex: str, math: Element) -> Iterator[str]:
    """Say what latex2mathml let pass in silence."""
    if latex.count(r"\begin") > len(list(math.iter("mtable"))):
        yield "an unknown environment"
    for element in math.iter():
        text = element.text or ""
        if leaked := re.search(r"\\\w*|[&{}]", ENTITY.sub("", text)):
            yield f"{leaked[0]} left in the output"
        expected = CHILDREN.get(element.tag, len(element))
        if len(element) != expected:
            yield f"{element.tag} with {len(element)} children, not {expected},"
        if (variant := element.get("mathvariant", "normal")) != "normal":
            yield f"{unescape(text)} as {variant}, which few browsers show,"


def tidy(math: Element) -> None:
    """Mend, in place, what latex2mathml writes correctly but browsers show badly."""
    for element in list(math.iter()):
        if element.tag in ROWS:
            space_names(element)
            join_letters(element)
    for element in math.iter():
        raw = element.text or ""
        element.text = unescape(raw) or None
        if element.tag == "mi" and ENTITY.fullmatch(raw) and unescape(raw).isascii():
            element.set("mathvariant", "normal")  # \mathrm{x}: one letter would be italic
        if element.tag == "mo" and element.text in ORDINARY:
            element.tag = "mi"
            element.set("mathvariant", "normal")
    for element in math.iter():
        if element.tag in ROWS:
            join_digits(element)
            sign_prefixes(element)
        if element.tag in SCRIPTED:
            for operator in (mo for script in element[1:] for mo in script.iter("mo")):
                operator.attrib.update(lspace="0", rspace="0")  # as TeX sets scripts
        if element.tag == "mo" and element.text == "/":
            element.attrib.update(lspace="0", rspace="0")


def join_letters(row: Element) -> None:
    """Make one word of upright letters, for the eye as for a screen reader."""
    word: Element | None = None
    for child in list(row):
        if child.tag != "mi" or child.get("mathvariant") != "normal":
            word = None
        elif word is None:
            word = child
        else:
            word.text = f"{word.text}{child.text}"
            row.remove(child)


def join_digits(row: Element) -> None:
    """Make one number of 3{,}072."""
    for before, comma, after in reversed([*zip(row, row[1:], row[2:])]):
        if before.tag == after.tag == "mn" and comma.tag == "mrow" and [*comma.itertext()] == [","]:
            before.text = f"{before.text},{after.text}"
            row.remove(comma)
            row.remove(after)


def space_names(row: Element) -> None:
    """Space max, log and their like as TeX does: a thin space, and none beside an operator."""
    neighbours = [None, *row, None]
    for before, child, after in zip(neighbours, row, neighbours[2:]):
        name = child
        while name.tag in SCRIPTED:
            name = name[0]
        if name.tag in ("mi", "mo") and re.fullmatch(r"[a-z]{2,}", name.text or ""):
            name.tag = "mo"
            for side, neighbour in (("lspace", before), ("rspace", after)):
                name.set(side, "0" if neighbour is None or neighbour.tag == "mo" else "0.167em")


def sign_prefixes(row: Element) -> None:
    """Keep the sign of -x close to the x when another operator stands before it."""
    for before, sign in pairwise(row):
        two_operators = before.tag == sign.tag == "mo" and before.text not in CLOSING
        if two_operators and sign.text in ("+", "−"):
            sign.set("form", "prefix")
