"""The shipped model's decoding beside engines for serving."""

from docs.builder.translations import Translate
from docs.tables._serving import lines


def table(t: Translate) -> str:
    """Return a line a number of beams and sentences."""
    return lines("shipped", t)
