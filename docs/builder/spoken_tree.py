"""MathML as it is read: rows without their nesting, marks apart from what they mark."""

from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from docs.builder.mathml import SCRIPTED

NESTING = {"math", "mrow", "mstyle", "mpadded"}
MARKED = SCRIPTED - {"mroot"}
CLOSING = {"(": ")", "[": "]", "|": "|", "‖": "‖"}

Marks = list[tuple[str, Element]]  # "below" or "above", and what stands there


def flat(row: Iterable[Element]) -> Iterator[Element]:
    """Yield what a row shows, one beside the other; what marks a group marks its end, as written.

    >>> from xml.etree.ElementTree import fromstring
    >>> made = fromstring("<mrow><msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup></mrow>")
    >>> ["".join(element.itertext()) for element in flat([made])]
    ['a', 'b2']
    """
    for element in row:
        if element.tag in NESTING:
            yield from flat(element)
        elif element.tag in MARKED and element[0].tag in NESTING:
            *before, last = [*flat(element[0])] or [element[0]]
            yield from before
            marked = Element(element.tag)
            marked.extend([last, *element[1:]])
            yield marked
        else:
            yield element


def apart(element: Element) -> tuple[Element, Marks]:
    """Return what carries marks, and the marks, from the inside out."""
    if element.tag not in MARKED:
        return element, []
    base, marks = apart(element[0])
    places = ["below", "above"]
    if element.tag in ("msup", "mover"):
        places = ["above"]
    return base, [*marks, *zip(places, element[1:])]


def split(row: list[Element]) -> tuple[list[Element], Marks, list[Element]]:
    """Return what stands in the brackets that a row begins with, their marks, and the rest."""
    opening, depth = row[0].text or "", 0
    if opening not in CLOSING:
        raise ValueError(f"no spoken form of marks beside {''.join(row[0].itertext())}")
    for i, element in enumerate(row):
        base, marks = apart(element)
        if i and base.text == CLOSING[opening]:
            depth -= 1
        elif base.text == opening:
            depth += 1
        if depth == 0:
            return row[1:i], marks, row[i + 1 :]
    raise ValueError(f"no spoken form of {opening} without {CLOSING[opening]}")


def without_brackets(mark: Element) -> list[Element]:
    """Return a row that stands below something, without brackets around all of it."""
    row = [*flat([mark])]
    if row[0].text == "(":
        inside, marks, rest = split(row)
        return row if marks or rest else inside
    return row


def on_the_line(element: Element) -> Iterator[Element]:
    """Yield what is no mark of something else."""
    yield element
    for child in element[:1] if element.tag in MARKED else element:
        yield from on_the_line(child)
