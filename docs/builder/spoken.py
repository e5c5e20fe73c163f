"""Formulas in words, as a teacher reads them from the board, in the language of the page.

The words are the accessible name of `<math>` (`aria-label`): every browser hands it on, and keeps
the MathML below it in the accessibility tree, where software that reads MathML walks. Chromium
ignores `alttext`; `role="img"` would end walking in the formula, and hidden words beside it would
be said besides the formula.
"""

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from docs.builder import spoken_words as words
from docs.builder.spoken_tree import (
    CLOSING,
    Marks,
    apart,
    flat,
    on_the_line,
    split,
    without_brackets,
)
from docs.builder.spoken_wording import START, Part, Wording, kinds
from docs.builder.translations import Translate

WORDS = re.compile(r"\b(?:p o s|d r o p)\b")  # though in italics, as in the paper
PAUSES = re.compile(r"\s*([,;，；])(?!\d)(?:\s*[,，])*\s*")
# Chinese writes no space between its characters, nor around its punctuation.
GAPS = re.compile(r"(?<=[，；]) | (?=[，；])|(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")


class Speaker:
    """Says formulas in one language."""

    def __init__(self, t: Translate) -> None:
        """Look the words up."""
        self.t, self.wording = t, Wording(t)
        self.capitals: set[str] = set()

    def say(self, math: Element) -> str:
        """Return a formula in words, or a ValueError that names the symbol without any."""
        line = " ".join(element.text or "" for element in on_the_line(math) if element.tag == "mi")
        letters = set(WORDS.sub("", line).split())
        self.capitals = {letter for letter in letters if letter.lower() in letters - {letter}}
        text = WORDS.sub(lambda word: word[0].replace(" ", ""), self._text([math]))
        return GAPS.sub("", PAUSES.sub(r"\1 ", text).strip(" ,，"))

    def _text(self, row: Iterable[Element]) -> str:
        return self.wording.joined(self._parts(row))

    def _parts(self, row: Iterable[Element]) -> list[Part]:
        todo, parts = [*flat(row)], [START]
        while todo:
            part, todo = self._first(todo, parts[-1])
            parts += [part] if part.text else []
        return parts[1:]

    def _first(self, row: list[Element], before: Part) -> tuple[Part, list[Element]]:
        """Return the first part of a row, and what is left of the row."""
        (base, marks), rest = apart(row[0]), row[1:]
        symbol, after = base.text or "", (apart(rest[0])[0].text or "") if rest else ""
        if base.tag == "mspace":
            wide = float(base.get("width", "0").removesuffix("em")) >= 1
            return Part(self.wording.comma if wide else "", "comma"), rest
        if symbol in CLOSING and not marks:
            return self._group(row)
        if (symbol, len(marks)) in self.wording.over_indices:
            return self._over(symbol, [mark for _, mark in marks]), rest
        if symbol in self.wording.operators and not marks:
            return self.wording.operator(symbol, before, after), rest
        part = self._marked(self._thing(base), marks)
        if base.tag not in ("mi", "mo") or not after:
            return part, rest
        if after == "[" and part.kind == "name":
            inside, marks, rest = split(rest)
            text = self.t("{name} indexed by {index}")
            indexed = Part(text.format(name=part.text, index=self._text(inside)), "closed")
            return self._marked(indexed, marks), rest
        if after == "(":
            inside, others, left = split(rest)
            parts = self._parts(inside)
            # p(v) is a function, n(n + 1) and W^Q(W^K) are products.
            if len(symbol) > 1 or not ("sign" in kinds(parts) or "above" in dict(marks)):
                applied = self.wording.application(part, parts, last=not left)
                return self._marked(applied, others), left
        if base.tag == "mo" and after not in self.wording.operators:
            return Part(self.t("{name} of").format(name=part.text), "prefix"), rest
        return part, rest

    def _group(self, row: list[Element]) -> tuple[Part, list[Element]]:
        """Say what stands between brackets or bars."""
        inside, marks, rest = split(row)
        parts, opening = self._parts(inside), row[0].text or ""
        if opening == "|" and not row[0].get("stretchy"):
            opening = r"\lvert"
        table = [element.tag for element in inside] == ["mtable"]
        alone = opening == "(" and (table or kinds(parts) == ["name"])
        part = parts[0] if alone else self.wording.piece(opening, parts)
        return self._marked(part, marks), rest

    def _over(self, symbol: str, limits: list[Element]) -> Part:
        text = self.wording.over_indices[symbol, len(limits)]
        if len(limits) == 2:
            index, _, *first = flat(limits[:1])
            begin, end = self._text(first), self._text(limits[1:])
            text = text.format(index=self._text([index]), first=begin, last=end)
        elif limits:
            text = text.format(index=self._text(without_brackets(limits[0])))
        return Part(text, "prefix")

    def _marked(self, part: Part, marks: Marks) -> Part:
        """Add what stands below and above."""
        for place, mark in marks:
            if place == "below":
                part = self.wording.below(part, self._parts(without_brackets(mark)))
            else:
                symbol = "".join(mark.itertext())
                known = symbol in self.wording.for_above
                part = self.wording.above(part, symbol, [] if known else self._parts([mark]))
        return part

    def _thing(self, element: Element) -> Part:
        """Say what has no marks."""
        symbol = element.text or ""
        if element.tag == "mfrac" and not element.get("linethickness"):
            return self._fraction([*flat(element[:1])], [*flat(element[1:])])
        if element.tag == "msqrt":
            return self.wording.piece("√", self._parts(element))
        if element.tag == "mtable":
            return self._table(element)
        if symbol in self.capitals:
            return Part(self.t("capital {letter}").format(letter=symbol), "name")
        named = symbol if element.tag == "mtext" else self.wording.functions.get(symbol)
        return Part(named or words.name(symbol or f"<{element.tag}>", self.t), "name")

    def _fraction(self, above: list[Element], below: list[Element]) -> Part:
        if above[0].text == below[0].text == "∂":
            text = self.t("the partial derivative of {above} with respect to {below}")
            text = text.format(above=self._text(above[1:]), below=self._text(below[1:]))
            return Part(text, "closed")
        return self.wording.fraction(self._parts(above), self._parts(below))

    def _table(self, table: Element) -> Part:
        rows = ""
        for number, row in enumerate(table, 1):
            cells = f"{self.wording.comma} ".join(self._text(cell) for cell in row)
            rows += self.t("row {number}: {cells}; ").format(number=number, cells=cells)
        return Part(self.t("the matrix, {rows}end of matrix,").format(rows=rows), "closed")
