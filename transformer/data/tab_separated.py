"""Columns of tab-separated files: plain text, Tatoeba's export, and what spreadsheets write."""

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice

from transformer.text_files import Unreadable

Row = list[str] | Unreadable  # the columns of a line, or why it has none
_LOOK = 1000  # lines ahead, which show how a file is written
_IDS_LOOK = 20  # first lines that show whether a column holds ids
_ENOUGH = 3  # fewer show nothing
_CELL_LINES = 100  # lines of one cell, at most
_QUOTED = re.compile('"(?:[^"]|"")*"')  # a cell as spreadsheets write it
_SENTENCE_ENDS = tuple(".?!。？！")


def read_rows(lines: Iterable[str | Unreadable], name: str) -> Iterator[tuple[int, Row]]:
    r"""Yield the columns of each line, the source first and its translation second.

    An export of Tatoeba has ids in columns 1 and 3: its texts are in 2 and 4. In a spreadsheet's
    export a cell with quotes, tabs or line breaks is in quotes, its own quotes are doubled, and it
    may take several lines. Plain text that begins with a quote is no such cell: lines are joined
    only where one of them has no tab, and quotes are taken off only where some are doubled inside,
    or where the first lines have every cell with a comma in quotes.

    Args:
        lines: Lines without their ends.
        name: What to call them when something is wrong.

    Yields:
        Number of the line, from 1, and its columns; of a cell with several lines, that of the last.

    Raises:
        ValueError: If column 1 holds ids, and there is no column 3 with others.

    Example:
        >>> lines = ['"two', 'lines"\t兩行', '"Hello!" she said.\t「哈囉！」她說。']
        >>> for row in read_rows(lines, "pairs.tsv"):
        ...     print(row)
        (2, ['two\nlines', '兩行'])
        (3, ['"Hello!" she said.', '「哈囉！」她說。'])
    """
    rest = iter(lines)
    ahead = deque(islice(rest, _LOOK))
    first = [line.split("\t") for line in ahead if isinstance(line, str) and line.strip()]
    ids = _has_ids(first[:_IDS_LOOK], name)
    quoted = _quotes_commas(first)
    number = 0
    while ahead:
        row, used = _row(ahead, quoted)
        number += used
        for _ in range(used):
            ahead.popleft()
        ahead.extend(islice(rest, used))
        if ids and isinstance(row, list):
            fits = len(row) > 3 and row[0].isdecimal() and row[2].isdecimal()
            row = [row[1], row[3]] if fits else Unreadable("malformed", "no ids in columns 1, 3")
        yield number, row


def _row(ahead: deque[str | Unreadable], quoted: bool) -> tuple[Row, int]:
    """Return the columns that begin with the first line, and how many lines they take."""
    line = ahead[0]
    if isinstance(line, Unreadable):
        return Unreadable(line.kind, f"the line: {line.detail}"), 1
    cells = line.split("\t")
    if '"' not in line:
        return cells, 1
    if any(cell.startswith('"') and cell.count('"') % 2 for cell in cells):
        taken: list[str] = []
        try:
            columns = next(csv.reader(_texts(ahead, taken), delimiter="\t", strict=True))
        except csv.Error:  # the quote does not close: it is text
            columns = []
        if len(columns) > 1 and (len(taken) == 1 or not all("\t" in line for line in taken)):
            return columns, len(taken)
    return [_unquoted(cell.strip(), quoted) for cell in cells], 1


def _texts(ahead: deque[str | Unreadable], taken: list[str]) -> Iterator[str]:
    """Yield lines for a cell that goes on, and note which were taken."""
    for line in islice(ahead, _CELL_LINES):
        if isinstance(line, Unreadable):
            return
        taken.append(line)
        yield line + "\n"


def _unquoted(cell: str, quoted: bool) -> str:
    """Return a cell as it stood in the spreadsheet, if its quotes are certainly the export's."""
    if not _QUOTED.fullmatch(cell) or not (quoted or '""' in cell):
        return cell
    return cell[1:-1].replace('""', '"')


def _quotes_commas(rows: list[list[str]]) -> bool:
    """Say whether every cell with a comma or a quote is in quotes, as Excel writes it."""
    telling = [cell for row in rows for cell in row if "," in cell or '"' in cell]
    return len(telling) >= _ENOUGH and all(map(_QUOTED.fullmatch, telling))


def _has_ids(rows: list[list[str]], name: str) -> bool:
    """Say whether columns 1 and 3 hold ids; refuse a file with ids in column 1 alone."""
    if not rows or not all(row[0].isdecimal() for row in rows):
        return False
    if all(len(row) > 3 and row[2].isdecimal() for row in rows):
        return True
    beside = all(len(row) > 2 or row[-1].rstrip().endswith(_SENTENCE_ENDS) for row in rows)
    if len(rows) >= _ENOUGH and beside:
        raise ValueError(
            f"{name}: the sources are numbers, such as {rows[0][0]!r}: column 1 must be "
            "the source and column 2 its translation, or both in columns 2 and 4, with ids before "
            "each, as in Tatoeba's export of sentence pairs"
        )
    return False
