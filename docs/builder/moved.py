"""Pages that moved: at the old address a page leads on, with the anchor that the reader came with.

docs/moved.csv lists them, without the suffix.
"""

import csv
from collections.abc import Iterator

from docs.builder.book import Book
from docs.builder.languages import FOLDERS, link
from docs.builder.translations import ROOT

PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<title>{title}</title>
<link rel="canonical" href="{address}">
<meta http-equiv="refresh" content="1; url={way}">
<script src="{script}" defer></script>
</head>
<body><a href="{way}">{title}</a></body>
</html>
"""


def pages(book: Book) -> Iterator[tuple[str, str]]:
    """Yield the file of each old address, and its text."""
    with (ROOT / "docs" / "moved.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            old, new = f"{row['old']}/", f"{row['new']}/"
            path = f"{row['new']}.md"
            if path not in book.sources:  # of a book that has other pages, as in the tests
                continue
            script = "../" * (old.count("/") + bool(FOLDERS[book.language]))
            yield (
                f"{old}index.html",
                PAGE.format(
                    language=book.language,
                    title=book.title(path),
                    address=book.address(path),
                    way=link(old, book.language, new, to=book.language),
                    script=f"{script}assets/scripts/moved.js",
                ),
            )
