"""The words in which a formula is said: those of its symbols, and those around its pieces."""

import re
import unicodedata

from docs.builder.translations import Translate

GREEK = re.compile(r"GREEK (?:SMALL LETTER|CAPITAL LETTER|LUNATE) (\w+)")
WRITTEN = re.compile(r"[A-Za-z]+|\d[\d.,]*")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")


def operators(t: Translate) -> dict[str, tuple[str, str]]:
    """Return what stands between two things: its words, and its kind."""
    return {
        "·": (t("times"), "times"),
        "×": (t("by"), "times"),
        "/": (t("divided by"), "times"),
        "+": (t("plus"), "sign"),
        "−": (t("minus"), "sign"),
        "±": (t("plus or minus"), "sign"),
        "=": (t("equals"), "relation"),
        "≠": (t("is not equal to"), "relation"),
        "≈": (t("is about"), "relation"),
        "∈": (t("in"), "relation"),
        "<": (t("is less than"), "relation"),
        ">": (t("is greater than"), "relation"),
        "≤": (t("is less than or equal to"), "relation"),
        "←": (t("becomes"), "relation"),
        "∣": (t("given"), "relation"),
        ",": (t(","), "comma"),
    }


def signs(t: Translate) -> dict[str, str]:
    """Return what an operator is called that has nothing before it."""
    return {
        "−": t("negative"),
        "−∑": t("the negative of"),
        "+": t("positive"),
        "·": t("dot"),
    }


def functions(t: Translate) -> dict[str, str]:
    """Return the functions that are not said as they are written."""
    return {
        "sin": t("sine"),
        "cos": t("cosine"),
        "tanh": t("hyperbolic tangent"),
        "ln": t("natural log"),
        "Var": t("variance"),
    }


def over_indices(t: Translate) -> dict[tuple[str, int], str]:
    """Return what runs over indices, by how many limits it has."""
    return {
        ("∑", 0): t("the sum of"),
        ("∑", 1): t("the sum over {index} of"),
        ("∑", 2): t("the sum for {index} from {first} to {last} of"),
        ("∏", 2): t("the product for {index} from {first} to {last} of"),
        ("argmax", 1): t("the argmax over {index} of"),
    }


def pieces(t: Translate) -> dict[str, tuple[str, str]]:
    r"""Return what is said around one thing, and around more: then the end is heard.

    The bars of `\lvert` are for sizes, plain ones for absolute values.
    """
    square = t("open square bracket {inner} close square bracket")
    return {
        "[": (square, square),
        "(": ("{inner}", t("open parenthesis {inner} close parenthesis")),
        "of": (t("{base} of {inner}"), t("{base} of open parenthesis {inner} close parenthesis")),
        "√": (t("the square root of {inner}"), t("the square root of {inner}, end of root,")),
        "_": ("{base} {inner}", t("{base} sub {inner} end sub,")),
        "^": (
            t("{base} to the power of {inner}"),
            t("{base} to the power of {inner}, end of exponent,"),
        ),
        "|": (
            t("the absolute value of {inner}"),
            t("the absolute value of {inner}, end of absolute value,"),
        ),
        r"\lvert": (t("the size of {inner}"), t("the size of {inner}, end of size,")),
        "‖": (t("the norm of {inner}"), t("the norm of {inner}, end of norm,")),
    }


def above(t: Translate) -> dict[str, str]:
    """Return what is written above a thing and is said without an exponent."""
    return {
        "2": t("{base} squared"),
        "⊤": t("{base} transposed"),
        "′": t("{base} prime"),
        "¯": t("{base} bar"),
    }


def below(t: Translate) -> dict[str, str]:
    """Return the names to which what is written below belongs in another way."""
    return {"log": t("log base {index}")}


def fractions(t: Translate) -> tuple[str, str, str]:
    """Return what is said of a fraction of two names, of one of products, of a long one."""
    return (
        t("{above} over {below}"),
        t("the fraction {above} over {below}, end of fraction,"),
        t("the fraction {above}, over {below}, end of fraction,"),
    )


def shares(t: Translate) -> dict[str, str]:
    """Return the fractions that have a name."""
    return {"1/2": t("one half"), "1/4": t("one quarter"), "1/8": t("one eighth")}


def name(symbol: str, t: Translate) -> str:
    """Return what a letter, a number or a word is called.

    >>> [name(symbol, str) for symbol in ("x", "ϵ", "LayerNorm", "0.5")]
    ['x', 'epsilon', 'Layer Norm', '0.5']
    """
    others = {"∞": t("infinity"), "…": t("dot dot dot"), "⋯": t("dot dot dot"), "ℓ": "l"}
    if symbol in others:
        return others[symbol]
    if greek := GREEK.match(unicodedata.name(symbol[:1], "")):
        return greek[1].lower()
    if not WRITTEN.fullmatch(symbol):
        raise ValueError(f"no spoken form of {symbol}")
    return CAMEL.sub(" ", symbol)
