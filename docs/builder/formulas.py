"""Formulas: LaTeX between dollar signs becomes MathML, without a script in the reader's browser.

A formula that latex2mathml would print wrongly, in silence, is a ValueError here. The style sheet
aligns the columns of tables, which browsers no longer do by themselves.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from itertools import pairwise
from xml.etree.ElementTree import Element, tostring

from latex2mathml.converter import convert_to_element

from docs.builder.markdown import as_it_stands, outside_fences

# Code is skipped. What stands beside a formula without a space must not be parted from it.
INLINE = re.compile(
    r"(?P<code>`+).+?(?P=code)"
    r"|(?P<before>[(（「『]*)(?<![\\$])\$(?![\s$])(?P<latex>(?:\\.|[^\\$])+?)(?<![\s\\])\$"
    r"(?P<after>[).,:;!?）」』。，、：；！？]*)"
)
DISPLAY = re.compile(r"([ >]*)\$\$(.*?)(\$\$)?[ ]*")
ENTITY = re.compile(r"&#x[0-9A-F]+;")  # how latex2mathml writes the symbols it knows

CHILDREN = {
    "mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "msubsup": 3,
    "munder": 2, "mover": 2, "munderover": 3,
}  # fmt: skip
SCRIPTED = CHILDREN.keys() - {"mfrac"}
ROWS = {"mrow", "mtd", "msqrt", "mstyle", "mpadded"}
CLOSING = set(")]}|‖⟩!")
ORDINARY = set("∀∂∃∅∇∞∠⊤⊥…")  # latex2mathml calls them operators, and browsers would space them so

Complain = Callable[[str], object]


def fill(markdown: str, complain: Complain) -> str:
    """Return a page with MathML for its formulas; one that cannot be converted stays as it is.

    >>> fill("so $x$, not `$y$`", print)
    'so <span class="unbroken"><math><mi>x</mi></math>,</span> not `$y$`'
    """
    done: list[str] = []
    display: list[str] | None = None  # the lines of a formula that has not ended yet
    for line, is_code in outside_fences(markdown.splitlines()):
        opening = None if is_code else DISPLAY.fullmatch(line)
        if display is not None:
            body, end, _ = line.partition("$$")
            display.append(body.strip(" >"))
            if end:
                done += _displayed(display[0], " ".join(display[1:]), complain)
                display = None
        elif opening and opening[3]:
            done += _displayed(opening[1], opening[2], complain)
        elif opening:
            display = [opening[1], opening[2]]
        else:
            done.append(line if is_code else INLINE.sub(_inline(complain), line))
    return "\n".join(done)


def _displayed(margin: str, latex: str, complain: Complain) -> list[str]:
    """Put a formula on a line of its own into the box in which a wide one scrolls."""
    try:
        mathml = to_mathml(latex.strip(), display=True)
    except ValueError as error:
        complain(str(error))
        return [f"{margin}$${latex}$$"]
    # A box of which a paragraph may consist, as it must in a list; the keyboard must reach it.
    return [margin.rstrip(), f'{margin}<span class="formula" tabindex="0">{mathml}</span>', ""]


def _inline(complain: Complain) -> Callable[[re.Match[str]], str]:
    def one(found: re.Match[str]) -> str:
        if found["code"]:
            return found[0]
        try:
            mathml = to_mathml(found["latex"], display=False)
        except ValueError as error:
            complain(str(error))
            return found[0]
        before, after = found["before"], found["after"]
        # Browsers break lines on both sides of a formula, even before a full stop. At the start of
        # a line Markdown would take <math> for a block, and the rest for another.
        starts = not found.string[: found.start()].strip()
        unbroken = f'<span class="unbroken">{before}{mathml}{after}</span>'
        return unbroken if before or after or starts else mathml

    return one


@cache
def to_mathml(latex: str, display: bool) -> str:
    """A formula as MathML, or a ValueError that names formula and reason."""
    if not balanced(latex):
        raise ValueError(f"unbalanced braces in the formula {latex}")
    try:
        math = convert_to_element(latex, display="block" if display else "inline")
    except Exception as error:  # those of latex2mathml have no common class, and few have a message
        raise ValueError(f"{type(error).__name__} in the formula {latex}") from error
    for defect in defects(latex, math):
        raise ValueError(f"{defect} in the formula {latex}")
    del math.attrib["xmlns"]  # HTML knows the name
    if not display:
        del math.attrib["display"]
    tidy(math)
    if len(math) == 1 and math[0].tag == "mrow":  # a row of its own adds nothing
        math[:] = list(math[0])
    # As HTML wants it: no element ends itself.
    return as_it_stands(tostring(math, encoding="unicode", short_empty_elements=False))


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
