"""The words of the search: what a text is cut into, names of sections, words of elsewhere."""

import csv
import logging
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import jieba
from opencc import OpenCC

from docs.builder.glossary import Row, terms, words

NAMES = Path(__file__).parents[1] / "search_names.csv"
CHINESE = re.compile("[一-鿿]")
# The browser reads a query by the same two expressions.
RUN = re.compile(r"[一-鿿]+|[a-z0-9à-ÿα-ω][\wà-ÿα-ω]*(?:\.\w+)*", re.ASCII)
PLURAL = re.compile(r"(?<=[a-z]{2}[^su])s$")
BRACKETS = re.compile(r" \(.*\)")  # memory (encoder output)
HYPHENATED = re.compile(r"[a-z]+(?:-[a-z]+)+")

# A question is asked in these words; the others say what it is about.
_ASKING = (
    "a about all am an and any are as at be because been but by can could did do does doing each "
    "every for from get gets had happens has have how i if in instead into is it its like made "
    "make makes many matter me mean means much my need needed needs no not of on only or other "
    "our over really shall should so some such than that the their them then there these they "
    "this those to too up use used using was we were what when where which who whom why will with "
    "work works would you your "
    "為什麼 爲什麼 為何 什麼 甚麼 什麼是 是什麼 怎麼 怎麼辦 怎樣 如何 多少 哪些 哪裡 哪個 "
    "哪一個 可以 能不能 可不可以 是不是 需要 應該 必須 這個 那個 一個 的 了 是 在 有 和 與 或 "
    "及 要 會 能 嗎 呢 吧 我 你 我的 它 把 被 讓 請 請問 到底 意思 之 於 為 也 都 就 還 很 不 "
    "用 裡 到 只 再 時 那 這 個 每 每個 上 著 各 對 從 所以 就是 不是 沒有 一樣 這樣 因為"
)
QUESTION_WORDS = [*dict.fromkeys(PLURAL.sub("", word) for word in _ASKING.split())]

jieba.setLogLevel(logging.WARNING)


def words_of(text: str, chinese: bool) -> Iterator[str]:
    """Yield the words of a text as the index has them.

    >>> list(words_of("Look-ahead masks, causal_mask(n) of d_model", False))
    ['look', 'ahead', 'mask', 'causal_mask', 'n', 'of', 'd_model', 'lookahead']
    """
    text = _normal(text)
    for run in RUN.findall(text):
        if not is_chinese(run):
            yield PLURAL.sub("", run)
        elif chinese:
            yield from _cut(run)
    for compound in HYPHENATED.findall(text):
        yield PLURAL.sub("", compound.replace("-", ""))


def names() -> list[tuple[str, str]]:
    """Return the names that readers type, each with the page or section that it leads to."""
    with NAMES.open(encoding="utf-8", newline="") as file:
        return [(row["name"], row["page"]) for row in csv.DictReader(file)]


def names_of_sections() -> dict[str, list[str]]:
    """Return all names by section, as in a.md#b, or by page; those of the glossary among them.

    A name of the list leads where the list says, even if the glossary explains it elsewhere.
    """
    listed = {name.lower() for name, _ in names()}
    found: defaultdict[str, list[str]] = defaultdict(list)
    for row in terms():
        for name in (BRACKETS.sub("", row["en"]), row["zh_tw"]):
            if name.lower() not in listed:
                found[row["page"]].append(name)
    for name, section in names():
        found[section].append(name)
    return {section: [*dict.fromkeys(filter(None, named))] for section, named in found.items()}


def place_of(section: str) -> str:
    """Return where the site has a page or a section.

    >>> place_of("start/setup.md#gpu")
    'start/setup/#gpu'
    """
    page, number_sign, anchor = section.partition("#")
    return f"{Path(page).with_suffix('').as_posix()}/{number_sign}{anchor}"


def shares(name: str, chinese: bool) -> dict[str, float]:
    """Return how much of a name each of its words is.

    >>> shares("padding mask", chinese=False)
    {'padding': 0.6363636363636364, 'mask': 0.36363636363636365}
    """
    length = sum(map(len, RUN.findall(_normal(name))))
    return {word: min(1.0, len(word) / length) for word in words_of(name, chinese)}


def other_words(text: str) -> dict[str, str]:
    """Return what the pages write, by what readers elsewhere type: characters and words.

    >>> other_words("遮罩、編碼").items() >= {"编": "編", "码": "碼", "掩碼": "遮罩"}.items()
    True
    """
    characters = Counter(CHINESE.findall(text))
    other: dict[str, str] = {}
    for character, _ in characters.most_common():
        if (simple := _simplified(character)) not in characters:
            other.setdefault(simple, character)
    spelt = str.maketrans(other)
    listed = {name for name, _ in names()}
    for row in sorted([*terms(), *words()], key=lambda row: len(row["zh_tw"])):
        for word in f"{row['avoid']};{row['not_in_this_sense']}".split(";"):
            word = word.translate(spelt)
            if len(word) > 1 and is_chinese(word) and word not in listed | {row["zh_tw"]}:
                other.setdefault(word, row["zh_tw"].lower())
    return other


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def is_chinese(text: str) -> bool:
    """Whether a text has a Chinese character."""
    return CHINESE.search(text) is not None


@cache
def _cut(run: str) -> tuple[str, ...]:
    """Return Chinese words and the words within them; jieba knows them by their simplified form."""
    end = 0
    found: list[str] = []
    for word in _dictionary().cut(_simplified(run), HMM=False):
        start, end = end, end + len(word)
        for part in _dictionary().cut_for_search(word, HMM=False) if len(word) > 2 else [word]:
            at = start + word.find(part)
            found.append(run[at : at + len(part)])
    return tuple(found)


@cache
def _dictionary() -> jieba.Tokenizer:
    """Return jieba with the glossary's terms and the names, which stay whole."""
    tokenizer = jieba.Tokenizer()
    rows: list[Row] = [*terms(), *words()]
    for word in {row["zh_tw"] for row in rows} | {name for name, _ in names()}:
        for run in re.findall("[一-鿿]{2,}", word):
            tokenizer.add_word(_simplified(run), 100_000)
    for word in QUESTION_WORDS:
        tokenizer.add_word(_simplified(word), 10_000)
    return tokenizer


def _simplified(text: str) -> str:
    """Return a text in simplified characters, each in its place."""
    simple: str = _converter().convert(text)
    return simple if len(simple) == len(text) else text


@cache
def _converter() -> OpenCC:
    return OpenCC("t2s")
