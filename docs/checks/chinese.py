"""The Chinese is written as in Taiwan: characters, terms, punctuation, spaces, English at first."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator
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

# Written like this in Taiwan, whatever OpenCC says.
GOOD_CHARACTERS = re.compile("台|分布|公布|發布|布局|了解|干擾|若干|上游|下游|游標|占|污|不准|只")
# Good words with an avoided term inside.
GOOD_WORDS = ["平方差", "改變量", "數字符", "部分詞", "內存在", "內存放", "國內存"]

HAN = CJK.pattern
WORD = rf"[A-Za-z0-9À-ɏͰ-Ͽ{LATIN}]"
FULL_WIDTH = "[，。：；？！「」『』（）、《》〈〉]"
HALF_WIDTH = re.compile(rf"(?<={HAN})[,.:;?!()]|[,.:;?!()](?={HAN})")
UNSPACED = re.compile(rf"(?<={HAN})(?={WORD})|(?<={WORD})(?={HAN})")
SPACED = re.compile(rf"(?<={FULL_WIDTH})\s+|\s+(?={FULL_WIDTH})")
CHINESE = re.compile(f"{HAN}|{FULL_WIDTH}")
WORDS = re.compile(r"(?<!\w)[A-Za-z]{2,}(?!\w)")
COMMENT = re.compile(r"(?:^|\s)# (.*)")
COMMENTED = {"bash", "pycon", "python"}

Glossary = list[dict[str, str]]


def problems(root: Path, page: str | None = None) -> Iterator[Problem]:
    """What to correct in Chinese pages and glossary, the catalogue and half of the README."""
    glossary = known_words(root)
    avoided = avoided_terms(glossary)
    for file, unit in texts(root, page):
        checks = [simplified, avoided]
        if unit.kind != "code":
            checks += [punctuation, spaces]
        yield from (Problem(file, unit.line, text) for check in checks for text in check(unit.text))
    for file, one in read_pages(root, page, PAGES):
        found = [*first_uses(one.units, glossary), *untranslated(one)]
        yield from (Problem(file, *problem) for problem in found)


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
        start = next((h.line for h in readme.headings if CJK.search(h.title)), None)
        if start is not None:
            yield from ((README, unit) for unit in readme.units if unit.line >= start)
    for line, row in rows(root / GLOSSARY):
        yield from ((GLOSSARY, replace(u, line=line)) for u in Page(row["sentence_zh"]).units)
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


def simplified(text: str) -> Iterator[str]:
    """Characters that OpenCC would write otherwise in Taiwan."""
    good = {at for match in GOOD_CHARACTERS.finditer(text) for at in range(*match.span())}
    converted = converter().convert(text)
    for at, (old, new) in enumerate(zip(text, converted)):
        if old != new and at not in good:
            yield f"write {new}, not {old}, in {around(text, at)!r}"


def avoided_terms(glossary: Glossary) -> Callable[[str], Iterator[str]]:
    """A check for the `avoid` column that knows where a good term only looks like a bad one.

    平均值 has 均值 inside and 部分詞元 has 分詞 across; but 值 inside 均值 excuses nothing.
    """
    advice = {term: row["zh_tw"] for row in glossary for term in row["avoid"].split(";") if term}
    good = alternatives([*(row["zh_tw"] for row in glossary), *GOOD_WORDS])
    bad = alternatives(advice)

    def check(text: str) -> Iterator[str]:
        for match in bad.finditer(text):
            start, end = match.span()
            excused = any(
                a < end and start < b and not (start <= a and b <= end)
                for a, b in (term.span() for term in good.finditer(text))
            )
            if not excused:
                where = around(text, start)
                yield f"write {advice[match[0]]}, not {match[0]}, in {where!r} (docs/*.csv)"

    return check


def alternatives(terms: Iterable[str]) -> re.Pattern[str]:
    """Any of the terms, the longest that fits."""
    return re.compile("|".join(map(re.escape, sorted(terms, key=len, reverse=True))) or "(?!)")


def punctuation(text: str) -> Iterator[str]:
    for match in HALF_WIDTH.finditer(text):
        where = around(text, match.start())
        yield f"half-width {match[0]!r} beside Chinese in {where!r}; use the full-width mark"


def spaces(text: str) -> Iterator[str]:
    for match in UNSPACED.finditer(text):
        where = around(text, match.start())
        yield f"put a space between Chinese and Latin letters, digits or code in {where!r}"
    for match in SPACED.finditer(text):
        where = around(text, match.start())
        yield f"take out the space next to the full-width punctuation in {where!r}"


def first_uses(prose: list[Unit], glossary: Glossary) -> Iterator[tuple[int, str]]:
    """Terms whose English is not in brackets where a page first uses them in a sentence.

    The bracket may close a short list of terms. Terms of one character are left to people: 值 and
    步 are parts of too many other words.
    """
    terms = [row["zh_tw"] for row in glossary]
    sentences = [unit for unit in prose if unit.kind == "text"]
    for row in glossary:
        term, english = row["zh_tw"], row["first_use"]
        if not english or len(term) == 1 or terms.count(term) > 1:
            continue
        longer = sorted((t for t in terms if term in t and t != term), key=len, reverse=True)
        code = "\ue000[^\ue001]*\ue001"
        pattern = re.compile("|".join([code, *map(re.escape, longer), f"({re.escape(term)})"]))
        uses = ((unit, m) for unit in sentences for m in pattern.finditer(unit.marked) if m[1])
        for unit, match in uses:
            bracket = rf"[^。？！]{{0,12}}?（[^）]*{re.escape(english)}"
            if not re.compile(bracket, re.I).match(unit.marked, match.end()):
                yield unit.line, f"first use of {term} on this page: write {term}（{english}）"
            break


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
