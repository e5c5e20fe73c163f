"""Formulas: LaTeX between dollar signs becomes MathML, without a script in the reader's browser.

A formula that cannot be converted stays as it is, with a complaint.
"""

import re
from collections.abc import Callable

from math_core import LatexError, LatexToMathML

from docs.builder.markdown import as_it_stands, outside_fences

# Code is skipped. What stands beside a formula without a space must not be parted from it.
INLINE = re.compile(
    r"(?P<code>`+).+?(?P=code)"
    r"|(?P<before>[(（「『]*)(?<![\\$])\$(?![\s$])(?P<latex>(?:\\.|[^\\$])+?)(?<![\s\\])\$"
    r"(?P<after>[).,:;!?）」』。，、：；！？]*)"
)
DISPLAY = re.compile(r"([ >]*)\$\$(.*?)(\$\$)?[ ]*")
CONVERTER = LatexToMathML(fancy_error=False)
# Between the digits of 3{,}072, which are one number.
THOUSANDS = re.compile(r"(?<=\d)</mn><mo[^>]*>,</mo><mn>(?=\d{3}<)")

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


def to_mathml(latex: str, display: bool) -> str:
    """Return a formula as MathML, or raise a ValueError that names formula, place and reason."""
    try:
        mathml = CONVERTER.convert_with_local_state(latex, displaystyle=display)
    except LatexError as error:
        raise ValueError(f"the formula {latex}, at character {error}") from None
    return as_it_stands(THOUSANDS.sub(",", mathml))
