"""The parts of a formula, and the sentences they become.

How closely each part hangs together tells where "times" or a pause belongs, and where a listener
must hear that something ends.
"""

import re
from itertools import pairwise
from typing import NamedTuple

from docs.builder import spoken_words as words
from docs.builder.translations import Translate

# Factors: d_k; x² and Kᵀ; what may seem to go on, as e^z; what is heard to end; what has brackets.
FACTORS = {"name", "square", "power", "closed", "group"}
LIGHT = {"name", "square"}  # side by side, nobody says "times"
SIGNED = (["name"], ["negative", "name"])
VECTORS = {"q", "x", "E"}  # a point after them is a dot product: queries, inputs, encodings


class Part(NamedTuple):
    """Some words, and what they are: a kind of factor, or what stands between factors."""

    text: str
    kind: str


START = Part("", "start")


def kinds(parts: list[Part]) -> list[str]:
    """Return what parts are."""
    return [part.kind for part in parts]


class Wording:
    """Makes bigger parts of smaller ones, in one language."""

    def __init__(self, t: Translate) -> None:
        """Look the words up."""
        self.t = t
        self.operators, self.signs = words.operators(t), words.signs(t)
        self.functions, self.over_indices = words.functions(t), words.over_indices(t)
        self.pieces, self.fractions, self.shares = (
            words.pieces(t),
            words.fractions(t),
            words.shares(t),
        )
        self.for_below, self.for_above = words.below(t), words.above(t)
        self.comma, self.times = self.operators[","][0], self.operators["·"][0]

    def joined(self, parts: list[Part]) -> str:
        """Put "times" between factors, and a pause after what is long."""
        text = clause = ""
        for before, part in pairwise([START, *parts]):
            goes_on = before.kind in FACTORS - LIGHT and part.kind != "relation"
            if goes_on or (part.kind == "relation" and self.comma in clause):
                clause += self.comma
            factors = before.kind in FACTORS and part.kind in FACTORS | {"prefix"}
            if factors and not {before.kind, part.kind} <= LIGHT:
                clause += f" {self.times}"
            clause += f" {part.text}"
            if part.kind == "comma":
                text, clause = text + clause, ""
        return (text + clause).strip()

    def operator(self, symbol: str, before: Part, after: str) -> Part:
        """Say what stands between two things, or before one; `after` is the next symbol."""
        if symbol in self.signs and before.kind not in FACTORS:
            text = self.signs.get(f"{symbol}{after}", self.signs[symbol])
            return Part(text, "name" if symbol == "·" else "negative")
        if symbol == "·" and before.text.split(" ")[0] in VECTORS:
            return Part(self.signs[symbol], "times")
        return Part(*self.operators[symbol])

    def piece(self, around: str, parts: list[Part], base: str = "") -> Part:
        """Say what a piece is around; around more than one thing, that it ends."""
        short, long = self.pieces[around]
        simple = kinds(parts) in SIGNED
        text = (short if simple else long).format(base=base, inner=self.joined(parts))
        kind = "group" if around in "([" else "closed"
        return Part(text, "power" if simple else kind)

    def application(self, name: Part, parts: list[Part], last: bool) -> Part:
        """Say f(x); without the brackets where the end is clear."""
        found = {*kinds(parts)}
        clear = found <= {"name", "comma"} or kinds(parts) == ["closed"]
        clear = clear or (last and found <= FACTORS | {"times"})
        short, long = self.pieces["of"]
        text = (short if clear else long).format(base=name.text, inner=self.joined(parts))
        return Part(text, "closed")

    def fraction(self, above: list[Part], below: list[Part]) -> Part:
        over, under = self.joined(above), self.joined(below)
        name, product, long = self.fractions
        if kinds(above) == kinds(below) == ["name"]:
            text = self.shares.get(f"{over}/{under}", name)
            return Part(text.format(above=over, below=under), "power")
        factors = {*kinds(above), *kinds(below)} <= FACTORS
        text = product if factors and self.comma not in over + under else long
        return Part(text.format(above=over, below=under), "closed")

    def below(self, part: Part, parts: list[Part]) -> Part:
        """Add what stands below."""
        index = self.joined(parts)
        if part.kind in ("closed", "group"):
            text = self.t("{base}, component {index}")
            return Part(text.format(base=part.text, index=index), "closed")
        if part.text in self.for_below:
            return Part(self.for_below[part.text].format(index=index), "name")
        short, long = self.pieces["_"]
        text = short if {*kinds(parts)} == {"name"} else long
        return Part(text.format(base=part.text, inner=index), "name")

    def above(self, part: Part, symbol: str, parts: list[Part]) -> Part:
        """Add what stands above, which is `symbol` as it is written."""
        if part.kind in ("power", "closed"):  # else only its last word would be squared
            part = Part(self.pieces["("][1].format(inner=part.text), "group")
        if symbol in self.for_above:
            kind = "square" if symbol in "2⊤" else "name"
            return Part(self.for_above[symbol].format(base=part.text), kind)
        if re.fullmatch("[A-Z]", symbol):  # W^Q: no formula has such an exponent
            return Part(f"{part.text} {symbol}", "name")
        if symbol in self.shares:
            parts = [Part(self.shares[symbol], "name")]
        return Part(self.piece("^", parts, part.text).text, "power")
