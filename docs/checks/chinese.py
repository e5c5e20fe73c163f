"""The Chinese is written as in Taiwan: characters, terms, punctuation, spaces, English at first."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import opencc
import polib

from docs.checks import Problem
from docs.checks.pages import CJK, CODE, LATIN, Page, Unit, read_pages

PAGES, CATALOGUE = Path("docs/zh-TW"), Path("docs/locales/zh-TW.po")
README = Path("README.md")
GLOSSARY, WORDS_OF_TAIWAN = Path("docs/glossary.csv"), Path("docs/words.csv")
LEDGER, IN_LEDGER = Path("docs/paper_ledger.toml"), re.compile(r"(?:note-)?zh-TW = (\".*\")")

# Written like this in Taiwan, whatever OpenCC says.
GOOD_CHARACTERS = re.compile("台|分布|公布|發布|布局|了解|干擾|若干|上游|下游|游標|占|污|不准|只")
# Good words with an avoided term inside.
GOOD_WORDS = ["平方差", "改變量", "數字符", "部分詞", "內存在", "內存放", "國內存"]

HAN = CJK.pattern
WORD = rf"[A-Za-z0-9À-ɏͰ-Ͽ{LATIN}]"
FULL_WIDTH = "[，。：；？！「」『』（）、《》〈〉]"
TYPOGRAPHY = {
    rf"(?<={HAN})[,.:;?!()]|[,.:;?!()](?={HAN})": "use full-width punctuation beside Chinese",
    rf"(?<={HAN})(?={WORD})|(?<={WORD})(?={HAN})": "put a space between Chinese and Latin or code",
    rf"(?<={FULL_WIDTH})\s+|\s+(?={FULL_WIDTH})": "take out the space beside the punctuation",
}
CHINESE = re.compile(f"{HAN}|{FULL_WIDTH}")
WORDS = re.compile(r"(?<!\w)[A-Za-z]{2,}(?!\w)")
COMMENT = re.compile(r"(?:^|\s)# (.*)")
COMMENTED = {"bash", "pycon", "python"}

Glossary = list[dict[str, str]]
Found = tuple[str, str]  # a piece of text, and what is wrong there


def problems(root: Path, page: str | None = None) -> Iterator[Problem]:
    """What to correct in Chinese pages and glossary, the catalogue and half of the README."""
    glossary = known_words(root)
    advice = {word: row["zh_tw"] for row in glossary for word in row["avoid"].split(";") if word}
    known = any_of({*advice, *GOOD_WORDS, *(row["zh_tw"] for row in glossary)})
    for file, unit in texts(root, page):
        found = [*simplified(unit.text), *avoided(unit.text, known, advice)]
        found += typography(unit.text) if unit.kind != "code" else []
        yield from (Problem(file, unit.line, f"{text} in {where!r}") for where, text in found)
    for file, one in read_pages(root, page, PAGES):
        for problem in [*first_uses(one.units, glossary), *untranslated(one)]:
            yield Problem(file, *problem)


def known_words(root: Path) -> Glossary:
    """The terms of the glossary, then the words that it need not explain."""
    return [row for file in (GLOSSARY, WORDS_OF_TAIWAN) for _, row in rows(root / file)]


def rows(file: Path) -> list[tuple[int, dict[str, str]]]:
    """The rows of a table, each with its line."""
    if not file.exists():
        return []
    with file.open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines, restval="")
        return [(reader.line_num, row) for row in reader]


def texts(root: Path, page: str | None) -> Iterator[tuple[Path, Unit]]:
    """Everything that readers see in Chinese, with its file."""
    for file, one in read_pages(root, page, PAGES):
        yield from ((file, unit) for unit in [*one.units, *code_comments(one)])
    if page is not None:
        return
    if (root / README).exists():
        readme = Page.read(root / README)
        start = next((s.line for s in readme.sections if CJK.search(s.title)), None)
        if start is not None:
            yield from ((README, unit) for unit in readme.units if unit.line >= start)
    for line, row in rows(root / GLOSSARY):
        yield from ((GLOSSARY, replace(u, line=line)) for u in Page(row["sentence_zh"]).units)
    if (root / LEDGER).exists():
        for line, text in enumerate((root / LEDGER).read_text("utf-8").splitlines(), 1):
            if found := IN_LEDGER.fullmatch(text):  # TOML writes such a text as JSON does
                for unit in Page(json.loads(found[1])).units:
                    yield LEDGER, replace(unit, line=line)
    if (root / CATALOGUE).exists():
        for entry in polib.pofile(str(root / CATALOGUE)):
            if not entry.obsolete and entry.msgstr:
                for unit in Page(entry.msgstr).units:
                    yield CATALOGUE, replace(unit, line=entry.linenum or 1)


def code_comments(page: Page) -> Iterator[Unit]:
    """Lines of code with Chinese in them: its characters and terms count, its spaces do not."""
    for fence in page.fences:
        for number, line in enumerate([fence.info, *fence.code.splitlines()], fence.line):
            if CJK.search(line):
                yield Unit(number, "code", line)


@cache
def converter() -> opencc.OpenCC:
    return opencc.OpenCC("s2tw")


def simplified(text: str) -> Iterator[Found]:
    """Characters that OpenCC would write otherwise in Taiwan."""
    good = {at for match in GOOD_CHARACTERS.finditer(text) for at in range(*match.span())}
    for at, (old, new) in enumerate(zip(text, converter().convert(text))):
        if old != new and at not in good:
            yield around(text, at), f"write {new}, not {old},"


def avoided(text: str, known: re.Pattern[str], advice: dict[str, str]) -> Iterator[Found]:
    """Words of the `avoid` column, but for those inside a good one: 平均值 has 均值 inside."""
    for match in known.finditer(text):
        if good := advice.get(match[0]):
            yield around(text, match.start()), f"write {good}, not {match[0]} (docs/*.csv),"


def any_of(terms: Iterable[str]) -> re.Pattern[str]:
    """Code, or else one of the terms, the longest that fits."""
    longest = sorted(terms, key=len, reverse=True)
    return re.compile("|".join([CODE.pattern, *map(re.escape, longest)]))


def typography(text: str) -> Iterator[Found]:
    for pattern, advice in TYPOGRAPHY.items():
        yield from ((around(text, m.start()), advice) for m in re.finditer(pattern, text))


def first_uses(prose: list[Unit], glossary: Glossary) -> Iterator[tuple[int, str]]:
    """Terms whose English is not in brackets where a page first uses them in a sentence.

    The bracket may close a short list of terms. Terms of one character are left to people: 值 and
    步 are parts of too many other words.
    """
    terms = Counter(row["zh_tw"] for row in glossary)
    english = {row["zh_tw"]: row["first_use"] for row in glossary if terms[row["zh_tw"]] == 1}
    known = any_of(terms)
    met = {term for term in terms if len(term) == 1 or not english.get(term)}
    for unit in prose:
        for use in known.finditer(unit.marked if unit.kind == "text" else ""):
            term = use[0]
            if term in terms and term not in met:
                met.add(term)
                bracket = rf"[^。？！]{{0,12}}?（[^）]*{re.escape(english[term])}"
                if not re.compile(bracket, re.I).match(unit.marked, use.end()):
                    yield unit.line, f"first use of {term} here: write {term}（{english[term]}）"


def untranslated(page: Page) -> Iterator[tuple[int, str]]:
    """Headings, sentences and comments that were left in English."""
    quotes = {item.line for item in page.html if 'lang="en"' in item.text}
    for unit in page.units:
        words = WORDS.findall(CODE.sub(" ", unit.marked))
        fine = CHINESE.search(unit.marked) or quotes & {unit.line - 1, unit.line - 2}
        if len(words) > (1 if unit.kind == "heading" else 3) and not fine:
            yield unit.line, f"this is not Chinese: {' '.join(words)[:40]!r}; translate it"
    for fence in page.fences:
        for number, line in enumerate(fence.code.splitlines(), fence.line + 1):
            comment = COMMENT.search(line) if fence.language in COMMENTED else None
            if comment and len(WORDS.findall(comment[1])) > 3 and not CJK.search(comment[1]):
                yield number, f"this comment is not Chinese: {comment[1][:40]!r}; translate it"


def around(text: str, at: int) -> str:
    """A few characters on each side, enough to find the place."""
    return text[max(0, at - 8) : at + 8].replace(LATIN, "`…`")
