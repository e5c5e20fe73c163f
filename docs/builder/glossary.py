"""The terms of docs/glossary.csv, and the words of docs/words.csv that need no explanation."""

import csv
from pathlib import Path

FOLDER = Path(__file__).parents[1]

Row = dict[str, str]


def terms() -> list[Row]:
    """Return one row a term, as the file has them."""
    return _rows("glossary.csv")


def words() -> list[Row]:
    """Return one row a word that only has to be written alike everywhere."""
    return _rows("words.csv")


def _rows(name: str) -> list[Row]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
