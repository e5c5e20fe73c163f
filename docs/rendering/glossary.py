"""The terms of docs/glossary.csv."""

import csv
from pathlib import Path

FILE = Path(__file__).parents[1] / "glossary.csv"

Row = dict[str, str]


def terms() -> list[Row]:
    """Return one row a term, as the file has them."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
