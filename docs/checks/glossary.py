"""Every row of the glossary and of docs/words.csv is complete, and each word has one row.

Words that only have to be written alike, such as 檔案, are in docs/words.csv.
"""

from collections.abc import Iterator
from pathlib import Path

from docs.checks import Problem
from docs.checks.chinese import GLOSSARY, WORDS_OF_TAIWAN, rows
from docs.checks.pages import CHINESE, ENGLISH, Page

COLUMNS = {
    GLOSSARY: ("en", "zh_tw", "sentence_en", "sentence_zh", "page"),
    WORDS_OF_TAIWAN: ("en", "zh_tw"),
}


def problems(root: Path) -> Iterator[Problem]:
    """Empty columns, words with two rows, and sections of `first` that are not there.

    The strict build follows the links of `page`; `first` is no link.
    """
    listed = set[str]()
    for file, columns in COLUMNS.items():
        for line, row in rows(root / file):
            messages = [f"{column} is empty; fill it" for column in columns if not row[column]]
            messages += ["listed twice; keep one row"] if row["en"] in listed else []
            listed.add(row["en"])
            name, _, anchor = (row.get("first") or "").partition("#")
            for path in (ENGLISH / name, CHINESE / name) if name else ():
                if not (root / path).is_file() or anchor not in Page.read(root / path).anchors:
                    messages.append(f"there is no {path.as_posix()}#{anchor}; correct `first`")
            yield from (Problem(file, line, f"{row['en']}: {message}") for message in messages)
